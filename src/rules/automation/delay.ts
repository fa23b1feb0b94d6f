import type { DelayConfig, LocalTime, Span, Unit } from './nodes/delay';

const SECOND = 1_000;
const DAY = 86_400 * SECOND;
const MILLISECONDS: Readonly<Record<Unit, number>> = {
  seconds: SECOND,
  minutes: 60 * SECOND,
  hours: 3_600 * SECOND,
  days: DAY,
  weeks: 7 * DAY,
};

/** Converts a span to milliseconds; a day is always 24 hours. */
export const spanMilliseconds = ({ amount, unit }: Span): number => Math.round(amount * MILLISECONDS[unit]);

/**
 * Returns when a `delay` that begins now ends (docs/automations.md, Delay); in the past if its instant has passed. A local time means the
 * next one strictly after now. Reads the host's time zone data, so record the result and never compute it again in a replay.
 */
export function delayUntil(config: DelayConfig, now: Date): Date {
  if ('until' in config) return new Date(config.until);
  if ('amount' in config) return new Date(now.getTime() + spanMilliseconds(config));
  return nextLocalTime(config, now);
}

/** A wall clock's reading, written as if it were UTC. */
type WallTime = number;

function nextLocalTime({ time, timezone, weekdays }: LocalTime, now: Date): Date {
  const offsetAt = offsetsOf(timezone);
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  const today = Math.floor((now.getTime() + offsetAt(now.getTime())) / DAY);
  // Yesterday too: where a zone skips a whole day, yesterday's moment moves to today.
  for (let day = today - 1; day <= today + 8; day++) {
    if (weekdays && !weekdays.includes(weekdayOf(day))) continue;
    const moment = instantOf(day * DAY + (hours * 60 + minutes) * 60 * SECOND, offsetAt);
    if (moment > now.getTime()) return new Date(moment);
  }
  throw new Error('A delay without a weekday never ends');
}

/** 1 = Monday; day 0 of 1970 was a Thursday. */
const weekdayOf = (day: number): number => ((((day + 3) % 7) + 7) % 7) + 1;

/**
 * Returns the first instant at which the clock shows this. Where a change of the clock leaves it out, it moves forward by as much as was left out:
 * the reading is taken with the offset from before the change.
 */
function instantOf(wall: WallTime, offsetAt: (instant: number) => number): number {
  const before = offsetAt(wall - DAY);
  const after = offsetAt(wall + DAY);
  const shown = [wall - before, wall - after].filter((instant) => instant + offsetAt(instant) === wall);
  return shown.length > 0 ? Math.min(...shown) : wall - before;
}

/** Returns how far a zone's clock is ahead of UTC at an instant, in milliseconds. */
function offsetsOf(timeZone: string): (instant: number) => number {
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
