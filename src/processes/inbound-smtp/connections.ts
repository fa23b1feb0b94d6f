import type { SMTPServer, SMTPServerSession } from 'smtp-server';
import { clientOf } from '../../platform/addresses';
import { metrics, sampled } from '../../platform/metrics';
import { Refusal } from './refusal';

const MOST = 500;
/** Longer than any honest client needs for what one connection may bring. */
const LIFETIME_MS = 30 * 60_000;

const TOO_MANY = new Refusal(421, '4.7.0 Too many connections, try again later');

interface Connection {
  readonly session: { readonly id: string };
  send(code: number, text: string): void;
  close(): void;
}

interface Open {
  readonly host: string;
  readonly timer: NodeJS.Timeout;
  busy: boolean;
}

/** Returns the sending host of a connection: an IPv4 address, or the /64 of an IPv6 address. */
export const hostOf = ({ remoteAddress }: Pick<SMTPServerSession, 'remoteAddress'>): string => clientOf(remoteAddress);

/** Who is connected: at most 500 at once, so many of them from one host, each for half an hour. */
export class Connections {
  private readonly open = new Map<string, Open>();
  private closing = false;

  constructor(
    private readonly server: SMTPServer,
    private readonly perHost: number,
  ) {
    sampled('inbound', () => metrics.inboundConnections.set(this.open.size));
  }

  admit(session: SMTPServerSession, done: (error?: Error | null) => void): void {
    const { id } = session;
    const host = hostOf(session);
    const ofHost = [...this.open.values()].filter((other) => other.host === host).length;
    if (this.open.size >= MOST || ofHost >= this.perHost) {
      metrics.inboundRefused.inc();
      return done(TOO_MANY);
    }
    const timer = setTimeout(() => this.dismiss(id), LIFETIME_MS).unref();
    this.open.set(id, { host, timer, busy: false });
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

  /** Notes that it is answered. */
  answered({ id }: SMTPServerSession): void {
    const connection = this.open.get(id);
    if (connection) connection.busy = false;
    if (this.closing) this.dismiss(id);
  }

  /** Ends connections as soon as no message is being received on them; their clients come again. */
  dismissAll(): void {
    this.closing = true;
    for (const [id, { busy }] of this.open) if (!busy) this.dismiss(id);
  }

  private dismiss(id: string): void {
    for (const connection of [...(this.server.connections as unknown as Set<Connection>)]) {
      if (connection.session.id !== id) continue;
      connection.send(421, '4.3.2 Closing the connection');
      connection.close();
    }
  }
}
