const SECOND = 1_000;
const DAY = 86_400 * SECOND;

/** A wall clock's reading, in milliseconds, written as if it were UTC. */
export type WallTime = number;

/**
 * Returns the first instant at which the clock shows this. Where a change of the clock leaves it out, it moves forward by as much as was left out:
 * the reading is taken with the offset from before the change.
 */
export function instantOf(wall: WallTime, offsetAt: (instant: number) => number): number {
  const before = offsetAt(wall - DAY);
  const after = offsetAt(wall + DAY);
  const shown = [wall - before, wall - after].filter((instant) => instant + offsetAt(instant) === wall);
  return shown.length > 0 ? Math.min(...shown) : wall - before;
}

/** Returns how far a zone's clock is ahead of UTC at an instant, in milliseconds. */
export function offsetsOf(timeZone: string): (instant: number) => number {
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
