/** Number of rounds of a run, and the time from the start of one round to the next. */
export interface Rounds {
  readonly rounds: number;
  readonly everyMs: number;
}

export const ONCE: Rounds = { rounds: 1, everyMs: 0 };

export interface SegmentSweepInput {
  /** The workflow's time in milliseconds: conditions are checked by it, so that tests can skip time. */
  readonly now: number;
}

/** A shorter wait is over before anyone has looked for it, and each note is one more event in the history. */
const WORTH_MS = 60_000;

/** Returns whether a wait is long enough to be shown: what is noted is written into the history. */
export const isWorthNoting = (waitMs: number): boolean => waitMs >= WORTH_MS;
