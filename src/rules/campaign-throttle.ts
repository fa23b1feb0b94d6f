const MINUTE_MS = 60_000;
const SECONDS_IN_MINUTE = 60;
/** One page goes to one worker, which handles about this many a second. */
const MOST_ROWS = 5_000;

/** The rhythm of pages of a campaign with a limit per minute. */
export interface Pace {
  /** Recipients of one page. */
  readonly rows: number;
  /** From the beginning of one page to that of the next. */
  readonly everyMs: number;
}

/** Returns how a throttled campaign is spaced: about a second's share at a time; one message at a time where that is less than one. */
export function paceOf(perMinute: number): Pace {
  const rows = Math.min(MOST_ROWS, Math.ceil(perMinute / SECONDS_IN_MINUTE));
  return { rows, everyMs: Math.ceil((rows * MINUTE_MS) / perMinute) };
}

/** Returns when the page after one that was due at `due` and began at `began` may begin. Lateness is not caught up on: that would be a burst. */
export const nextDue = (due: number, began: number, { everyMs }: Pace): number => Math.max(due, began) + everyMs;
