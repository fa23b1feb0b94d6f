/** How far an SMTP transaction had come when it failed; `final_dot` begins when the end of the message may have been handed over. */
export type SmtpPhase =
  'connect' | 'greeting' | 'ehlo' | 'starttls' | 'auth' | 'mail' | 'rcpt' | 'data' | 'body' | 'final_dot' | 'accepted';

/** What a failed attempt means for the e-mail; `suppress` also says whether it counts in the sender's reputation. */
export type DeliveryVerdict =
  | { readonly kind: 'retry' }
  | { readonly kind: 'failed' }
  | { readonly kind: 'bounced'; readonly bounceType: 'hard' | 'soft' | 'block'; readonly suppress: boolean };

interface DeliveryFailure {
  readonly phase: SmtpPhase;
  /** The basic reply code; null when no reply came: network, time-out, TLS. */
  readonly code: number | null;
  /** The enhanced status code (RFC 3463), e.g. `5.1.1`. */
  readonly enhanced: string | null;
}

const RETRY: DeliveryVerdict = { kind: 'retry' };
const FAILED: DeliveryVerdict = { kind: 'failed' };
const HARD: DeliveryVerdict = { kind: 'bounced', bounceType: 'hard', suppress: true };
const SOFT: DeliveryVerdict = { kind: 'bounced', bounceType: 'soft', suppress: false };
const BLOCK: DeliveryVerdict = { kind: 'bounced', bounceType: 'block', suppress: false };

/** A refusal in one of these is about us or our route and says nothing about the recipient. */
const BEFORE_RECIPIENT: ReadonlySet<SmtpPhase> = new Set<SmtpPhase>(['connect', 'greeting', 'ehlo', 'starttls', 'auth', 'mail']);

/** Status codes whose meaning differs from the rest of their subject (`5.1`, `5.2` ...). */
const BY_STATUS: ReadonlyMap<string, DeliveryVerdict> = new Map([
  ['5.1.7', BLOCK],
  ['5.1.8', BLOCK],
  ['5.2.1', HARD],
  ['5.2.2', SOFT],
  ['5.2.3', SOFT],
  ['5.3.4', SOFT],
]);
const BY_SUBJECT: ReadonlyMap<string, DeliveryVerdict> = new Map([
  ['5.1', HARD],
  ['5.6', BLOCK],
  ['5.7', BLOCK],
]);
const RECIPIENT_CODES: ReadonlySet<number> = new Set([550, 551, 553]);
const MAILBOX_FULL = 552;

/**
 * Decides what a failed attempt means (docs/delivery.md, Refusals). Order: who refused, then the enhanced code, then the
 * basic code with its phase. A delivery report has no basic code: give its status as `enhanced` with `code` null and phase `rcpt`.
 */
export function classifyFailure(failure: DeliveryFailure, route: 'smarthost' | 'direct'): DeliveryVerdict {
  const enhanced = parseStatus(failure.enhanced);
  if (replyClass(failure.code, enhanced) !== 5) return RETRY;
  if (BEFORE_RECIPIENT.has(failure.phase)) return route === 'direct' ? FAILED : RETRY;
  if (enhanced !== null && enhanced.class === 5) {
    const verdict = BY_STATUS.get(enhanced.status) ?? BY_SUBJECT.get(enhanced.subject);
    if (verdict !== undefined) return verdict;
  }
  return byBasicCode(failure, enhanced !== null && enhanced.class === 5);
}

interface EnhancedStatus {
  readonly class: number;
  readonly subject: string;
  readonly status: string;
}

function parseStatus(enhanced: string | null): EnhancedStatus | null {
  const match = /^([245])\.(\d{1,3})\.(\d{1,3})$/.exec(enhanced ?? '');
  return match === null ? null : { class: Number(match[1]), subject: `${match[1]}.${match[2]}`, status: match[0] };
}

/** Classifies by the basic code first (RFC 5321 4.2.1): a 4xx with a 5.x.x in its text is still temporary. */
function replyClass(code: number | null, enhanced: EnhancedStatus | null): number | null {
  return code === null ? (enhanced?.class ?? null) : Math.floor(code / 100);
}

function byBasicCode(failure: DeliveryFailure, hasEnhanced: boolean): DeliveryVerdict {
  if (failure.code === MAILBOX_FULL) return SOFT;
  const namesRecipient = failure.phase === 'rcpt' && !hasEnhanced && failure.code !== null && RECIPIENT_CODES.has(failure.code);
  return namesRecipient ? HARD : BLOCK;
}
