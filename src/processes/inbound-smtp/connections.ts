import type { SMTPServer, SMTPServerSession } from 'smtp-server';
import { clientOf, networkOf } from '../../platform/addresses';
import { sampled } from '../../platform/metrics';
import type { metrics } from '../../platform/metrics';
import { Refusal } from './refusal';

const MOST = 500;
/** With more the server is crowded. */
const CROWDED = 250;
/** In a crowd, one that has said less than a few words in that time goes. */
const PATIENCE_MS = 15_000;
const FEW_WORDS = 64;
const CHECK_EVERY_MS = 5_000;
/** Longer than any honest client needs for what one connection may bring. */
const LIFETIME_MS = 30 * 60_000;

const TOO_MANY = new Refusal(421, '4.7.0 Too many connections, try again later');

interface Connection {
  readonly session: { readonly id: string };
  readonly _socket: { readonly bytesRead: number };
  send(code: number, text: string): void;
  close(): void;
}

interface Open {
  readonly host: string;
  readonly network: string;
  readonly timer: NodeJS.Timeout;
  /** A message is being received. */
  busy: boolean;
  /** It has come to its end, and waits for us. */
  waits: boolean;
  /** Number of bytes received when it was last active, and the time of that. */
  heard: { readonly bytes: number; readonly at: number };
}

/** The metrics in which a server counts its connections. */
export interface Counts {
  readonly name: string;
  readonly open: typeof metrics.inboundConnections;
  readonly refused: typeof metrics.inboundRefused;
}

/** Returns the sending host of a connection: an IPv4 address, or the /64 of an IPv6 address. */
export const hostOf = ({ remoteAddress }: Pick<SMTPServerSession, 'remoteAddress'>): string => clientOf(remoteAddress);

/**
 * The open connections: at most 500 at the same time, `perHost` of them from one host, each for half an hour. In a crowd, or while memory
 * is short, each network gets one new connection, and silent ones are closed.
 */
export class Connections {
  private readonly open = new Map<string, Open>();
  private readonly watch: NodeJS.Timeout;
  private closing = false;

  constructor(
    protected readonly servers: readonly SMTPServer[],
    private readonly perHost: number,
    private readonly isShort: () => boolean,
    private readonly counts: Counts,
  ) {
    this.watch = setInterval(() => this.dismissSilent(), CHECK_EVERY_MS).unref();
    sampled(counts.name, () => counts.open.set(this.open.size));
  }

  admit(session: SMTPServerSession, done: (error?: Error | null) => void): void {
    const { id } = session;
    const host = hostOf(session);
    const network = networkOf(session.remoteAddress);
    if (this.open.size >= MOST || this.hasEnough(host, network)) {
      this.counts.refused.inc();
      return done(TOO_MANY);
    }
    const timer = setTimeout(() => this.dismiss(id), LIFETIME_MS).unref();
    this.open.set(id, { host, network, timer, busy: false, waits: false, heard: { bytes: 0, at: Date.now() } });
    done();
  }

  forget({ id }: Pick<SMTPServerSession, 'id'>): void {
    clearTimeout(this.open.get(id)?.timer);
    this.open.delete(id);
  }

  /** Notes that a message is being received. */
  occupied({ id }: SMTPServerSession): void {
    const connection = this.open.get(id);
    if (connection) connection.busy = true;
  }

  /** Notes that it has been read to its end. */
  received({ id }: SMTPServerSession): void {
    const connection = this.open.get(id);
    if (connection) connection.waits = true;
  }

  /** Notes that it is answered. */
  answered({ id }: SMTPServerSession): void {
    const connection = this.open.get(id);
    if (connection) connection.busy = connection.waits = false;
    if (this.closing) this.dismiss(id);
  }

  /** Ends connections as soon as no message is being received on them; their clients come again. */
  dismissAll(): void {
    this.closing = true;
    clearInterval(this.watch);
    for (const [id, { busy }] of this.open) if (!busy) this.dismiss(id);
  }

  private get isCrowded(): boolean {
    return this.open.size >= CROWDED || this.isShort();
  }

  private hasEnough(host: string, network: string): boolean {
    const others = [...this.open.values()];
    if (this.isCrowded && others.some((other) => other.network === network)) return true;
    return others.filter((other) => other.host === host).length >= this.perHost;
  }

  private dismissSilent(): void {
    const now = Date.now();
    for (const connection of this.connected()) {
      const open = this.open.get(connection.session.id);
      if (!open) continue;
      const bytes = connection._socket.bytesRead;
      if (open.waits || bytes - open.heard.bytes >= FEW_WORDS) open.heard = { bytes, at: now };
      else if (this.isCrowded && now - open.heard.at >= PATIENCE_MS) farewell(connection);
    }
  }

  private dismiss(id: string): void {
    for (const connection of this.connected()) if (connection.session.id === id) farewell(connection);
  }

  private connected(): readonly Connection[] {
    return this.servers.flatMap((server) => [...(server.connections as unknown as Set<Connection>)]);
  }
}

function farewell(connection: Connection): void {
  connection.send(421, '4.3.2 Closing the connection');
  connection.close();
}
