import dns, { Resolver } from 'node:dns/promises';
import { isIP, isIPv6 } from 'node:net';
import { hostName } from '../rules/domains/answers';
import { randomInt } from 'node:crypto';
import dgram from 'node:dgram';
import dnsPacket from 'dns-packet';
import type { Answer as DnsRecord, RecordType } from 'dns-packet';
import { unlessLate } from './async';

/** DNS's answer about a name: records, no records for certain, or nothing reliable (SERVFAIL, a refusal, no answer in time). */
export type Answer<Entry> =
  | { readonly said: 'found'; readonly records: readonly Entry[] }
  | { readonly said: 'none' }
  | { readonly said: 'unknown' };

export interface MailExchange {
  /** In small letters without a dot at its end; empty where the domain says that it accepts no mail (RFC 7505). */
  readonly host: string;
  readonly preference: number;
}

/** Looks names up. No method throws. */
export interface Dns {
  /** Resolves to the texts at a name, the strings of each put together (RFC 7208, section 3.3). */
  txt(name: string): Promise<Answer<string>>;
  /** Resolves to the exchangers, most preferred first. */
  mx(name: string): Promise<Answer<MailExchange>>;
  /** Resolves to where the name itself points, without following further. */
  cname(name: string): Promise<Answer<string>>;
  /** Resolves to IPv4 and IPv6 addresses. */
  addresses(name: string): Promise<Answer<string>>;
  /** Records of any type, as `resolve` of Node has them. */
  records(name: string, type: string): Promise<Answer<unknown>>;
}

const TRY_MS = 1_000;
const TRIES = 2;
const PORT = 53;

/** c-ares says these when the name, or what was asked of it, is not there; or when it can be no name at all. */
const ABSENT: ReadonlySet<string> = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);

/** Creates a resolver. `servers`: `host[:port],…` as in DNS_SERVERS; without it the system's. A name among them is looked up once. */
export function createDns(servers?: string): Dns {
  let made: Promise<Resolver> | null = null;
  const resolver = (): Promise<Resolver> => {
    made ??= makeResolver(servers).catch((error: unknown) => {
      made = null;
      throw error;
    });
    return made;
  };
  const ask = async <Entry>(query: (using: Resolver) => Promise<readonly Entry[]>): Promise<Answer<Entry>> => {
    // That the server itself is not found says nothing of what it would be asked for.
    const using = await resolver().catch(() => null);
    if (!using) return { said: 'unknown' };
    try {
      const records = await query(using);
      return records.length > 0 ? { said: 'found', records } : { said: 'none' };
    } catch (error) {
      return { said: ABSENT.has(String((error as NodeJS.ErrnoException).code)) ? 'none' : 'unknown' };
    }
  };
  return {
    txt: (name) => ask(async (using) => (await using.resolveTxt(name)).map((strings) => strings.join(''))),
    mx: (name) => ask(async (using) => (await using.resolveMx(name)).map(toExchange).sort((a, b) => a.preference - b.preference)),
    cname: (name) => ask(async (using) => (await using.resolveCname(name)).map(hostName)),
    records: (name, type) => ask((using) => recordsOf(using, name, type)),
    addresses: async (name) => {
      const [four, six] = await Promise.all([ask((using) => using.resolve4(name)), ask((using) => using.resolve6(name))]);
      const records = [four, six].flatMap((answer) => (answer.said === 'found' ? answer.records : []));
      if (records.length > 0) return { said: 'found', records };
      return { said: four.said === 'unknown' || six.said === 'unknown' ? 'unknown' : 'none' };
    },
  };
}

async function recordsOf(using: Resolver, name: string, type: string): Promise<readonly unknown[]> {
  if (!isOddName(name)) return (await using.resolve(name, type)) as readonly unknown[];
  return askForOddName(using.getServers()[0] ?? '', name, type, TRY_MS);
}

const HOST_NAME = /^[a-z0-9._*-]+$/i;

const MOST_ID = 65_536;

const ADDRESS = /^(?:\[(.+)\]|([^:]+)|(.+))(?::(\d+))?$/;

const RCODE = 0b1111;

const [NO_ERROR, NO_SUCH_NAME] = [0, 3];

// c-ares asks for names of hosts only. Names in SPF and DKIM may have any letter, such as those of a sender's address.
const isOddName = (name: string): boolean => !HOST_NAME.test(name);

/** Asks one of the servers (`address` or `address:port`) for a name that c-ares refuses to ask for. Rejects with the codes that Node has for what goes wrong. */
async function askForOddName(server: string, name: string, type: string, timeoutMs: number): Promise<readonly unknown[]> {
  const id = randomInt(MOST_ID);
  const question = dnsPacket.encode({
    type: 'query',
    id,
    flags: dnsPacket.RECURSION_DESIRED,
    questions: [{ name, type: type as RecordType }],
  });
  const reply = await exchange(server, question, id, timeoutMs);
  const code = (reply.flags ?? 0) & RCODE;
  if (code === NO_SUCH_NAME) throw failure('ENOTFOUND');
  if (code !== NO_ERROR || reply.flag_tc) throw failure('ESERVFAIL');
  return (reply.answers ?? []).filter((answer) => answer.type === type).map(asNodeHasIt);
}

const failure = (code: string): Error => Object.assign(new Error(`DNS: ${code}`), { code });

async function exchange(server: string, question: Buffer, id: number, timeoutMs: number): Promise<dnsPacket.DecodedPacket> {
  const [, bracketed, plain, six = '', port = '53'] = ADDRESS.exec(server) ?? [];
  const address = bracketed ?? plain ?? six;
  const socket = dgram.createSocket(isIPv6(address) ? 'udp6' : 'udp4');
  try {
    const reply = new Promise<dnsPacket.DecodedPacket>((resolve, reject) => {
      socket.on('error', reject);
      socket.on('message', (message) => {
        const packet = decoded(message);
        if (packet?.id === id && packet.type === 'response') resolve(packet);
      });
      // A connected socket hears that server alone.
      socket.connect(Number(port), address, () => socket.send(question));
    });
    return await unlessLate(timeoutMs, reply, () => {
      throw failure('ETIMEOUT');
    });
  } finally {
    socket.close();
  }
}

function decoded(message: Buffer): dnsPacket.DecodedPacket | null {
  try {
    return dnsPacket.decode(message);
  } catch {
    return null;
  }
}

function asNodeHasIt(record: DnsRecord): unknown {
  if (record.type === 'MX') return { exchange: record.data.exchange, priority: record.data.preference ?? 0 };
  if (record.type === 'TXT') return [record.data].flat().map(String);
  return 'data' in record ? record.data : null;
}

const toExchange = ({ exchange, priority }: { exchange: string; priority: number }): MailExchange => ({
  host: hostName(exchange),
  preference: priority,
});

async function makeResolver(servers: string | undefined): Promise<Resolver> {
  const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES });
  if (servers !== undefined) resolver.setServers(await Promise.all(servers.split(',').map(addressOf)));
  return resolver;
}

/** Resolves to a server as the resolver takes it: an address, with its port. */
async function addressOf(server: string): Promise<string> {
  const [, bracketed, plain, port = PORT] = /^(?:\[(.+)\]|([^:]+))(?::(\d+))?$/.exec(server.trim()) ?? [];
  const host = bracketed ?? plain ?? '';
  const address = isIP(host) === 0 ? (await dns.lookup(host)).address : host;
  return isIP(address) === 6 ? `[${address}]:${port}` : `${address}:${port}`;
}

/** The servers that take a domain's mail, as DNS lists them. */
type Exchanges =
  /** The exchangers that it names, and in what order they are preferred; or, where it names none, the domain itself. */
  | { readonly kind: 'hosts'; readonly hosts: readonly { readonly host: string; readonly preference: number }[]; readonly named: boolean }
  /** It says that it takes none (RFC 7505). */
  | { readonly kind: 'null_mx' }
  /** It has neither exchangers nor addresses, or does not exist. */
  | { readonly kind: 'none' }
  | { readonly kind: 'unknown' };

/** Finds a domain's mail exchangers; without MX records it takes its mail at its own addresses (RFC 5321, section 5.1). */
export async function exchangesOf(dns: Pick<Dns, 'mx' | 'addresses'>, domain: string): Promise<Exchanges> {
  const answer = await dns.mx(domain);
  if (answer.said === 'unknown') return { kind: 'unknown' };
  if (answer.said === 'found') {
    const hosts = answer.records.filter(({ host }) => host !== '');
    return hosts.length > 0 ? { kind: 'hosts', hosts, named: true } : { kind: 'null_mx' };
  }
  const { said } = await dns.addresses(domain);
  return said === 'found' ? { kind: 'hosts', hosts: [{ host: domain, preference: 0 }], named: false } : { kind: said };
}
