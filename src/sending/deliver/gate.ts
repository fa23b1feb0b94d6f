import type { Email } from '../../records/emails';
import type { SmtpOutcome } from '../../message/smtp-client';
import type { BreakerTimes, Verdict } from '../../platform/async';

/** Ends the permission to send; called once, when the attempt has ended. */
export type Leave = () => void;

/** `wait`: until something changes; `long` when that may not be soon, `all` when no message may be begun. `laterMs`: not before so many milliseconds. */
export type Answer = { readonly go: Leave } | { readonly wait: 'soon' | 'long' | 'all' } | { readonly laterMs: number };

/** Decides which messages may be begun, so that a failing or slow destination takes no lanes from the others and costs no attempts. */
export interface Gate {
  ask(email: Email): Answer;
  /** Whether campaign mail may be given lanes. */
  readonly open: boolean;
  /** Is called when an answer may have changed without a message ending. */
  changed: () => void;
}

/** Short pauses, as all mail depends on the smarthost. */
export const SMARTHOST_TIMES: BreakerTimes = { pausesMs: [1_000, 2_000, 4_000, 8_000, 15_000], storm: 20, stormMs: 10_000 };
export const EXCHANGER_TIMES: BreakerTimes = {
  pausesMs: [15_000, 30_000, 60_000, 120_000, 300_000, 600_000, 900_000],
  storm: 20,
  stormMs: 60_000,
};

/** A failure in one of these phases does not concern the message. */
const BEFORE_MAIL: ReadonlySet<string> = new Set(['connect', 'greeting', 'ehlo', 'starttls', 'auth']);

/** Judges the host by an attempt. A host that refuses a message for good is healthy. */
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
