import { isIP } from 'node:net';
import type { MailFeed, SmtpObserver, SmtpOutcome, SmtpRoute, SmtpTimeouts } from '@lettermill/smtp';
import type { ExchangeBook, Route } from '../exchangers';
import type { Destinations } from './destinations';
import { KeptConnection } from './transport';
import type { OwnedEnvelope, OwnedMail, Transport } from './transport';
import { failedBeforeMail, notBegun } from './verdicts';
import type { Failure } from './verdicts';

type Way = Pick<SmtpRoute, 'host' | 'tls'> & { readonly most?: number | undefined };

/** An address of an exchanger, and after how many messages a connection to it is closed. */
interface Reached {
  readonly address: string;
  readonly most: number | undefined;
}

export interface DirectOptions {
  /** Our name in EHLO. */
  readonly clientName: string;
  readonly mayWrite: () => boolean;
  /** Idle connections that are kept open, at most. */
  readonly keep: number;
  readonly port?: number;
  /** The address of this machine that connections come from. */
  readonly sourceAddress?: string | undefined;
  /** Returns after how many messages a connection to an exchanger is closed. */
  readonly mostOver?: ((exchanger: string) => number | undefined) | undefined;
  readonly timeouts?: Partial<SmtpTimeouts>;
  /** Knows which exchangers are left alone now. */
  readonly destinations?: Destinations;
  readonly observer?: SmtpObserver;
}

const SMTP_PORT = 25;

/** Addresses that one attempt tries, at most (RFC 5321, section 5.1). */
const ADDRESSES = 5;

/**
 * Hands mail to the exchangers of its recipients' domains (`SMTP_URL=direct:`; RFC 5321, section 5), with TLS where they offer it. The lanes share it:
 * a connection that one of them opened serves the next message to the same exchanger, of any project.
 */
export class DirectTransport implements Transport {
  private readonly all = new Set<KeptConnection>();
  private readonly idle = new Map<string, readonly KeptConnection[]>();
  private readonly eldestFirst = new Map<KeptConnection, string>();

  constructor(
    private readonly book: ExchangeBook,
    private readonly options: DirectOptions,
  ) {}

  async send(envelope: OwnedEnvelope, message: string): Promise<SmtpOutcome> {
    const route = await this.book.routeTo(envelope.to.slice(envelope.to.lastIndexOf('@') + 1));
    return route.kind === 'hosts' ? this.toFirst(route.hosts, envelope, message) : unreachable(route);
  }

  /** Sends the mail of a feed, each message by its own route. */
  async stream<M extends OwnedMail>(feed: MailFeed<M>): Promise<void> {
    for (let mail = feed.next(); mail !== undefined; mail = feed.next()) {
      const message = await wholeText(mail);
      feed.done(mail, message === null ? UNFIT : await this.send(mail.envelope, message));
    }
  }

  async close(): Promise<void> {
    const open = [...this.all];
    this.forgetAll();
    await Promise.all(open.map((connection) => connection.close()));
  }

  destroy(): void {
    const open = [...this.all];
    this.forgetAll();
    for (const connection of open) connection.destroy();
  }

  /** Tries exchangers in order; the first one that gets as far as the envelope decides. */
  private async toFirst(hosts: readonly string[], envelope: OwnedEnvelope, message: string): Promise<SmtpOutcome> {
    let last: SmtpOutcome = cutOff('none of the mail exchangers has an address that may be connected to');
    let left = ADDRESSES;
    for (const host of this.asked(hosts)) {
      if (left === 0) break;
      for (const address of this.reachable(await this.book.addressesOf(host)).slice(0, left)) {
        last = await this.to({ address, most: this.options.mostOver?.(host) }, envelope, message);
        this.options.destinations?.note(host, envelope, last);
        if (!mayAskNext(last)) return last;
        left--;
      }
    }
    return last;
  }

  /** Leaves out addresses that cannot be connected to from the source address. */
  private reachable(addresses: readonly string[]): readonly string[] {
    const { sourceAddress } = this.options;
    return sourceAddress === undefined ? addresses : addresses.filter((address) => isIP(address) === isIP(sourceAddress));
  }

  /** Leaves out exchangers that are left alone; keeps all when none would remain. */
  private asked(hosts: readonly string[]): readonly string[] {
    const { destinations } = this.options;
    const ready = destinations ? hosts.filter((host) => destinations.restMs(host) === 0) : hosts;
    return ready.length > 0 ? ready : hosts;
  }

  /** Sends in plain text where the TLS handshake fails: opportunistic TLS authenticates no one, so plain text is no worse than no delivery (RFC 7435). */
  private async to({ address, most }: Reached, envelope: OwnedEnvelope, message: string): Promise<SmtpOutcome> {
    const plain = { host: address, tls: 'off', most } as const;
    if (this.idle.has(keyOf(plain))) return this.over(plain, envelope, message);
    const outcome = await this.over({ host: address, tls: 'opportunistic', most }, envelope, message);
    const handshake = !outcome.accepted && outcome.phase === 'starttls' && outcome.cause !== 'lease';
    return handshake ? this.over(plain, envelope, message) : outcome;
  }

  private async over(way: Way, envelope: OwnedEnvelope, message: string): Promise<SmtpOutcome> {
    const connection = this.take(keyOf(way)) ?? this.connect(way);
    const outcome = await connection.send(envelope, message);
    const isWorn = way.most !== undefined && connection.sent >= way.most;
    if (connection.open && this.all.has(connection) && !isWorn) this.keep(keyOf(way), connection);
    else this.all.delete(connection);
    if (isWorn) void connection.close();
    return outcome;
  }

  private connect(way: Way): KeptConnection {
    const { clientName, mayWrite, port = SMTP_PORT, timeouts, sourceAddress, observer } = this.options;
    const { host, tls } = way;
    const route: SmtpRoute = { host, tls, port, implicitTls: false, auth: null, localAddress: sourceAddress };
    const connection = new KeptConnection(
      { route, clientName, mayWrite, ...(timeouts && { timeouts }), ...(observer && { observer }) },
      () => this.forget(connection),
    );
    this.all.add(connection);
    return connection;
  }

  private take(key: string): KeptConnection | undefined {
    const connection = this.idle.get(key)?.at(-1);
    if (connection) this.leave(connection, key);
    return connection;
  }

  private keep(key: string, connection: KeptConnection): void {
    this.idle.set(key, [...(this.idle.get(key) ?? []), connection]);
    this.eldestFirst.set(connection, key);
    const [eldest] = this.eldestFirst.keys();
    if (!eldest || this.eldestFirst.size <= this.options.keep) return;
    this.forget(eldest);
    void eldest.close();
  }

  private leave(connection: KeptConnection, key: string): void {
    this.eldestFirst.delete(connection);
    const others = (this.idle.get(key) ?? []).filter((other) => other !== connection);
    if (others.length > 0) this.idle.set(key, others);
    else this.idle.delete(key);
  }

  private forget(connection: KeptConnection): void {
    this.all.delete(connection);
    const key = this.eldestFirst.get(connection);
    if (key !== undefined) this.leave(connection, key);
  }

  private forgetAll(): void {
    this.all.clear();
    this.idle.clear();
    this.eldestFirst.clear();
  }
}

/** Resolves to a message as text once it is ready; null when it could not be composed. */
async function wholeText(mail: OwnedMail): Promise<string | null> {
  await mail.ready;
  try {
    return mail.message();
  } catch {
    return null;
  }
}

const keyOf = ({ host, tls }: Way): string => `${host}/${tls}`;

/** Returns whether the next exchanger may be tried: the failure came before the envelope. */
const mayAskNext = (outcome: SmtpOutcome): boolean =>
  failedBeforeMail(outcome) && !outcome.accepted && outcome.cause !== 'lease' && (outcome.reply === null || outcome.reply.code < 500);

const cutOff = (why: string): Failure => notBegun(`failed at connect: ${why}`);

const UNFIT = notBegun('The message could not be composed');

function unreachable(route: Exclude<Route, { kind: 'hosts' }>): Failure {
  if (route.kind === 'unknown') return cutOff('the mail exchangers could not be looked up');
  const { reply } = route;
  return { accepted: false, phase: 'rcpt', cause: 'reply', reply, inDoubt: false, message: `refused by the domain: ${reply.code}` };
}
