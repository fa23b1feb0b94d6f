import { AppError } from '../../../platform/core';
import type { GivenFault } from '../../../message/given';
import { Refusal, TRY_LATER } from '../refusal';

export const MUST_SECURE = '5.7.0 Must issue a STARTTLS command first';
export const MUST_AUTHENTICATE = 'Authentication required: the password is an API key';
export const WRONG_KEY = '5.7.8 Authentication failed';
export const NOT_READY = new Refusal(454, '4.7.0 Temporary authentication failure, try again later');
export const TOO_MANY_FAILURES = new Refusal(421, '4.7.0 Too many failed sign-ins from this address, try again in a minute');
export const BAD_RECIPIENT = new Refusal(553, '5.1.3 The recipient is not a valid address');
export const SUPPRESSED = new Refusal(550, '5.1.1 The recipient is suppressed');
export const BAD_AUTHOR = new Refusal(550, '5.1.7 The message needs one From field with one valid address');
export const TEXT_TOO_LARGE = new Refusal(552, '5.3.4 A text of the message is larger than 1 MiB');

/** Returns the refusal of a message whose control headers are wrong. */
export const badControl = (name: string, why: string): Refusal => new Refusal(550, `5.6.0 ${name}: ${why}`);

const FAULTS: Readonly<Record<GivenFault, string>> = {
  bare_line_break: 'A line does not end in CRLF: bare CR and LF are refused',
  long_line: 'A line is longer than 998 characters',
  bad_head: 'A line of the header is no field',
  bad_address: 'An address in the header has no ASCII form',
  nul: 'The message has a NUL character',
};

/** Returns the refusal of a message that cannot go out as it is. */
export const refusalOfGiven = (fault: GivenFault): Refusal => new Refusal(554, `5.6.0 ${FAULTS[fault]}`);

/** The replies for refusals of the API. */
const REPLIES: Partial<Readonly<Record<AppError['code'], readonly [code: number, enhanced: string]>>> = {
  rate_limited: [451, '4.7.1'],
  idempotency_in_progress: [451, '4.3.0'],
  payload_too_large: [552, '5.3.4'],
  send_failed: [550, '5.6.0'],
  validation_error: [550, '5.6.0'],
};

/** Turns what the API would answer into a reply; null for a failure that is nobody's fault outside. */
export function replyFor(error: unknown): Refusal | null {
  if (error instanceof Refusal) return error;
  if (!(error instanceof AppError)) return null;
  const [detail] = error.details;
  const text = detail?.message ?? error.message;
  if (detail?.code === 'unverified_domain') return new Refusal(550, `5.7.1 ${text}`);
  const [code, enhanced] = REPLIES[error.code] ?? [TRY_LATER.responseCode, '4.3.0'];
  return new Refusal(code, `${enhanced} ${text}`);
}
