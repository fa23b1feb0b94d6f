import { DAY_MS, dayOf, instantOf, offsetsOf, timeOfDay, weekdayOf } from '../zoned-time';
import type { DelayConfig, LocalTime, Span, Unit } from './nodes/delay';

const SECOND = 1_000;
const MILLISECONDS: Readonly<Record<Unit, number>> = {
  seconds: SECOND,
  minutes: 60 * SECOND,
  hours: 3_600 * SECOND,
  days: DAY_MS,
  weeks: 7 * DAY_MS,
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

function nextLocalTime({ time, timezone, weekdays }: LocalTime, now: Date): Date {
  const offsetAt = offsetsOf(timezone);
  const today = dayOf(now.getTime() + offsetAt(now.getTime()));
  // Yesterday too: where a zone skips a whole day, yesterday's moment moves to today.
  for (let day = today - 1; day <= today + 8; day++) {
    if (weekdays && !weekdays.includes(weekdayOf(day))) continue;
    const moment = instantOf(day * DAY_MS + timeOfDay(time), offsetAt);
    if (moment > now.getTime()) return new Date(moment);
  }
  throw new Error('A delay without a weekday never ends');
}
