import { lengthMs, limitsOf, longestWaitOf } from '../../../src/rules/limits-of-mail';
import { earliestSendTime, withoutPast } from '../../../src/rules/person-limits';
import type { PersonLimit, Place } from '../../../src/rules/person-limits';
import type { FrequencyCap } from '../../../src/contracts/frequency-cap';

const NOW = new Date('2026-11-01T12:00:00Z');
const at = (seconds: number): Date => new Date(NOW.getTime() + seconds * 1_000);
const sent = (seconds: number, id = `em_${seconds}`): Place => ({ id, at: at(seconds) });
const held = (seconds: number): Place => ({ ...sent(seconds), held: true });
const cap = (max: number, seconds: number, waitSeconds?: number): PersonLimit => ({
  key: 'cap/weekly',
  max,
  ms: seconds * 1_000,
  ...(waitSeconds !== undefined && { waitMs: waitSeconds * 1_000 }),
});
const turn = (limit: PersonLimit, places: readonly Place[], from = NOW) => earliestSendTime([limit], () => places, from, NOW);

describe('a limit', () => {
  test('lets messages go up to its most, and again a whole window after the first of them', () => {
    const limit = cap(2, 60);
    expect(turn(limit, [])).toEqual({ at: NOW });
    expect(turn(limit, [sent(-59)])).toEqual({ at: NOW });
    expect(turn(limit, [sent(-59), sent(-1)])).toMatchObject({ detail: { cap: 'weekly', until: at(1).toISOString() } });
    expect(turn(limit, [sent(-60), sent(-1)])).toEqual({ at: NOW });
  });

  test('counts what was to go and has not as going now', () => {
    expect(turn(cap(1, 60), [held(-600)])).toMatchObject({ detail: { until: at(60).toISOString() } });
    expect(withoutPast([held(-600), sent(-600), sent(-59)], cap(1, 60), NOW)).toEqual([held(-600), sent(-59)]);
  });

  test('keeps the places of scheduled messages: no window around them holds more either', () => {
    expect(turn(cap(1, 60), [held(30)])).toMatchObject({ detail: { until: at(90).toISOString() } });
    expect(turn(cap(1, 60), [held(60)])).toEqual({ at: NOW });
  });

  test('that waits gives each message the next free instant, in order, as long as it may wait', () => {
    const limit = cap(1, 60, 150);
    const places: Place[] = [sent(0)];
    for (const expected of [60, 120]) {
      expect(turn(limit, places)).toEqual({ at: at(expected) });
      places.push(held(expected));
    }
    expect(turn(limit, places)).toMatchObject({ detail: { cap: 'weekly', expired: true } });
  });

  test('without a window counts for ever, and names the message that was sent', () => {
    const limit: PersonLimit = { key: 'once/welcome', max: 1, ms: null };
    expect(turn(limit, [sent(-1e9, 'em_first')])).toMatchObject({ detail: { sendOnce: 'welcome', emailId: 'em_first' } });
  });

  test('and another one: the later turn wins, and one that skips stops the message', () => {
    const [hourly, daily] = [
      { ...cap(1, 3_600, 1e6), key: 'cap/hourly' },
      { ...cap(2, 86_400, 1e6), key: 'cap/daily' },
    ];
    const places = new Map([
      [hourly.key, [sent(-60)]],
      [daily.key, [sent(-7_200), sent(-60)]],
    ]);
    const placesOf = ({ key }: PersonLimit): readonly Place[] => places.get(key) ?? [];
    expect(earliestSendTime([hourly, daily], placesOf, NOW, NOW)).toEqual({ at: at(86_400 - 7_200) });
    const throttle: PersonLimit = { key: 'throttle/digest', max: 1, ms: 60_000 };
    places.set(throttle.key, [sent(-1)]);
    expect(earliestSendTime([hourly, throttle], placesOf, NOW, NOW)).toMatchObject({
      detail: { throttle: 'digest', until: at(59).toISOString() },
    });
  });

  test.each([
    [1, 7],
    [2, 5],
    [3, 11],
    [5, 4],
  ])('never has more than %i in any window of %i seconds, whatever comes when', (max, seconds) => {
    const limit = cap(max, seconds, 1e6);
    const places: Place[] = [];
    // A fixed sequence of instants, some of them of messages that are scheduled.
    for (let seed = 1; seed < 100; seed++) {
      const wanted = (seed * seed * 31 + seed * 17) % 97;
      const found = turn(limit, places, at(wanted));
      if (!('at' in found)) throw new Error('A message was lost');
      expect(found.at.getTime()).toBeGreaterThanOrEqual(at(wanted).getTime());
      places.push({ id: `em_${seed}`, at: found.at });
    }
    const times = places.map((place) => place.at.getTime()).sort((one, other) => one - other);
    const distances = times.slice(max).map((next, index) => next - (times[index] ?? 0));
    expect(Math.min(...distances)).toBeGreaterThanOrEqual(seconds * 1_000);
  });
});

describe('which limits hold for a message', () => {
  const week = { amount: 1, unit: 'weeks' } as const;
  const weekly: FrequencyCap = { name: 'weekly', max: 2, per: week, whenReached: 'wait', waitUpTo: { amount: 3, unit: 'days' } };
  const news: FrequencyCap = { ...weekly, name: 'news', appliesTo: { topics: ['top_news'] }, whenReached: 'skip', waitUpTo: undefined };
  const bulk: FrequencyCap = { ...weekly, name: 'bulk', appliesTo: { sources: ['campaign', 'workflow'] } };
  const caps = [weekly, news, bulk];
  const mail = { type: 'marketing', source: 'transactional', topicId: null, testMode: false } as const;
  const keys = (more: object): readonly string[] => limitsOf({ ...mail, ...more }, caps).map(({ key }) => key);

  test('caps hold for live marketing mail that they apply to, unless it ignores them', () => {
    expect(keys({})).toEqual(['cap/weekly']);
    expect(keys({ topicId: 'top_news', source: 'campaign' })).toEqual(['cap/weekly', 'cap/news', 'cap/bulk']);
    expect(keys({ topicId: 'top_other', source: 'workflow' })).toEqual(['cap/weekly', 'cap/bulk']);
    expect(keys({ type: 'transactional' })).toEqual([]);
    expect(keys({ testMode: true })).toEqual([]);
    expect(keys({ ignoresCaps: true })).toEqual([]);
  });

  test('send-once keys and throttles hold for all mail; what a test key sends is limited apart', () => {
    const own = { sendOnce: { key: 'welcome', within: '7d' }, throttle: { every: '90s' } };
    expect(limitsOf({ ...mail, type: 'transactional', ...own }, caps)).toEqual([
      { key: 'once/welcome', max: 1, ms: lengthMs('1w') },
      { key: 'throttle/default', max: 1, ms: 90_000 },
    ]);
    expect(keys({ testMode: true, sendOnce: { key: 'welcome' } })).toEqual(['test/once/welcome']);
  });

  test('what a message is made of is kept for as long as it may wait', () => {
    expect(longestWaitOf('marketing', caps)).toBe(lengthMs('3d'));
    expect(longestWaitOf('transactional', caps)).toBe(0);
    expect(longestWaitOf('marketing')).toBe(0);
  });
});
