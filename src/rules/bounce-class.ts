import { policyOf } from './policy-refusal';
import type { Policy } from './policy-refusal';
import { statusIn } from './reply-codes';
import { ruleFor } from './refusal-words';

/** The phase in which an SMTP transaction failed; `final_dot` begins when the end of the message may have been handed over. */
export type SmtpPhase =
  | 'connect'
  | 'greeting'
  | 'ehlo'
  | 'starttls'
  | 'auth'
  | 'mail'
  | 'rcpt'
  | 'data'
  | 'body'
  | 'final_dot'
  | 'accepted';

/** Whether a bounce suppresses its address and counts in reputation: at once, when such a bounce comes `again` for another message, or never. */
export type Suppresses = 'at_once' | 'again' | 'never';

/** A refusal for good. */
export interface Bounced {
  readonly kind: 'bounced';
  readonly bounceType: 'hard' | 'soft' | 'block';
  readonly suppresses: Suppresses;
}

/** The consequence of a failed attempt for the e-mail. `policy`: what the provider's rules for senders miss in it. */
export type DeliveryVerdict = ({ readonly kind: 'retry' } | { readonly kind: 'failed' } | Bounced) & { readonly policy?: Policy };

/** A mail system's refusal. */
export interface Refused {
  readonly phase: SmtpPhase;
  /** The basic reply code; null when there is none: network, time-out, TLS, or a report without it. */
  readonly code: number | null;
  /** The enhanced status code (RFC 3463), e.g. `5.1.1`. */
  readonly enhanced: string | null;
  readonly words: string;
}

const RETRY: DeliveryVerdict = { kind: 'retry' };
const FAILED: DeliveryVerdict = { kind: 'failed' };
const HARD: Bounced = { kind: 'bounced', bounceType: 'hard', suppresses: 'at_once' };
const HARD_WHEN_AGAIN: Bounced = { kind: 'bounced', bounceType: 'hard', suppresses: 'again' };
const SOFT: Bounced = { kind: 'bounced', bounceType: 'soft', suppresses: 'never' };
export const BLOCK: Bounced = { kind: 'bounced', bounceType: 'block', suppresses: 'never' };

const BY_CLASS = { hard: HARD, soft: SOFT, block: BLOCK } as const;

/** A refusal in one of these is about us or our route and says nothing about the recipient. */
const BEFORE_RECIPIENT: ReadonlySet<SmtpPhase> = new Set<SmtpPhase>(['connect', 'greeting', 'ehlo', 'starttls', 'auth', 'mail']);

const BY_STATUS: readonly (readonly [status: RegExp, verdict: Bounced])[] = [
  [/^5\.1\.(?:[1-6]|10)$/, HARD],
  [/^5\.2\.1$/, HARD],
  [/^5\.(?:2\.[23]|3\.4)$/, SOFT],
  [/^5\.[167]\./, BLOCK],
];
const RECIPIENT_CODES: ReadonlySet<number> = new Set([550, 551, 553]);
const MAILBOX_FULL = 552;

/** Decides what a failed attempt means (docs/delivery.md, Refusals). */
export function classifyFailure(failure: Refused, route: 'smarthost' | 'direct'): DeliveryVerdict {
  const policy = failure.phase === 'auth' ? null : policyOf(failure);
  const verdict = verdictOf(failure, route);
  if (policy === null) return verdict;
  return { ...(verdict.kind === 'bounced' ? BLOCK : verdict), policy };
}

function verdictOf(failure: Refused, route: 'smarthost' | 'direct'): DeliveryVerdict {
  if (failure.code === null || failure.code < 500) return RETRY;
  if (BEFORE_RECIPIENT.has(failure.phase)) return route === 'direct' ? FAILED : RETRY;
  return classifyRefusal(failure);
}

/** Decides what a refusal for good means: by the words, else by the enhanced code, else by the basic code and its phase. */
export function classifyRefusal({ phase, code, enhanced, words }: Refused): Bounced {
  if (BEFORE_RECIPIENT.has(phase)) return BLOCK;
  const status = enhanced ?? statusIn(words);
  const rule = ruleFor(words, status);
  if (rule) return BY_CLASS[rule.class];
  const byStatus = BY_STATUS.find(([of]) => status !== null && of.test(status));
  return byStatus ? byStatus[1] : byBasicCode(phase, code, status?.startsWith('5.') ?? false);
}

function byBasicCode(phase: SmtpPhase, code: number | null, hasStatus: boolean): Bounced {
  if (code === MAILBOX_FULL) return SOFT;
  return phase === 'rcpt' && !hasStatus && code !== null && RECIPIENT_CODES.has(code) ? HARD_WHEN_AGAIN : BLOCK;
}

const ENOUGH = 3;
const SPAN_MS = 3 * 86_400_000;
const AGAIN_MS = 3_600_000;

/** The outcome of a message to an address. */
export interface AddressOutcome {
  readonly kind: 'hard' | 'soft' | 'delivered';
  readonly at: Date;
}

/** Returns whether an address is given up: its last three soft bounces, or more, came over three days or longer, and nothing was delivered between. */
export function isGivenUp(outcomes: readonly AddressOutcome[]): boolean {
  const run = sinceDelivery(outcomes).filter(({ kind }) => kind === 'soft');
  const [last] = run;
  const first = run.at(-1);
  return run.length >= ENOUGH && last !== undefined && first !== undefined && last.at.getTime() - first.at.getTime() >= SPAN_MS;
}

/** Returns whether an address that is refused as unknown `at` had been so an hour ago or earlier, and nothing was delivered between. */
export const isRefusedAgain = (earlier: readonly AddressOutcome[], at: Date): boolean =>
  sinceDelivery(earlier).some((outcome) => outcome.kind === 'hard' && at.getTime() - outcome.at.getTime() >= AGAIN_MS);

/** Returns the outcomes since the last delivery, newest first. */
function sinceDelivery(outcomes: readonly AddressOutcome[]): readonly AddressOutcome[] {
  const newestFirst = [...outcomes].sort((a, b) => b.at.getTime() - a.at.getTime());
  const delivered = newestFirst.findIndex(({ kind }) => kind === 'delivered');
  return delivered < 0 ? newestFirst : newestFirst.slice(0, delivered);
}
