import type { SmtpOutcome } from '@lettermill/smtp';
import type { Verdict } from '../../platform/fair';

/** A failure in one of these phases is the server's. One in a later phase may be due to the sender or the recipient, which other mail has nothing to do with. */
const BEFORE_MAIL: ReadonlySet<string> = new Set(['connect', 'greeting', 'ehlo', 'starttls', 'auth']);

/** A failed attempt. */
export type Failure = Extract<SmtpOutcome, { readonly accepted: false }>;

/** Returns the outcome of a message that was not begun. */
export const notBegun = (message: string): Failure => ({
  accepted: false,
  phase: 'connect',
  cause: 'refused',
  reply: null,
  inDoubt: false,
  message,
});

/** Returns whether the server had heard nothing of the message when its attempt failed. */
export const failedBeforeMail = (outcome: SmtpOutcome): boolean => !outcome.accepted && BEFORE_MAIL.has(outcome.phase);

/** Judges a mail server by an attempt: any answer to the envelope means that it is healthy, unless it ends the connection. */
export function verdictOfServer(outcome: SmtpOutcome): Verdict {
  if (failedBeforeMail(outcome)) return verdictOf(outcome);
  return outcome.accepted || (outcome.reply && outcome.reply.code !== CLOSING) ? 'well' : 'other';
}

/** Checks by an attempt how a server treats mail of a project to a domain: only by what comes after the server knows of either. */
export const verdictOfFlow = (outcome: SmtpOutcome): Verdict => (failedBeforeMail(outcome) ? 'other' : verdictOf(outcome));

const CLOSING = 421;

function verdictOf(outcome: SmtpOutcome): Verdict {
  if (outcome.accepted) return 'well';
  const { cause, reply } = outcome;
  if (reply) return verdictOfReply(reply.code, failedBeforeMail(outcome));
  if (cause === 'timeout' || cause === 'refused') return 'gone';
  return cause === 'reset' ? 'busy' : 'other';
}

function verdictOfReply(code: number, beforeMail: boolean): Verdict {
  if (code === CLOSING) return 'gone';
  if (code < 500) return 'busy';
  return beforeMail ? 'other' : 'well';
}
