const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const UNITS: Readonly<Record<string, number>> = {
  second: SECOND,
  sec: SECOND,
  s: SECOND,
  minute: MINUTE,
  min: MINUTE,
  m: MINUTE,
  hour: HOUR,
  hr: HOUR,
  h: HOUR,
  day: DAY,
  d: DAY,
  week: 7 * DAY,
  w: 7 * DAY,
};

const RELATIVE = /^in +(an?|\d{1,6}) *([a-z]+?)s?$/i;

/** Returns an instant in ISO form for `in 1 min` and the like; everything else as it is. */
export function instantText(given: unknown, now: Date): unknown {
  if (typeof given !== 'string') return given;
  const text = given.trim();
  if (text.toLowerCase() === 'tomorrow') return new Date(now.getTime() + DAY).toISOString();
  const [, amount = '', name = ''] = RELATIVE.exec(text) ?? [];
  const unit = name.toLowerCase();
  const ms = Object.hasOwn(UNITS, unit) ? UNITS[unit] : undefined;
  if (ms === undefined) return text;
  return new Date(now.getTime() + (/^\d/.test(amount) ? Number(amount) : 1) * ms).toISOString();
}
