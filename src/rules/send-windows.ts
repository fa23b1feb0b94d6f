import type { LocalTimeLaunch, SendWindows, Timing } from '../contracts/send-windows';
import { DAY_MS, MINUTE_MS, dayOf, instantOf, isTimeZone, offsetsOf, timeOfDay, weekdayOf } from './zoned-time';
import type { OffsetAt, WallTime } from './zoned-time';

/** When a recipient's message may go, in milliseconds, or why it never does. */
export type SendTime = { readonly at: number } | { readonly never: 'closed' | 'expired' };

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

/** The zone by which a recipient's send time is computed. */
export interface ZoneChoice {
  readonly zone: string;
  /** Whether the recipient's own zone is unknown, and would have been asked for. */
  readonly isFallback: boolean;
}

const FIXED_CLOCK: OffsetAt = () => 0;

/** Returns the zone for a recipient's send time: that of the windows, or the recipient's own, or the fallback if that is unknown. */
export function zoneFor({ windows, localTime }: Timing, timezone: string | null | undefined, clocks: Clocks): ZoneChoice {
  if (!localTime && windows && windows.timezone !== RECIPIENT) return { zone: windows.timezone, isFallback: false };
  if (timezone && clocks.of(timezone)) return { zone: timezone, isFallback: false };
  const asks = localTime ?? windows;
  return { zone: asks?.fallback ?? 'UTC', isFallback: asks !== null };
}

/** The instants between which a send time is searched, in milliseconds. */
export interface Since {
  /** When the message was first wanted: `expireAfter` counts from then. */
  readonly start: number;
  /** The earliest send time: `start`, unless something else delayed the message, such as the decision of an A/B test. */
  readonly from: number;
  /** The current time; a send time in the past becomes now. */
  readonly now: number;
}

/** Returns the send time of a recipient in a zone: the local time of the launch, if it has one, and then the next opening of the windows. */
export function sendTimeIn({ windows, localTime }: Timing, { zone }: ZoneChoice, since: Since, clocks: Clocks): SendTime {
  const clock = clocks.of(zone) ?? FIXED_CLOCK;
  const local = localTime ? localSendTime(localTime, clock, since) : { at: since.from };
  if ('never' in local) return local;
  const at = Math.max(local.at, since.now);
  return windows ? openingFor(windows, clockOf(windows, clock, clocks), at, localTime ? local.at : since.start) : { at };
}

/** Returns how the first instant from another one on is found at which the window of a person is open; one that never opens in time changes nothing. */
export function openingFrom(windows: SendWindows, timezone: string | null | undefined, clocks = new Clocks()): (at: Date) => Date {
  const timing = { windows, localTime: null };
  const zone = zoneFor(timing, timezone, clocks);
  return (at) => {
    const now = at.getTime();
    const sendTime = sendTimeIn(timing, zone, { start: now, from: now, now }, clocks);
    return 'at' in sendTime ? new Date(sendTime.at) : at;
  };
}

/** Returns when the window that is open at an instant closes; null without windows, and the instant itself where it is closed. */
export function closingAfter({ windows }: Timing, { zone }: ZoneChoice, at: number, clocks: Clocks): number | null {
  if (!windows) return null;
  const clock = clockOf(windows, clocks.of(zone) ?? FIXED_CLOCK, clocks);
  let closes = at;
  // A window may begin at the instant at which the one before it ends, or earlier.
  for (const open of openWindows(windows, clock, at)) if (open.opens <= closes) closes = Math.max(closes, open.closes);
  return closes;
}

const clockOf = ({ timezone }: SendWindows, own: OffsetAt, clocks: Clocks): OffsetAt =>
  timezone === RECIPIENT ? own : (clocks.of(timezone) ?? FIXED_CLOCK);

/** Returns the time at which a message that has waited since `wanted` may go by its windows, or that it never does. */
function openingFor(windows: SendWindows, clock: OffsetAt, at: number, wanted: number): SendTime {
  const opens = nextOpening(windows, clock, at);
  if (opens === at) return { at };
  if (windows.outside === 'skip') return { never: 'closed' };
  const { expireAfter } = windows;
  return expireAfter && opens - wanted > waitMs(expireAfter) ? { never: 'expired' } : { at: opens };
}

const UNIT_MS = { minutes: MINUTE_MS, hours: 60 * MINUTE_MS, days: DAY_MS } as const;

const waitMs = ({ amount, unit }: NonNullable<SendWindows['expireAfter']>): number => amount * UNIT_MS[unit];

/**
 * Returns the first instant from `at` on at which a window is open. A time that a change of the clock leaves out moves forward by as much; of one that comes
 * twice, the first counts.
 */
export function nextOpening(windows: Pick<SendWindows, 'days' | 'from' | 'until'>, offsetAt: OffsetAt, at: number): number {
  for (const { opens } of openWindows(windows, offsetAt, at)) return Math.max(at, opens);
  throw new Error('Windows without a weekday never open');
}

/** Yields the windows around an instant that are not over by then, one after another. */
function* openWindows(
  windows: Pick<SendWindows, 'days' | 'from' | 'until'>,
  offsetAt: OffsetAt,
  at: number,
): Generator<{ readonly opens: number; readonly closes: number }> {
  const today = dayOf(at + offsetAt(at));
  // The window of the day before yesterday may still be open where a zone skips a day.
  for (let day = today - 2; day <= today + 8; day++) {
    if (!windows.days.includes(weekdayOf(day))) continue;
    const window = windowOf(windows, offsetAt, day);
    if (at < window.closes) yield window;
  }
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
const readingOf = ({ at }: Pick<LocalTimeLaunch, 'at'>): WallTime => Date.parse(`${at}Z`);

const AHEAD_MOST_MS = 14 * 60 * MINUTE_MS;
const BEHIND_MOST_MS = 12 * 60 * MINUTE_MS;

/** Returns the first and the last instant at which some clock on earth shows a reading. */
export const earthDay = (launch: Pick<LocalTimeLaunch, 'at'>): { readonly first: number; readonly last: number } => ({
  first: readingOf(launch) - AHEAD_MOST_MS,
  last: readingOf(launch) + BEHIND_MOST_MS,
});

// With `from` past the reading's instant, a message goes at that time of another day.
function localSendTime(launch: LocalTimeLaunch, offsetAt: OffsetAt, { start, from }: Since): SendTime {
  const reading = readingOf(launch);
  const first = instantOf(reading, offsetAt);
  if (first < start) {
    if (launch.passed === 'skip') return { never: 'closed' };
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
