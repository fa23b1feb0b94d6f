import { DAY_MS, MINUTE_MS, dayOf, instantOf, isTimeZone, offsetsOf, timeOfDay, weekdayOf } from './zoned-time';
import type { OffsetAt, WallTime } from './zoned-time';

/** The times at which marketing mail may go out (docs/windows.md). */
export interface SendWindows {
  /** Weekdays on which a window opens; 1 = Monday. */
  readonly days: readonly number[];
  /** HH:MM */
  readonly from: string;
  /** HH:MM, up to 24:00; a window that ends no later than it opens ends on the next day. */
  readonly until: string;
  /** A zone of the zone database, or that of each recipient. */
  readonly timezone: string;
  /** The zone of recipients whose own is not known. */
  readonly fallback: string;
  /** What happens to a message outside the window. */
  readonly outside: 'wait' | 'skip';
  /** A message that would wait longer is skipped. */
  readonly expireAfter?: { readonly amount: number; readonly unit: 'minutes' | 'hours' | 'days' } | undefined;
}

/** A launch at one reading of the clock, wherever each recipient is. */
export interface LocalTimeLaunch {
  /** The reading, `YYYY-MM-DDTHH:MM`. */
  readonly at: string;
  /** What happens to recipients whose clock has passed it when the campaign begins. */
  readonly passed: 'now' | 'nextDay' | 'skip';
  /** The zone of recipients whose own is not known. */
  readonly fallback: string;
}

/** What decides when a recipient's turn is. */
export interface Timing {
  readonly windows: SendWindows | null;
  readonly localTime: LocalTimeLaunch | null;
}

/** When a recipient's message may go, in milliseconds, or why it never does. */
export type Turn = { readonly at: number } | { readonly never: 'window' | 'expired' };

/** Stands for the zone of each recipient. */
export const RECIPIENT = 'recipient';

/** The clocks of zones, each made once: making one takes longer than reading it a hundred times. */
export class Clocks {
  private readonly known = new Map<string, OffsetAt | null>();

  /** Returns the clock of a zone; null where the zone database does not have it. */
  of(zone: string): OffsetAt | null {
    let clock = this.known.get(zone);
    if (clock === undefined) this.known.set(zone, (clock = isTimeZone(zone) ? offsetsOf(zone) : null));
    return clock;
  }
}

/** The zone that a recipient's turn goes by. */
export interface Place {
  readonly zone: string;
  /** Whether the recipient's own zone is unknown, and would have been asked for. */
  readonly isFallback: boolean;
}

const FIXED_CLOCK: OffsetAt = () => 0;

/** Returns the zone for a recipient's turn: that of the windows, or the recipient's own, or the one for those whose own is not known. */
export function placeOf({ windows, localTime }: Timing, timezone: string | null | undefined, clocks: Clocks): Place {
  if (!localTime && windows && windows.timezone !== RECIPIENT) return { zone: windows.timezone, isFallback: false };
  if (timezone && clocks.of(timezone)) return { zone: timezone, isFallback: false };
  return { zone: (localTime ?? windows)?.fallback ?? 'UTC', isFallback: true };
}

/** The instants between which a turn is looked for, in milliseconds. */
export interface Since {
  /** When the message was first wanted: `expireAfter` counts from then. */
  readonly start: number;
  /** No turn is earlier; `start` unless something else held the message, as the rest of an A/B test. */
  readonly from: number;
  /** When it is asked; a turn that is past is now. */
  readonly now: number;
}

/** Returns the turn of a recipient in a zone: the local time of the launch, if it has one, and then the next opening of the windows. */
export function turnIn({ windows, localTime }: Timing, { zone }: Place, { start, from, now }: Since, clocks: Clocks): Turn {
  const clock = clocks.of(zone) ?? FIXED_CLOCK;
  const local = localTime ? localTurn(localTime, clock, start, from) : { at: from };
  if ('never' in local) return local;
  const at = Math.max(local.at, now);
  if (!windows) return { at };
  const windowClock = windows.timezone === RECIPIENT ? clock : (clocks.of(windows.timezone) ?? FIXED_CLOCK);
  const opens = nextOpening(windows, windowClock, at);
  if (opens > at && windows.outside === 'skip') return { never: 'window' };
  const wanted = localTime ? local.at : start;
  const { expireAfter } = windows;
  return opens > at && expireAfter && opens - wanted > waitMs(expireAfter) ? { never: 'expired' } : { at: opens };
}

const UNIT_MS = { minutes: MINUTE_MS, hours: 60 * MINUTE_MS, days: DAY_MS } as const;

const waitMs = ({ amount, unit }: NonNullable<SendWindows['expireAfter']>): number => amount * UNIT_MS[unit];

/**
 * Returns the first instant from `at` on at which a window is open. A time that a change of the clock leaves out moves forward by as much; of one that comes
 * twice, the first counts.
 */
export function nextOpening(windows: Pick<SendWindows, 'days' | 'from' | 'until'>, offsetAt: OffsetAt, at: number): number {
  const today = dayOf(at + offsetAt(at));
  // The window of the day before yesterday may still be open where a zone skips a day.
  for (let day = today - 2; day <= today + 8; day++) {
    if (!windows.days.includes(weekdayOf(day))) continue;
    const { opens, closes } = windowOf(windows, offsetAt, day);
    if (at < closes) return Math.max(at, opens);
  }
  throw new Error('Windows without a weekday never open');
}

function windowOf(
  { from, until }: Pick<SendWindows, 'from' | 'until'>,
  offsetAt: OffsetAt,
  day: number,
): { opens: number; closes: number } {
  const begin = day * DAY_MS + timeOfDay(from);
  const length = timeOfDay(until) - timeOfDay(from);
  const end = begin + (length > 0 ? length : length + DAY_MS);
  const opens = instantOf(begin, offsetAt);
  const closes = instantOf(end, offsetAt);
  // Where its beginning moves past its end, the whole window moves.
  return { opens, closes: closes > opens ? closes : opens + end - begin };
}

/** Returns the reading of a launch as if it were UTC. */
export const readingOf = ({ at }: Pick<LocalTimeLaunch, 'at'>): WallTime => Date.parse(`${at}Z`);

const AHEAD_MOST_MS = 14 * 60 * MINUTE_MS;
const BEHIND_MOST_MS = 12 * 60 * MINUTE_MS;

/** Returns the first and the last instant at which some clock on earth shows a reading. */
export const earthDay = (launch: Pick<LocalTimeLaunch, 'at'>): { readonly first: number; readonly last: number } => ({
  first: readingOf(launch) - AHEAD_MOST_MS,
  last: readingOf(launch) + BEHIND_MOST_MS,
});

/** With `from` past the reading's instant, a message goes at that time of another day. */
function localTurn(launch: LocalTimeLaunch, offsetAt: OffsetAt, start: number, from: number): Turn {
  const reading = readingOf(launch);
  const first = instantOf(reading, offsetAt);
  if (first < start) {
    if (launch.passed === 'skip') return { never: 'window' };
    if (launch.passed === 'now' && from <= start) return { at: start };
  }
  return { at: sameTimeFrom(reading, offsetAt, Math.max(start, from)) };
}

/** Returns the first instant from `at` on, not before the reading's own, at which the clock shows its time of day. */
function sameTimeFrom(reading: WallTime, offsetAt: OffsetAt, at: number): number {
  const late = Math.floor((at + offsetAt(at) - reading) / DAY_MS);
  for (let day = Math.max(0, late - 1); ; day++) {
    const instant = instantOf(reading + day * DAY_MS, offsetAt);
    if (instant >= at) return instant;
  }
}
