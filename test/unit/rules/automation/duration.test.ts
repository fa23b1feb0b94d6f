import { addDuration, parseDuration } from '../../../../src/rules/automation/duration';

const HOUR = 3_600_000;

test.each([
  ['P1D', 0, 24 * HOUR],
  ['P1DT2H', 0, 26 * HOUR],
  ['PT90M', 0, 1.5 * HOUR],
  ['PT0S', 0, 0],
  ['PT1.5S', 0, 1_500],
  ['PT0,25S', 0, 250],
  ['P2W', 0, 336 * HOUR],
  ['P1Y2M', 14, 0],
  ['P1M', 1, 0],
  ['PT1M', 0, 60_000],
  ['P1Y1M1W1DT1H1M1S', 13, 193 * HOUR + 61_000],
])('a duration is read: %s', (text, months, milliseconds) => {
  expect(parseDuration(text)).toEqual({ months, milliseconds });
});

test.each([
  '',
  'P',
  'PT',
  'P1',
  'P1DT',
  '1D',
  'P-1D',
  '-P1D',
  'p1d',
  'P1H',
  'PT1D',
  'PT1.5H',
  'P1D1M',
  ' P1D',
  'P1D\n',
  'P99999Y',
  'PT1.2345S',
  'P1DT1H1H',
])('a duration cannot be %j', (text) => {
  expect(parseDuration(text)).toBeNull();
});

test.each([
  ['2026-01-31T12:00:00.000Z', 'P1M', '2026-02-28T12:00:00.000Z'],
  ['2028-01-31T12:00:00.000Z', 'P1M', '2028-02-29T12:00:00.000Z'],
  ['2028-02-29T00:00:00.000Z', 'P1Y', '2029-02-28T00:00:00.000Z'],
  ['2026-11-30T23:59:59.999Z', 'P3M', '2027-02-28T23:59:59.999Z'],
  ['2026-12-31T00:00:00.000Z', 'P1M1D', '2027-02-01T00:00:00.000Z'],
  ['2026-03-29T00:30:00.000Z', 'P1D', '2026-03-30T00:30:00.000Z'],
  ['2026-11-21T00:00:00.000Z', 'PT0S', '2026-11-21T00:00:00.000Z'],
])('a date and a duration are added: %s and %s', (from, text, expected) => {
  expect(addDuration(new Date(from), parseDuration(text) ?? { months: NaN, milliseconds: NaN }).toISOString()).toBe(expected);
});
