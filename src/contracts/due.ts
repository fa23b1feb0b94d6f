/** A shorter wait is over before anyone has looked for it, and each note is one more event in the history. */
const WORTH_MS = 60_000;

/** Returns whether a wait is long enough to be shown: what is noted is written into the history. */
export const isWorthNoting = (waitMs: number): boolean => waitMs >= WORTH_MS;
