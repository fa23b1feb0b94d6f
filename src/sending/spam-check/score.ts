/** The verdict of a spam filter about a message. */
export interface SpamScore {
  readonly score: number;
  /** The score from which on the filter takes a message for spam; null where it does not say. */
  readonly threshold: number | null;
  readonly isSpam: boolean;
  /** The names of the rules that counted, the heaviest first where their weights are known. */
  readonly rules: readonly string[];
}

/** The spam filter did not answer, or not as such a filter does. */
export class SpamCheckFailed extends Error {
  override readonly name = 'SpamCheckFailed';
}
