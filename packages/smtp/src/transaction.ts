import type { ServerReply } from './reply';
import { WireFailure } from './wire';
import type { SmtpWire, WireCause } from './wire';

/*
 * The parts of one message's transaction (RFC 5321 3.3), in their order: the envelope, the commands, the replies, the data, and the outcome.
 * `connection.ts` exchanges them with a server.
 */

/** The phase in which a message failed; `final_dot` begins when its end may have been handed over. */
export type SmtpPhase = 'connect' | 'greeting' | 'ehlo' | 'starttls' | 'auth' | 'mail' | 'rcpt' | 'data' | 'body' | 'final_dot';

/** The recipient of a message, and the address to which bounces return. */
export interface Envelope {
  readonly from: string;
  readonly to: string;
  /** True of a message with characters of eight bits, which is announced to servers that offer 8BITMIME (RFC 6152). */
  readonly eightBit?: boolean | undefined;
}

const MAXIMUM_ADDRESS = 254;

/**
 * Returns why an address cannot go into an envelope, or null. Only printable ASCII without spaces and angle brackets passes, so an address can neither
 * end its command nor need SMTPUTF8 (RFC 6531), which is not supported. The text does not contain the address.
 */
function addressFault(address: string): string | null {
  if (address.length > MAXIMUM_ADDRESS) return 'the address is longer than 254 characters';
  if (/[^\x21-\x7e]/.test(address)) return 'the address has a character outside printable ASCII';
  if (/[<>]/.test(address)) return 'the address has an angle bracket';
  const at = address.lastIndexOf('@');
  return at > 0 && at < address.length - 1 ? null : 'the address lacks a local part or a domain';
}

/** Returns why an envelope cannot be sent; null when it can. */
export function unfitEnvelope({ from, to }: Envelope): SmtpFailure | null {
  const sender = from === '' ? null : addressFault(from);
  const fault = sender ?? addressFault(to);
  if (fault === null) return null;
  const phase = sender === null ? 'rcpt' : 'mail';
  return { accepted: false, phase, cause: 'protocol', reply: null, inDoubt: false, message: `failed at ${phase}: ${fault}` };
}

/** The commands that are pipelined in one write. */
export const GROUP = ['mail', 'rcpt', 'data'] as const;

/** The extensions of a server that change the commands of a message. */
interface Offered {
  readonly reports: boolean;
  readonly eightBitMime?: boolean;
}

/** Lists the commands of a message, in their order; with `reports`, a delivery report is asked for (RFC 3461). */
export const commandsFor = (
  { reports, eightBitMime }: Offered,
  { from, to, eightBit }: Envelope,
): readonly [mail: string, rcpt: string, data: string] => [
  `MAIL FROM:<${from}>${reports ? ' RET=HDRS' : ''}${eightBit && eightBitMime ? ' BODY=8BITMIME' : ''}`,
  `RCPT TO:<${to}>${reports ? ' NOTIFY=SUCCESS,FAILURE' : ''}`,
  'DATA',
];

/** Returns the commands of a message for one write. */
export const groupFor = (session: Offered, envelope: Envelope): string => `${commandsFor(session, envelope).join('\r\n')}\r\n`;

const START_MAIL_INPUT = 354;
/** The service closes the connection (RFC 5321 3.8). */
const CLOSING = 421;

/** A refusal here leaves a connection that can carry the next message after RSET. */
export const GROUP_OR_DOT: ReadonlySet<SmtpPhase> = new Set<SmtpPhase>([...GROUP, 'final_dot']);

/** The server answered 4xx or 5xx. */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  constructor(readonly reply: ServerReply) {
    super(`refused with ${reply.code}`);
  }

  get closes(): boolean {
    return this.reply.code === CLOSING;
  }
}

/** Throws Refusal for a 4xx or 5xx, WireFailure for any other class than the wanted one (null: none is). */
export function expectClass(reply: ServerReply, wanted: 2 | 3 | null): void {
  const found = Math.floor(reply.code / 100);
  if (found === wanted) return;
  if (found >= 4) throw new Refusal(reply);
  throw new WireFailure('protocol', `the server answered out of turn with ${reply.code}`);
}

/** Throws a `WireFailure` unless a reply to RSET is positive. */
export function expectReset(reply: ServerReply): void {
  if (Math.floor(reply.code / 100) !== 2) throw new WireFailure('reset', 'the server did not reset the last transaction');
}

/** Throws unless the reply lets the next command of the group follow. */
export function expectAnswer(phase: (typeof GROUP)[number], reply: ServerReply): void {
  if (phase === 'data' && reply.code === START_MAIL_INPUT) return;
  expectClass(reply, phase === 'data' ? null : 2);
}

/**
 * Reads the replies to the rest of a refused group. A 354 nevertheless (RFC 2920 3.1) is ended by a lone dot when the recipient was refused; when it was
 * taken, the dot would send an empty message, so the connection has to end instead. Resolves to whether it can be used on.
 */
export async function endRefused(wire: SmtpWire, refused: (typeof GROUP)[number], timeoutMs: number): Promise<boolean> {
  try {
    const rcpt = refused === 'mail' ? await wire.read(timeoutMs) : null;
    const data = refused === 'data' ? null : await wire.read(timeoutMs);
    if (data?.code !== START_MAIL_INPUT) return true;
    if (rcpt !== null && rcpt.code < 400) return false;
    wire.write('.\r\n');
    await wire.read(timeoutMs);
    return true;
  } catch (error) {
    if (error instanceof WireFailure) return false;
    throw error;
  }
}

const CRLF = '\r\n';
const CRLF_DOT = '\r\n.';

/** A message up to this size is one piece; a longer one goes in several, so that its encoded form is never in memory as a whole. */
const PIECE = 64 * 1024;

/** The data of a message as pieces that are written one after another. */
export interface WireData {
  /** All pieces but the last. */
  readonly before: readonly string[];
  readonly last: string;
  /** The end of the data (RFC 5321 4.1.1.4), to go out in one write with `last`. */
  readonly end: string;
}

/** Encodes a message for the wire after DATA, dot-stuffed (RFC 5321 4.5.2). `message` has CRLF line ends. */
export function toWireData(message: string): WireData {
  const data = stuffed(message);
  const before: string[] = [];
  let from = 0;
  // A CRLF at the end is half of the end of the data.
  while (data.length - from > PIECE + CRLF.length) {
    before.push(data.slice(from, from + PIECE));
    from += PIECE;
  }
  const last = from === 0 ? data : data.slice(from);
  return {
    before,
    last,
    end: data === '' || data.endsWith(CRLF) ? '.\r\n' : '\r\n.\r\n',
  };
}

function stuffed(message: string): string {
  const within = message.includes(CRLF_DOT) ? message.replaceAll(CRLF_DOT, `${CRLF_DOT}.`) : message;
  return within.startsWith('.') ? `.${within}` : within;
}

/** The outcome of an SMTP transaction. */
export type SmtpOutcome =
  | { readonly accepted: true; readonly reply: SmtpReply }
  | {
      readonly accepted: false;
      readonly phase: SmtpPhase;
      readonly cause: 'reply' | WireCause;
      readonly reply: SmtpReply | null;
      /** The final dot may have reached the server and no reply came. */
      readonly inDoubt: boolean;
      /** Describes the failure without addresses and without the server's text. */
      readonly message: string;
    };

export type SmtpFailure = Extract<SmtpOutcome, { accepted: false }>;

/** A reply as it is reported and stored. */
export interface SmtpReply {
  readonly code: number;
  /** The enhanced status code (RFC 2034) of the first line that has one. */
  readonly enhanced: string | null;
  /** All lines joined by `\n`, cut to 1,000 characters. */
  readonly text: string;
}

const MAXIMUM_TEXT = 1000;

const repliesKnown = new WeakMap<ServerReply, SmtpReply>();

/** Converts a reply to its reported and stored form, once for each reply object: a server says the same of most messages. */
export function replyOf(reply: ServerReply): SmtpReply {
  const known = repliesKnown.get(reply);
  if (known) return known;
  const enhanced = reply.lines.map((line) => /^[245]\.\d{1,3}\.\d{1,3}(?=\s|$)/.exec(line)?.[0]).find((status) => status !== undefined);
  const text = reply.lines
    .join('\n')
    .slice(0, MAXIMUM_TEXT)
    .replace(/[^\n\P{Cc}]/gu, ' ');
  const made = { code: reply.code, enhanced: enhanced ?? null, text };
  repliesKnown.set(reply, made);
  return made;
}

/** Returns the outcome of a message that was refused. */
export function refusedAt(phase: SmtpPhase, answer: ServerReply): SmtpFailure {
  const reply = replyOf(answer);
  const status = reply.enhanced === null ? '' : ` ${reply.enhanced}`;
  return { accepted: false, phase, cause: 'reply', reply, inDoubt: false, message: `refused at ${phase}: ${reply.code}${status}` };
}

/** Returns the outcome of a message whose connection ended. */
export function cutOffAt(phase: SmtpPhase, error: unknown): SmtpFailure {
  const cause = error instanceof WireFailure ? error.reason : 'protocol';
  const message = error instanceof Error ? error.message : 'unknown failure';
  return { accepted: false, phase, cause, reply: null, inDoubt: phase === 'final_dot', message: `failed at ${phase}: ${message}` };
}

/** Returns whether the connection was closed while idle, before anything of the message was sent. */
export function wasStale(outcome: SmtpOutcome): boolean {
  if (outcome.accepted || outcome.phase !== 'mail') return false;
  return outcome.cause === 'reset' || outcome.reply?.code === CLOSING;
}
