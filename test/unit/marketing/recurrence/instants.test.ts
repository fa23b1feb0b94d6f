import { delayUntil } from '../../../../src/rules/automation/delay';
import { instantsAfter, scheduleFault } from '../../../../src/marketing/recurrence';
import type { Schedule } from '../../../../src/rules/recurrence/schedule';

const rule = (rrule: string, timezone = 'UTC', more: Partial<Schedule> = {}): Schedule => ({ rrule, timezone, catchUp: 'latest', ...more });
const cron = (text: string, timezone = 'UTC'): Schedule => ({ cron: text, timezone, catchUp: 'latest' });
const list = (schedule: Schedule, from: string, limit: number, after = from): string[] =>
  instantsAfter(schedule, new Date(from), new Date(Date.parse(after) - 1), limit).map((at) => at.toISOString());

const TUESDAYS = 'FREQ=WEEKLY;BYDAY=TU;BYHOUR=9;BYMINUTE=0';

test.each([
  ['every Tuesday at nine', rule(TUESDAYS), ['2026-12-01T09:00:00.000Z', '2026-12-08T09:00:00.000Z']],
  ['the same as cron', cron('0 9 * * 2'), ['2026-12-01T09:00:00.000Z', '2026-12-08T09:00:00.000Z']],
  [
    'every second week, counted from its start',
    rule('FREQ=WEEKLY;INTERVAL=2;BYDAY=TU;BYHOUR=9;BYMINUTE=0'),
    ['2026-12-08T09:00:00.000Z', '2026-12-22T09:00:00.000Z'],
  ],
  [
    'the last Friday of the month',
    rule('FREQ=MONTHLY;BYDAY=-1FR;BYHOUR=9;BYMINUTE=30'),
    ['2026-12-25T09:30:00.000Z', '2027-01-29T09:30:00.000Z'],
  ],
  ['without a time: that of its start', rule('FREQ=WEEKLY'), ['2026-11-28T12:35:00.000Z', '2026-12-05T12:35:00.000Z']],
  [
    '29 February',
    rule('FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYHOUR=0;BYMINUTE=0'),
    ['2028-02-29T00:00:00.000Z', '2032-02-29T00:00:00.000Z'],
  ],
  ['up to an instant', rule(TUESDAYS, 'UTC', { until: new Date('2026-12-01T09:00:00Z') }), ['2026-12-01T09:00:00.000Z']],
])('instants of a rule: %s', (_what, schedule, expected) => {
  expect(list(schedule, '2026-11-28T12:35:00Z', 2)).toEqual(expected);
});

test.each([
  [
    'a missing hour moves forward',
    'FREQ=DAILY;BYHOUR=2;BYMINUTE=30',
    '30 2 * * *',
    '2027-03-27T12:00:00Z',
    ['2027-03-28T01:30:00.000Z', '2027-03-29T00:30:00.000Z'],
  ],
  [
    'a double hour is taken once',
    'FREQ=DAILY;BYHOUR=2;BYMINUTE=30',
    '30 2 * * *',
    '2026-10-24T12:00:00Z',
    ['2026-10-25T00:30:00.000Z', '2026-10-26T01:30:00.000Z'],
  ],
  [
    'two readings that are one instant are one turn',
    'FREQ=DAILY;BYHOUR=2,3;BYMINUTE=0',
    '0 2,3 * * *',
    '2027-03-27T12:00:00Z',
    ['2027-03-28T01:00:00.000Z', '2027-03-29T00:00:00.000Z', '2027-03-29T01:00:00.000Z'],
  ],
  [
    'nine stays nine over a change of the clock',
    'FREQ=DAILY;BYHOUR=9;BYMINUTE=0',
    '0 9 * * *',
    '2026-10-24T00:00:00Z',
    ['2026-10-24T07:00:00.000Z', '2026-10-25T08:00:00.000Z'],
  ],
])('in Berlin: %s, by a rule and by cron', (_what, rrule, text, from, expected) => {
  expect(list(rule(rrule, 'Europe/Berlin'), from, expected.length)).toEqual(expected);
  expect(list(cron(text, 'Europe/Berlin'), from, expected.length)).toEqual(expected);
});

test.each(['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Africa/Casablanca', 'Asia/Kolkata'])(
  'two years of every day in %s are the instants that a delay to that time ends at',
  (timezone) => {
    const from = '2026-01-01T00:00:00Z';
    const days = list(rule('FREQ=DAILY;BYHOUR=2;BYMINUTE=15', timezone), from, 730);
    let now = new Date(Date.parse(from) - 1);
    const delays = days.map(() => (now = delayUntil({ time: '02:15', timezone }, now)).toISOString());
    expect(days).toEqual(delays);
  },
);

test('a list that is asked for in parts is the same list', () => {
  const schedule = rule('FREQ=DAILY;BYHOUR=2,3,4;BYMINUTE=0,30', 'Europe/Berlin');
  const whole = list(schedule, '2027-03-20T00:00:00Z', 120);
  const parts: string[] = [];
  for (let after = '2027-03-20T00:00:00Z'; parts.length < 120;) {
    const some = list(schedule, '2027-03-20T00:00:00Z', 7, after);
    parts.push(...some);
    after = new Date(Date.parse(some.at(-1) ?? '') + 1).toISOString();
  }
  expect(parts.slice(0, 120)).toEqual(whole);
});

test.each([
  ['FREQ=HOURLY', 'rrule'],
  ['BYDAY=TU', 'rrule'],
  ['FREQ=WEEKLY;BYDAY=XX', 'rrule'],
  ['FREQ=WEEKLY;FOO=1', 'rrule'],
  ['FREQ=WEEKLY;FREQ=DAILY', 'rrule'],
  ['FREQ=DAILY;BYHOUR=25', 'rrule'],
  ['FREQ=DAILY;BYHOUR=', 'rrule'],
  ['FREQ=WEEKLY;INTERVAL=0', 'rrule'],
  ['FREQ=WEEKLY;COUNT=3', 'rrule'],
  ['FREQ=DAILY;BYMINUTE=0,10', 'rrule'],
  ['FREQ=MONTHLY;BYSETPOS=1', 'rrule'],
  ['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30', 'rrule'],
  ['FREQ=DAILY\nEXDATE:20261201T090000Z', 'rrule'],
])('refuses the rule %j', (text, member) => {
  expect(scheduleFault(rule(text), new Date('2026-11-28T12:35:00Z'))).toMatchObject({ member });
});

test.each(['61 * * * *', '* * * * *', '0 9 30 2 *', '@daily', '0 0 9 * * 2', ''])('refuses the cron expression %j', (text) => {
  expect(scheduleFault(cron(text), new Date('2026-11-28T12:35:00Z'))).toMatchObject({ member: 'cron' });
});

test('refuses a zone that does not exist, and takes what is right', () => {
  const at = new Date('2026-11-28T12:35:00Z');
  expect(scheduleFault(rule(TUESDAYS, 'Mars/Olympus'), at)).toMatchObject({ member: 'timezone' });
  expect(scheduleFault(rule(TUESDAYS, 'Europe/Vienna'), at)).toBeNull();
  expect(scheduleFault(cron('*/15 9-17 * * MON-FRI'), at)).toBeNull();
});
