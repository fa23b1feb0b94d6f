import type { AnsweredEmail } from '../../records/emails';
import type { Outcome } from '../../rules/certificate';
import { askedOf, firstReason } from '../../rules/why';
import type { Check, Reason } from '../../rules/why';

/** The outcome of a message to a person, or the one that it would have. */
type Verdict = Outcome | 'not_in_audience' | 'would_send' | 'would_skip' | 'enrolled' | 'not_enrolled';

/** A check, and whether its facts are those by which it was judged, or those of now. */
export type Judgement = Check & { readonly asOf: 'judged' | 'now'; readonly at: Date | null };

/** The attempts of a message, with the words of the server. */
export interface Attempts {
  readonly emailId: string;
  readonly count: number;
  readonly lastAt: Date | null;
  readonly nextAt: Date | null;
  readonly sentAt: Date | null;
  readonly words: string | null;
}

/** A message that a node of an automation sent, or why it did not. */
export interface NodeAnswer extends Pick<Reason, 'detail'> {
  readonly nodeId: string;
  readonly at: Date;
  readonly verdict: Verdict;
  readonly reason: string | null;
  readonly attempts: Attempts | null;
}

/** Why a person got a message, or did not. */
export interface Why extends Pick<Reason, 'detail'> {
  readonly verdict: Verdict;
  readonly reason: string | null;
  /** In the order in which they are asked, up to the first one that is not passed. */
  readonly judgements: readonly Judgement[];
  readonly attempts: Attempts | null;
  /** The language of the message, or the one that it would have; null for the default. Absent for a campaign without variants. */
  readonly language?: string | null;
  /** The messages of an automation to this person. */
  readonly nodes?: readonly NodeAnswer[];
}

/** Marks checks as judged at an instant, if that is known. */
export const judgedAt = (at: Date | null, checks: readonly Check[]): readonly Judgement[] =>
  checks.map((check) => ({ ...check, asOf: 'judged', at }));

/** Marks checks as answered by the facts of now. */
export const asOfNow = (at: Date, checks: readonly Check[]): readonly Judgement[] => checks.map((check) => ({ ...check, asOf: 'now', at }));

interface Verdicts {
  /** The verdict if a check is not passed, by its reason. */
  readonly stopped: (reason: string) => Verdict;
  readonly passed: Verdict;
  readonly attempts?: Attempts | null;
}

/** Returns the answer of a chain of judgements: its reason is that of the first one that is not passed. */
export function answerOf(judgements: readonly Judgement[], { stopped, passed, attempts = null }: Verdicts): Why {
  const found = firstReason(judgements);
  const common = { judgements: askedOf(judgements), attempts };
  if (!found) return { verdict: passed, reason: null, ...common };
  return { verdict: stopped(found.reason), ...found, ...common };
}

/** Returns what was tried of a message; null before its first attempt. */
export function attemptsOf(email: AnsweredEmail): Attempts | null {
  const { _id: emailId, attempts: count, attempt, dueAt = null, sentAt, error, response = null } = email;
  if (count === 0 && sentAt === null) return null;
  return {
    emailId,
    count,
    lastAt: attempt?.at ?? sentAt,
    nextAt: email.status === 'queued' ? dueAt : null,
    sentAt,
    words: error ?? response,
  };
}
