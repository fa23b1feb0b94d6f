import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { Clocks, earthDay, nextOpening, zoneFor, sendTimeIn } from '../../../src/rules/send-windows';
import type { SendWindows, Timing } from '../../../src/contracts/send-windows';
import { isTimeZone, offsetsOf } from '../../../src/rules/zoned-time';

const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];
const OFFICE: SendWindows = {
  days: [1, 2, 3, 4, 5],
  from: '09:00',
  until: '17:00',
  timezone: 'recipient',
  fallback: 'UTC',
  outside: 'wait',
};
const NIGHT = { days: EVERY_DAY, from: '22:00', until: '06:00' };

const opening = (windows: Pick<SendWindows, 'days' | 'from' | 'until'>, zone: string, at: string): string =>
  new Date(nextOpening(windows, offsetsOf(zone), Date.parse(at))).toISOString().replace(':00.000Z', 'Z');

describe('the next opening', () => {
  test.each([
    ['within the window, now', OFFICE, 'Europe/Vienna', '2026-03-04T10:30Z', '2026-03-04T10:30Z'],
    ['at its first instant', OFFICE, 'Europe/Vienna', '2026-03-04T08:00Z', '2026-03-04T08:00Z'],
    ['at its end it is closed', OFFICE, 'Europe/Vienna', '2026-03-04T16:00Z', '2026-03-05T08:00Z'],
    ['before it', OFFICE, 'America/New_York', '2026-03-04T08:00Z', '2026-03-04T14:00Z'],
    ['over a weekend', OFFICE, 'Europe/Vienna', '2026-03-06T16:30Z', '2026-03-09T08:00Z'],
    ['a single day of the week', { ...OFFICE, days: [3] }, 'UTC', '2026-03-04T17:00Z', '2026-03-11T09:00Z'],
    ['over midnight, after it', NIGHT, 'UTC', '2026-03-04T03:00Z', '2026-03-04T03:00Z'],
    ['over midnight, by the day on which it opens', { ...NIGHT, days: [5] }, 'UTC', '2026-03-07T03:00Z', '2026-03-07T03:00Z'],
    ['over midnight, not on the day after', { ...NIGHT, days: [5] }, 'UTC', '2026-03-08T03:00Z', '2026-03-13T22:00Z'],
    ['until 24:00', { days: EVERY_DAY, from: '20:00', until: '24:00' }, 'UTC', '2026-03-04T23:59Z', '2026-03-04T23:59Z'],
    ['after 24:00', { days: EVERY_DAY, from: '20:00', until: '24:00' }, 'UTC', '2026-03-05T00:00Z', '2026-03-05T20:00Z'],
    ['all day on weekdays', { days: [1, 2, 3, 4, 5], from: '00:00', until: '24:00' }, 'UTC', '2026-03-06T23:59Z', '2026-03-06T23:59Z'],
    // 2026-03-29 02:00 becomes 03:00, and 2026-10-25 03:00 becomes 02:00.
    [
      'at a missing time, as much later',
      { ...NIGHT, from: '02:30', until: '05:00' },
      'Europe/Vienna',
      '2026-03-29T00:00Z',
      '2026-03-29T01:30Z',
    ],
    ['in a missing hour, as long', { ...NIGHT, from: '02:30', until: '03:10' }, 'Europe/Vienna', '2026-03-29T00:00Z', '2026-03-29T01:30Z'],
    ['at a double time, the first', { ...NIGHT, from: '02:30', until: '05:00' }, 'Europe/Vienna', '2026-10-25T00:00Z', '2026-10-25T00:30Z'],
    ['in a double hour, once', { ...NIGHT, from: '02:00', until: '02:30' }, 'Europe/Vienna', '2026-10-25T01:10Z', '2026-10-26T01:00Z'],
  ])('%s', (_which, windows, zone, at, opens) => {
    expect(opening(windows, zone, at)).toBe(opens);
  });
});

describe('the turn of a recipient', () => {
  const clocks = new Clocks();
  const turn = (
    timing: Partial<Timing>,
    zone: string | null,
    start: string,
    held: { readonly from?: string; readonly now?: string } = {},
  ) => {
    const { from = start, now = from } = held;
    const whole = { windows: null, localTime: null, ...timing };
    const at = { start: Date.parse(start), from: Date.parse(from), now: Date.parse(now) };
    const found = sendTimeIn(whole, zoneFor(whole, zone, clocks), at, clocks);
    return 'at' in found ? new Date(found.at).toISOString().replace(':00.000Z', 'Z') : found;
  };
  const nine = (passed: 'now' | 'nextDay' | 'skip') => ({ localTime: { at: '2026-03-04T09:00', passed, fallback: 'UTC' } });

  test('goes by the zone of the windows, of the recipient, or by the fallback', () => {
    const place = (windows: SendWindows, zone: string | null) => zoneFor({ windows, localTime: null }, zone, clocks);
    expect(place(OFFICE, 'Asia/Tokyo')).toEqual({ zone: 'Asia/Tokyo', isFallback: false });
    expect(place({ ...OFFICE, timezone: 'Europe/Vienna' }, 'Asia/Tokyo')).toEqual({ zone: 'Europe/Vienna', isFallback: false });
    for (const unknown of [null, '', 'Mars/Olympus', '+02:00'])
      expect(place({ ...OFFICE, fallback: 'America/Lima' }, unknown)).toEqual({ zone: 'America/Lima', isFallback: true });
  });

  test('outside the window it waits, is skipped, or expires', () => {
    const start = '2026-03-06T18:00Z';
    expect(turn({ windows: OFFICE }, null, start)).toBe('2026-03-09T09:00Z');
    expect(turn({ windows: { ...OFFICE, outside: 'skip' } }, null, start)).toEqual({ never: 'closed' });
    expect(turn({ windows: { ...OFFICE, outside: 'skip' } }, null, '2026-03-06T12:00Z')).toBe('2026-03-06T12:00Z');
    const expiring = (amount: number) => ({ windows: { ...OFFICE, expireAfter: { amount, unit: 'hours' as const } } });
    expect(turn(expiring(62), null, start)).toEqual({ never: 'expired' });
    expect(turn(expiring(63), null, start)).toBe('2026-03-09T09:00Z');
    // Held until after the window: the wait counts from the start.
    expect(turn(expiring(24), null, '2026-03-05T10:00Z', { now: '2026-03-05T18:00Z' })).toBe('2026-03-06T09:00Z');
    expect(turn(expiring(20), null, '2026-03-05T10:00Z', { now: '2026-03-05T18:00Z' })).toEqual({ never: 'expired' });
  });

  test('a local time is each zone’s own', () => {
    const start = '2026-03-03T19:00Z';
    expect(turn(nine('now'), 'Pacific/Kiritimati', start)).toBe('2026-03-03T19:00Z');
    expect(turn(nine('now'), 'Etc/GMT+12', start)).toBe('2026-03-04T21:00Z');
    expect(turn(nine('now'), 'Asia/Kathmandu', start)).toBe('2026-03-04T03:15Z');
    expect(turn(nine('now'), null, start)).toBe('2026-03-04T09:00Z');
    expect(earthDay({ at: '2026-03-04T09:00' })).toEqual({ first: Date.parse('2026-03-03T19:00Z'), last: Date.parse('2026-03-04T21:00Z') });
  });

  test('a local time that is past goes now, on the next day, or never', () => {
    const start = '2026-03-04T05:00Z';
    expect(turn(nine('now'), 'Asia/Tokyo', start)).toBe(start);
    expect(turn(nine('nextDay'), 'Asia/Tokyo', start)).toBe('2026-03-05T00:00Z');
    expect(turn(nine('skip'), 'Asia/Tokyo', start)).toEqual({ never: 'closed' });
    // One that passes later goes late.
    expect(turn(nine('skip'), 'Europe/Vienna', start, { now: '2026-03-04T12:00Z' })).toBe('2026-03-04T12:00Z');
  });

  test('the rest of an A/B test goes at the next local time after the decision', () => {
    const held = { from: '2026-03-05T01:00Z' };
    for (const passed of ['now', 'nextDay'] as const) {
      expect(turn(nine(passed), 'Europe/Vienna', '2026-03-04T05:00Z', held)).toBe('2026-03-05T08:00Z');
      expect(turn(nine(passed), 'Asia/Tokyo', '2026-03-04T05:00Z', held)).toBe('2026-03-06T00:00Z');
    }
  });

  test('of a local time and windows, the later one counts', () => {
    const early = { localTime: { at: '2026-03-07T07:00', passed: 'now' as const, fallback: 'UTC' }, windows: OFFICE };
    expect(turn(early, 'Europe/Vienna', '2026-03-06T17:00Z')).toBe('2026-03-09T08:00Z');
  });
});

type Answers = readonly (readonly [zone: string, rows: readonly (readonly [at: number, windows: number, value: number])[]])[];

/** Windows around the hours at which clocks change; none lies in a missing hour with its beginning alone. */
const TRICKY = [
  { days: EVERY_DAY, from: '02:30', until: '09:00' },
  { days: EVERY_DAY, from: '01:00', until: '01:30' },
  { days: EVERY_DAY, from: '00:00', until: '24:00' },
  { days: [7], from: '02:00', until: '03:30' },
  { days: [6], from: '22:00', until: '02:15' },
  { days: EVERY_DAY, from: '23:30', until: '00:30' },
  { days: [1, 2, 3, 4, 5], from: '09:00', until: '17:00' },
];

/** The same days are asked about over and over, and reading a clock takes microseconds. */
function remembering(clock: (at: number) => number): (at: number) => number {
  const known = new Map<number, number>();
  return (at) => {
    const offset = known.get(at) ?? clock(at);
    known.set(at, offset);
    return offset;
  };
}

test('agrees with Python’s zone rules in all zones, around all changes of clocks from 2026 to 2030', () => {
  const input = JSON.stringify({ windows: TRICKY, hours: [-25, -3, -0.5, 0, 0.5, 3, 25] });
  const script = join(__dirname, '../../support/time/zones.py');
  const answers = JSON.parse(execFileSync('python3', [script], { input, encoding: 'utf8', maxBuffer: 1 << 28 })) as Answers;
  const wrong: string[] = [];
  let compared = 0;
  let differing = 0;
  for (const [zone, rows] of answers) {
    if (!isTimeZone(zone)) {
      differing += 1;
      continue;
    }
    const clock = remembering(offsetsOf(zone));
    // The two zone databases may be of different years: where they do not have the same changes, there is nothing to compare.
    if (rows.some(([at, windows, offset]) => windows < 0 && clock(at) !== offset)) {
      differing += 1;
      continue;
    }
    for (const [at, windows, opens] of rows) {
      const own = TRICKY[windows];
      if (!own) continue;
      compared += 1;
      const found = nextOpening(own, clock, at);
      if (found !== opens)
        wrong.push(
          `${zone} ${JSON.stringify(own)} at ${new Date(at).toISOString()}: ${new Date(found).toISOString()} and not ${new Date(opens).toISOString()}`,
        );
    }
  }
  expect(wrong.slice(0, 10)).toEqual([]);
  expect(answers.length).toBeGreaterThan(590);
  expect(differing).toBeLessThan(20);
  expect(compared).toBeGreaterThan(50_000);
});
