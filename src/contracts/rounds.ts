/** How often a run does its work before it ends, and the time from the beginning of one round to that of the next. */
export interface Rounds {
  readonly rounds: number;
  readonly everyMs: number;
}

export const ONCE: Rounds = { rounds: 1, everyMs: 0 };
