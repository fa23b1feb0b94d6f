/** A delivery that waits with others for the same server comes a little earlier or later than they. */
const JITTER = 0.1;
const LONGEST_WISH_MS = 3_600_000;

interface Failed {
  /** Which attempt it was; the first is 1. */
  readonly attempt: number;
  /** Delay that the server asked for, in milliseconds. */
  readonly retryAfterMs: number | null;
  /** In [0, 1). */
  readonly chance: number;
}

/**
 * Returns milliseconds until the next attempt, or null when the schedule (in seconds, `schedule[0]` after the first attempt) is used up.
 * A server that asks for more time gets it, up to an hour.
 */
export function retryWaitMs(schedule: readonly number[], { attempt, retryAfterMs, chance }: Failed): number | null {
  const seconds = retryDelaySeconds(schedule, attempt);
  if (seconds === null) return null;
  const planned = seconds * 1_000 * (1 - JITTER + 2 * JITTER * chance);
  return Math.round(Math.max(planned, Math.min(retryAfterMs ?? 0, LONGEST_WISH_MS)));
}

/**
 * Returns milliseconds from `now`, as a header `Retry-After` has it: seconds or a date (RFC 9110, 10.2.3). Null when it says nothing that
 * can be read.
 */
export function readRetryAfter(header: string | null, now: Date): number | null {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const at = /^[A-Za-z]{3}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime());
}

/** After this many failures in a row an endpoint gets one delivery at a time. */
const PROBED_AFTER = 20;
const AT_ONCE = 10;
const GIVEN_UP_MS = 5 * 86_400_000;

/** Returns how many deliveries to an endpoint may be under way at the same time. */
export const deliveriesAtOnce = (failuresInARow: number): number => (failuresInARow >= PROBED_AFTER ? 1 : AT_ONCE);

/** Returns whether an endpoint that has failed without a success since `since` is switched off now. */
export const isGivenUp = (since: Date, now: Date): boolean => now.getTime() - since.getTime() >= GIVEN_UP_MS;

/**
 * Returns the seconds to wait after attempt number `attempt` (1-based) was deferred, or null when the schedule is used up. `schedule[0]`
 * is the wait after the first attempt.
 */
export function retryDelaySeconds(schedule: readonly number[], attempt: number): number | null {
  return schedule[attempt - 1] ?? null;
}
