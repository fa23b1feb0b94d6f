import type { Email } from '../../records/emails';
import type { SmtpOutcome } from '../../message/smtp-client';
import type { BreakerTimes, Verdict } from '../../platform/async';

/** Given back once, when the attempt has ended. */
export type Leave = () => void;

/** `wait`: until something changes; `long` when it is not known that it will change soon, `all` when no message may be begun. `laterMs`: not before so long. */
export type Answer = { readonly go: Leave } | { readonly wait: 'soon' | 'long' | 'all' } | { readonly laterMs: number };

/** Says which messages may be begun, so that a destination that fails or dawdles keeps no lanes from the others, and no attempts are spent on it. */
export interface Gate {
  ask(email: Email): Answer;
  /** Whether campaign mail may be given lanes. */
  readonly open: boolean;
  /** Is called when an answer may have changed without a message ending. */
  changed: () => void;
}

/** A minute in all before the pauses are at their longest: the smarthost has all of the mail. */
export const SMARTHOST_TIMES: BreakerTimes = { pausesMs: [1_000, 2_000, 4_000, 8_000, 15_000], storm: 20, stormMs: 10_000 };
export const EXCHANGER_TIMES: BreakerTimes = {
  pausesMs: [15_000, 30_000, 60_000, 120_000, 300_000, 600_000, 900_000],
  storm: 20,
  stormMs: 60_000,
};

/** As far as these, nothing that was said concerned the message. */
const BEFORE_MAIL: ReadonlySet<string> = new Set(['connect', 'greeting', 'ehlo', 'starttls', 'auth']);

/** What an attempt says of the host. One that refuses a message for good is well. */
export function verdictOf(outcome: SmtpOutcome): Verdict {
  if (outcome.accepted) return 'well';
  const { cause, phase, reply } = outcome;
  if (reply) return verdictOfReply(reply.code, BEFORE_MAIL.has(phase));
  if (cause === 'timeout' || cause === 'refused') return 'gone';
  return cause === 'reset' ? 'busy' : 'other';
}

function verdictOfReply(code: number, beforeMail: boolean): Verdict {
  if (code === 421) return 'gone';
  if (code < 500) return 'busy';
  return beforeMail ? 'other' : 'well';
}
