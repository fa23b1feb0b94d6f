import { amountOf, heldBackBy, nextRampDay, rampDayAt } from '../../../src/rules/ramps';
import type { RampCount } from '../../../src/rules/ramps';
import { offsetsOf } from '../../../src/rules/zoned-time';

const at = (text: string): number => Date.parse(text);
const counted = (used: number, refused = 0, early = 0): RampCount => ({ used, refused, early });

test.each([
  ['UTC', '2026-03-01T23:59:59.999Z', '2026-03-01', '2026-03-02T00:00:00.000Z'],
  ['UTC', '2026-03-02T00:00:00.000Z', '2026-03-02', '2026-03-03T00:00:00.000Z'],
  ['Asia/Tokyo', '2026-03-01T15:00:00.000Z', '2026-03-02', '2026-03-02T15:00:00.000Z'],
  ['America/New_York', '2026-03-02T04:59:00.000Z', '2026-03-01', '2026-03-02T05:00:00.000Z'],
  // Days of 23 and of 25 hours.
  ['Europe/Berlin', '2026-03-28T23:00:00.000Z', '2026-03-29', '2026-03-29T22:00:00.000Z'],
  ['Europe/Berlin', '2026-10-24T22:00:00.000Z', '2026-10-25', '2026-10-25T23:00:00.000Z'],
  // There, the clock goes from midnight to one, and the day begins at one.
  ['Africa/Cairo', '2026-04-23T21:59:00.000Z', '2026-04-23', '2026-04-23T22:00:00.000Z'],
])('in %s, %s is in %s, and the next day begins at %s', (zone, now, day, next) => {
  const offsetAt = offsetsOf(zone);
  expect(rampDayAt(at(now), offsetAt)).toBe(day);
  expect(new Date(nextRampDay(at(now), offsetAt)).toISOString()).toBe(next);
  expect(rampDayAt(at(next) - 1, offsetAt)).toBe(day);
  expect(rampDayAt(at(next), offsetAt) > day).toBe(true);
});

test('each step has its amount, and there is no limit after the last one', () => {
  expect([0, 1, 2, 9].map((step) => amountOf({ perDay: [50, 100] }, step))).toEqual([50, 100, null, null]);
});

test.each<[string, readonly RampCount[], string | null]>([
  ['all was used', [counted(50)], null],
  ['only a part was used', [counted(3)], null],
  ['nothing was used', [], 'unused'],
  ['all was given back', [counted(0)], 'unused'],
  ['5 % were refused', [counted(20, 1)], 'refused'],
  ['fewer were refused', [counted(21, 1)], null],
  ['many were refused, of too few', [counted(10, 10)], null],
  ['all were refused before their ends', [counted(0, 20, 20)], 'refused'],
  ['one of two providers refused', [counted(1_000), counted(30, 5)], 'refused'],
])('when %s, a ramp climbs or does not', (_, counts, why) => {
  expect(heldBackBy(counts)).toBe(why);
});
