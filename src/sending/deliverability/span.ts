const DAY_MS = 86_400_000;

/** Messages that are counted, the newest ones. */
export const MOST_COUNTED = 20_000;

/** Returns from when on messages of the last days are counted. */
export const sinceOf = (days: number): Date => new Date(Date.now() - days * DAY_MS);
