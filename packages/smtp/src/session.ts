import type { ServerReply } from './reply';
import { expectClass } from './transaction';
import type { SmtpPhase } from './transaction';
import { isLoopback } from './url';
import type { SmtpRoute } from './url';
import { SmtpWire, WireFailure } from './wire';

/** Receives the start, readiness and end of each connection, for metrics. Its functions must not throw. */
export interface SmtpObserver {
  /** A connection was begun. It counts as open until `ended`. */
  readonly began: () => void;
  /** The connection is ready for messages, or could not be made. */
  readonly tried: (result: 'opened' | 'failed') => void;
  readonly ended: () => void;
}

/** Milliseconds, each for the whole of its phase. */
export interface SmtpTimeouts {
  /** TCP, and TLS where it is implicit. */
  readonly connect: number;
  readonly greeting: number;
  /** Each command, STARTTLS with its handshake. */
  readonly command: number;
  /** The message up to its end. */
  readonly dataBlock: number;
  /** The reply to the final dot. */
  readonly finalDot: number;
}

/** Shorter than RFC 5321 4.5.3.2 suggests: trying a message again later is better than a long wait. */
export const TIMEOUTS: SmtpTimeouts = { connect: 15_000, greeting: 30_000, command: 60_000, dataBlock: 180_000, finalDot: 120_000 };

/** A connection that is greeted, secured and authenticated. */
export interface SmtpSession {
  readonly wire: SmtpWire;
  pipelining: boolean;
  /** Delivery reports are wanted, and the server accepts requests for them (RFC 3461). */
  reports: boolean;
  /** The server takes characters of eight bits (RFC 6152). */
  eightBitMime: boolean;
}

interface SessionEvents {
  readonly mayWrite: () => boolean;
  readonly wantsReports: boolean;
  /** The connection exists from here on, ready or not. */
  readonly opened: (session: SmtpSession) => void;
  readonly reached: (phase: SmtpPhase) => void;
}

/** Unknown command, syntax, not implemented (RFC 5321 3.2): an old server, which needs HELO. */
const EHLO_UNKNOWN: ReadonlySet<number> = new Set([500, 501, 502, 504]);

/** Connects, greets, secures and authenticates. Throws Refusal or WireFailure; the phase last reached says where. */
export async function openSession(route: SmtpRoute, clientName: string, timeouts: SmtpTimeouts, events: SessionEvents): Promise<void> {
  events.reached('connect');
  const wire = new SmtpWire(route, events.mayWrite);
  const session: SmtpSession = { wire, pipelining: false, reports: false, eightBitMime: false };
  events.opened(session);
  await wire.established(timeouts.connect);
  events.reached('greeting');
  expectClass(await wire.read(timeouts.greeting), 2);
  const talk: Talk = { wire, route, clientName: clientName.replace(/[^\x21-\x7e]/g, '') || 'localhost', timeouts, events };
  events.reached('ehlo');
  let extensions = await greet(talk);
  if (await startTls(talk, extensions)) {
    events.reached('ehlo');
    extensions = await greet(talk);
  }
  await authenticate(talk, extensions);
  session.pipelining = extensions.has('PIPELINING');
  session.eightBitMime = extensions.has('8BITMIME');
  session.reports = events.wantsReports && extensions.has('DSN');
}

interface Talk {
  readonly wire: SmtpWire;
  readonly route: SmtpRoute;
  readonly clientName: string;
  readonly timeouts: SmtpTimeouts;
  readonly events: SessionEvents;
}

type Extensions = ReadonlyMap<string, string>;

async function ask({ wire, timeouts }: Talk, command: string): Promise<ServerReply> {
  if (!wire.quiet) throw new WireFailure('protocol', 'the server answered before it was asked');
  wire.write(`${command}\r\n`);
  return wire.read(timeouts.command);
}

async function greet(talk: Talk): Promise<Extensions> {
  const reply = await ask(talk, `EHLO ${talk.clientName}`);
  if (EHLO_UNKNOWN.has(reply.code)) {
    expectClass(await ask(talk, `HELO ${talk.clientName}`), 2);
    return new Map();
  }
  expectClass(reply, 2);
  return new Map(reply.lines.slice(1).map(readExtension));
}

/** Splits an extension line; some old servers write `AUTH=PLAIN`. */
function readExtension(line: string): [string, string] {
  const [keyword = '', ...parameters] = line.trim().split(/[\s=]+/);
  return [keyword.toUpperCase(), parameters.join(' ').toUpperCase()];
}

async function startTls(talk: Talk, extensions: Extensions): Promise<boolean> {
  const { route, events, wire, timeouts } = talk;
  if (route.implicitTls || route.tls === 'off') return false;
  const offered = extensions.has('STARTTLS');
  if (!offered && route.tls === 'opportunistic') return false;
  events.reached('starttls');
  if (!offered) throw new WireFailure('tls', 'the server does not offer STARTTLS and the route demands TLS');
  expectClass(await ask(talk, 'STARTTLS'), 2);
  await wire.secure(timeouts.command);
  return true;
}

async function authenticate(talk: Talk, extensions: Extensions): Promise<void> {
  const { auth } = talk.route;
  if (auth === null) return;
  talk.events.reached('auth');
  if (!mayShowPassword(talk)) throw new WireFailure('tls', 'the password is not sent without TLS; use tls=off to allow it');
  const mechanisms = (extensions.get('AUTH') ?? '').split(' ');
  if (mechanisms.includes('PLAIN')) return authenticatePlain(talk, auth);
  if (mechanisms.includes('LOGIN')) return authenticateLogin(talk, auth);
  throw new WireFailure('protocol', 'the server offers neither AUTH PLAIN nor AUTH LOGIN');
}

function mayShowPassword({ wire, route }: Talk): boolean {
  return wire.encrypted || route.tls === 'off' || isLoopback(route.host);
}

/** Authenticates with PLAIN (RFC 4616). */
async function authenticatePlain(talk: Talk, auth: { readonly user: string; readonly pass: string }): Promise<void> {
  expectClass(await ask(talk, `AUTH PLAIN ${base64(`\0${auth.user}\0${auth.pass}`)}`), 2);
}

async function authenticateLogin(talk: Talk, auth: { readonly user: string; readonly pass: string }): Promise<void> {
  expectClass(await ask(talk, 'AUTH LOGIN'), 3);
  expectClass(await ask(talk, base64(auth.user)), 3);
  expectClass(await ask(talk, base64(auth.pass)), 2);
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');
