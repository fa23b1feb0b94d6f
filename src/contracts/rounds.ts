/** Number of rounds of a run, and the time from the start of one round to the next. */
export interface Rounds {
  readonly rounds: number;
  readonly everyMs: number;
}

export const ONCE: Rounds = { rounds: 1, everyMs: 0 };
