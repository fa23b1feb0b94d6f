import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import net from 'node:net';
import { BadOption } from './options';

const ANSWER_MS = 3_000;
const LISTENING = '0A';

/** The mail server under test. */
export interface MailServer {
  readonly host: string;
  readonly port: number;
  /** The process whose processor time counts as the mail server's; null when it is not known. */
  readonly pid: number | null;
}

/** Checks the mail server at `HOST:PORT`, and finds its process where that is given or listens on this machine. Throws `BadOption` when it is none or does not answer. */
export async function mailServerAt(text: string, pid: number | null): Promise<MailServer> {
  const [, bracketed, name, digits] = /^(?:\[([0-9a-f:]+)\]|([a-z0-9.-]+)):(\d{1,5})$/i.exec(text) ?? [];
  const [host, port] = [bracketed ?? name ?? '', Number(digits)];
  if (host === '' || port < 1 || port > 65_535) throw new BadOption(`--smtp must be HOST:PORT, not "${text}"`);
  if (!(await greets(host, port))) throw new BadOption(`No mail server answers at ${text}`);
  return { host, port, pid: pid ?? (isHere(host) ? listenerOn(port) : null) };
}

export const smtpUrlOf = ({ host, port }: MailServer): string => `smtp://${net.isIPv6(host) ? `[${host}]` : host}:${port}`;

const isHere = (host: string): boolean => host === 'localhost' || host === '::1' || host.startsWith('127.');

function greets(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect({ host, port, timeout: ANSWER_MS });
    const end = (answered: boolean): void => {
      resolve(answered);
      socket.destroy();
    };
    socket.once('data', (chunk: Buffer) => end(chunk.toString('latin1').startsWith('220')));
    socket.once('error', () => end(false)).once('timeout', () => end(false));
  });
}

/** Finds the process that listens on a port of this machine in /proc; null when it is not visible or several do. */
function listenerOn(port: number): number | null {
  const inodes = ['tcp', 'tcp6'].flatMap((table) => listeningInodes(table, port));
  const wanted = new Set(inodes.map((inode) => `socket:[${inode}]`));
  const pids = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry));
  const listening = pids.filter((pid) => filesOf(pid).some((file) => wanted.has(file)));
  return listening.length === 1 ? Number(listening[0]) : null;
}

function listeningInodes(table: string, port: number): string[] {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const rows = readOr('', () => readFileSync(`/proc/net/${table}`, 'utf8'))
    .split('\n')
    .map((line) => line.trim().split(/\s+/));
  return rows.filter(([, local = '', , state]) => local.endsWith(suffix) && state === LISTENING).map((row) => row[9] ?? '');
}

const filesOf = (pid: string): string[] =>
  readOr<string[]>([], () => readdirSync(`/proc/${pid}/fd`)).map((file) => readOr('', () => readlinkSync(`/proc/${pid}/fd/${file}`)));

/** Reads, or returns `otherwise` when a process has ended or may not be read. */
function readOr<T>(otherwise: T, read: () => T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
