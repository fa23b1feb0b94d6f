const SECOND = 1_000;
export const MINUTE_MS = 60 * SECOND;
export const DAY_MS = 86_400 * SECOND;

/** The longest name in the zone database has 32 characters. */
export const MAX_ZONE_LENGTH = 64;

/** A wall clock's reading, written as if it were UTC, in milliseconds. */
export type WallTime = number;

/** Returns how far a zone's clock is ahead of UTC at an instant, in milliseconds. */
export type OffsetAt = (instant: number) => number;

/** Returns whether the zone database of this host has a zone of that name. An offset, as `+02:00`, is none: it knows no summer time. */
export function isTimeZone(name: string): boolean {
  if (name.length > MAX_ZONE_LENGTH || !/^[A-Za-z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** Returns the number of a reading's day; day 0 is the first of 1970. */
export const dayOf = (wall: WallTime): number => Math.floor(wall / DAY_MS);

/** Returns the weekday, 1 = Monday; day 0 of 1970 was a Thursday. */
export const weekdayOf = (day: number): number => ((((day + 3) % 7) + 7) % 7) + 1;

/** Returns the milliseconds from midnight to a time written as HH:MM; 24:00 is the next midnight. */
export function timeOfDay(text: string): number {
  const [hours = 0, minutes = 0] = text.split(':').map(Number);
  return (hours * 60 + minutes) * MINUTE_MS;
}

/**
 * Returns the first instant at which the clock shows this. Where a change of the clock leaves it out, it moves forward by as much as was left out:
 * the reading is taken with the offset from before the change.
 */
export function instantOf(wall: WallTime, offsetAt: OffsetAt): number {
  const before = offsetAt(wall - DAY_MS);
  const after = offsetAt(wall + DAY_MS);
  const shown = [wall - before, wall - after].filter((instant) => instant + offsetAt(instant) === wall);
  return shown.length > 0 ? Math.min(...shown) : wall - before;
}

/** Returns the clock of a zone, by the host's zone database. Throws `RangeError` for a zone that it does not have. */
export function offsetsOf(timeZone: string): OffsetAt {
  const clock = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'iso8601',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (instant) => {
    const whole = Math.floor(instant / SECOND) * SECOND;
    const shown = new Map(clock.formatToParts(whole).map(({ type, value }) => [type, Number(value)]));
    const part = (type: Intl.DateTimeFormatPartTypes): number => shown.get(type) ?? 0;
    return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second')) - whole;
  };
}
