import { delayUntil } from '../../../../src/rules/automation/delay';
import type { DelayConfig } from '../../../../src/rules/automation/nodes/delay';

const after = (config: DelayConfig, now: string): string => delayUntil(config, new Date(now)).toISOString();
const local = (time: string, timezone: string, weekdays?: number[]): DelayConfig => ({ time, timezone, ...(weekdays && { weekdays }) });

test.each<[string, DelayConfig, string]>([
  ['seconds', { amount: 90, unit: 'seconds' }, '2026-01-31T23:01:30.500Z'],
  ['minutes', { amount: 90, unit: 'minutes' }, '2026-02-01T00:30:00.500Z'],
  ['hours, in part', { amount: 1.5, unit: 'hours' }, '2026-02-01T00:30:00.500Z'],
  ['days', { amount: 28, unit: 'days' }, '2026-02-28T23:00:00.500Z'],
  ['weeks', { amount: 52, unit: 'weeks' }, '2027-01-30T23:00:00.500Z'],
  ['an instant ahead', { until: '2026-02-01T12:00:00+02:00' }, '2026-02-01T10:00:00.000Z'],
  ['an instant gone by', { until: '2020-02-29T00:00:00Z' }, '2020-02-29T00:00:00.000Z'],
])('a delay: %s', (_what, config, expected) => {
  expect(after(config, '2026-01-31T23:00:00.500Z')).toBe(expected);
});

test.each([
  ['later today', local('09:00', 'UTC'), '2026-11-21T08:59:59.999Z', '2026-11-21T09:00:00.000Z'],
  ['at that very moment: tomorrow', local('09:00', 'UTC'), '2026-11-21T09:00:00.000Z', '2026-11-22T09:00:00.000Z'],
  ['a millisecond later: tomorrow', local('09:00', 'UTC'), '2026-11-21T09:00:00.001Z', '2026-11-22T09:00:00.000Z'],
  ['over the end of a year', local('00:00', 'UTC'), '2026-12-31T00:00:00.000Z', '2027-01-01T00:00:00.000Z'],
  ['over the end of February', local('12:00', 'UTC'), '2028-02-28T13:00:00.000Z', '2028-02-29T12:00:00.000Z'],
  ['where it is tomorrow already', local('09:00', 'Asia/Kolkata'), '2026-11-21T20:00:00.000Z', '2026-11-22T03:30:00.000Z'],
  ['where it is still yesterday', local('23:30', 'America/New_York'), '2026-11-21T03:00:00.000Z', '2026-11-21T04:30:00.000Z'],
  ['today, a Saturday', local('09:00', 'UTC', [6]), '2026-11-21T08:00:00.000Z', '2026-11-21T09:00:00.000Z'],
  ['a week from now', local('09:00', 'UTC', [6]), '2026-11-21T09:00:00.000Z', '2026-11-28T09:00:00.000Z'],
  ['on Monday', local('09:00', 'UTC', [1, 3]), '2026-11-21T09:00:00.000Z', '2026-11-23T09:00:00.000Z'],
  ['on the weekday of the place, not of UTC', local('08:00', 'Pacific/Apia', [1]), '2026-11-21T00:00:00.000Z', '2026-11-22T19:00:00.000Z'],
  // Spring: 02:00 becomes 03:00 in Berlin and New York, 02:30 on Lord Howe Island.
  ['a missing hour moves forward', local('02:30', 'Europe/Berlin'), '2027-03-28T00:30:00.000Z', '2027-03-28T01:30:00.000Z'],
  ['the first missing minute', local('02:00', 'Europe/Berlin'), '2027-03-28T00:30:00.000Z', '2027-03-28T01:00:00.000Z'],
  ['after the hour that moved: tomorrow', local('02:30', 'Europe/Berlin'), '2027-03-28T01:30:00.000Z', '2027-03-29T00:30:00.000Z'],
  ['a missing hour in New York', local('02:15', 'America/New_York'), '2027-03-14T05:00:00.000Z', '2027-03-14T07:15:00.000Z'],
  ['a missing half hour', local('02:15', 'Australia/Lord_Howe'), '2026-10-03T12:00:00.000Z', '2026-10-03T15:45:00.000Z'],
  ['the hour after a missing one', local('03:00', 'Europe/Berlin'), '2027-03-28T00:30:00.000Z', '2027-03-28T01:00:00.000Z'],
  // Autumn: 03:00 becomes 02:00 in Berlin, 02:00 becomes 01:30 on Lord Howe Island.
  ['a double hour, before', local('02:30', 'Europe/Berlin'), '2026-10-25T00:00:00.000Z', '2026-10-25T00:30:00.000Z'],
  ['a double hour is taken once', local('02:30', 'Europe/Berlin'), '2026-10-25T00:30:00.000Z', '2026-10-26T01:30:00.000Z'],
  ['between the two', local('02:30', 'Europe/Berlin'), '2026-10-25T01:15:00.000Z', '2026-10-26T01:30:00.000Z'],
  ['a double hour in New York', local('01:30', 'America/New_York'), '2026-11-01T05:00:00.000Z', '2026-11-01T05:30:00.000Z'],
  ['a double half hour', local('01:45', 'Australia/Lord_Howe'), '2027-04-03T14:00:00.000Z', '2027-04-03T14:45:00.000Z'],
  ['a double half hour, once', local('01:45', 'Australia/Lord_Howe'), '2027-04-03T14:45:00.000Z', '2027-04-04T15:15:00.000Z'],
  // Samoa went from Thursday the 29th to Saturday the 31st.
  ['a day that was left out', local('09:00', 'Pacific/Apia'), '2011-12-29T20:00:00.000Z', '2011-12-30T19:00:00.000Z'],
  [
    'a Friday that was left out, on the Saturday',
    local('09:00', 'Pacific/Apia', [5]),
    '2011-12-30T15:00:00.000Z',
    '2011-12-30T19:00:00.000Z',
  ],
  ['a Friday that was left out', local('09:00', 'Pacific/Apia', [5]), '2011-12-29T20:00:00.000Z', '2011-12-30T19:00:00.000Z'],
])('local time: %s', (_what, config, now, expected) => {
  expect(after(config, now)).toBe(expected);
});

const MINUTE = 60_000;
const DAY = 1_440;

/** What a clock on the wall shows, minute by minute, as minutes since 1970. */
function clockOf(timeZone: string, from: number, minutes: number): number[] {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  return Array.from({ length: minutes }, (_, index) => Date.parse(`${format.format(from + index * MINUTE).replace(' ', 'T')}Z`) / MINUTE);
}

interface Moment {
  /** What the clock shows, or jumps over. */
  readonly shown: number;
  readonly at: number;
}

/** By the time of day, all moments at which the clock first shows it; a time that it jumps over comes as much later as was jumped. */
function momentsOf(clock: readonly number[]): Map<number, readonly Moment[]> {
  const seen = new Set<number>();
  const moments: Moment[] = [];
  clock.forEach((shown, index) => {
    const last = clock[index - 1] ?? shown - 1;
    for (let missing = last + 1; missing < shown; missing++) moments.push({ shown: missing, at: index + missing - last - 1 });
    if (!seen.has(shown)) moments.push({ shown, at: index });
    seen.add(shown);
  });
  const byTime = new Map<number, Moment[]>();
  for (const moment of moments.toSorted((a, b) => a.at - b.at)) {
    const others = byTime.get(moment.shown % DAY);
    if (others) others.push(moment);
    else byTime.set(moment.shown % DAY, [moment]);
  }
  return byTime;
}

const weekdayOf = (shown: number): number => ((Math.floor(shown / DAY) + 3) % 7) + 1;

/** A small generator with a fixed seed (mulberry32). */
function chance(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

test.each([
  ['Europe/Berlin', '2027-03-22'],
  ['Europe/Berlin', '2026-10-19'],
  ['America/New_York', '2027-03-08'],
  ['America/New_York', '2026-10-26'],
  ['Asia/Kolkata', '2027-02-22'],
  ['Australia/Lord_Howe', '2026-09-28'],
  ['Australia/Lord_Howe', '2027-03-29'],
  ['Pacific/Apia', '2011-12-24'],
  ['Africa/Cairo', '2027-04-24'],
  ['America/St_Johns', '2026-10-27'],
  ['UTC', '2026-12-25'],
])('delays agree with a look at every minute in %s from %s', (timezone, from) => {
  const start = Date.parse(`${from}T00:00:00Z`);
  const moments = momentsOf(clockOf(timezone, start, 14 * DAY));
  const draw = chance(start / DAY);
  for (let run = 0; run < 80; run++) {
    const nearChange = run % 2 === 0;
    const minutes = nearChange ? draw(5 * 60) : draw(DAY);
    const weekdays = run % 3 === 0 ? [1 + draw(7)] : [1, 2, 3, 4, 5, 6, 7].filter(() => draw(3) > 0).concat(7);
    const now = start + (3 * DAY + draw(3 * DAY)) * MINUTE + (run % 4 === 0 ? 0 : draw(MINUTE));
    const time = `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
    const next = moments.get(minutes)?.find(({ shown, at }) => weekdays.includes(weekdayOf(shown)) && start + at * MINUTE > now);
    const found = delayUntil({ time, timezone, weekdays }, new Date(now));
    expect([time, weekdays, new Date(now), found]).toEqual([time, weekdays, new Date(now), new Date(start + (next?.at ?? NaN) * MINUTE)]);
  }
});
