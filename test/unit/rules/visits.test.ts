import fc from 'fast-check';
import { addVisits, judgeVisits } from '../../../src/rules/visits';
import type { Arrival, Visit } from '../../../src/rules/visits';

const SENT = 1_000_000;
const ARRIVED: Arrival = { sentAt: SENT, isGoing: false, countsOpens: true };

const visit = (seconds: number, more: Partial<Visit> = {}): Visit => ({
  kind: 'click',
  url: 'https://example.com/a',
  client: 'reader',
  at: SENT + seconds * 1_000,
  machine: null,
  isProxied: false,
  ...more,
});
const open = (seconds: number, more: Partial<Visit> = {}): Visit => visit(seconds, { kind: 'open', url: null, ...more });
const link = (name: string, seconds: number, more: Partial<Visit> = {}): Visit =>
  visit(seconds, { url: `https://example.com/${name}`, ...more });
const judge = (visits: readonly Visit[], arrival: Partial<Arrival> = {}) => judgeVisits(visits, { ...ARRIVED, ...arrival });

describe('a click soon after the delivery', () => {
  test.each([
    [-20, 'too-fast'],
    [0, 'too-fast'],
    [2.999, 'too-fast'],
    [3, 'no-open'],
    [9.999, 'no-open'],
    [10, null],
    [3_600, null],
  ])('%d seconds after it', (seconds, reason) => {
    expect(judge([visit(seconds)])).toEqual([reason]);
  });

  test('is a person’s from three seconds on where the same client, or a proxy, loaded the images before', () => {
    expect(judge([open(4), visit(5)])).toEqual([null, null]);
    expect(judge([open(4, { client: 'proxy', isProxied: true }), visit(5)])).toEqual([null, null]);
    expect(judge([open(1, { client: 'proxy', isProxied: true, machine: 'bare-user-agent' }), visit(5)])).toEqual(['bare-user-agent', null]);
    expect(judge([open(4, { client: 'another' }), visit(5)])).toEqual([null, 'no-open']);
    expect(judge([visit(5), open(6)])).toEqual(['no-open', 'same-client']);
  });

  test('needs no open where opens are not counted', () => {
    expect(judge([visit(5)], { countsOpens: false })).toEqual([null]);
    expect(judge([visit(2)], { countsOpens: false })).toEqual(['too-fast']);
  });

  test('comes before it while the message is on its way; nothing is known of a message that never was', () => {
    expect(judge([visit(0)], { sentAt: null, isGoing: true })).toEqual(['too-fast']);
    expect(judge([visit(0)], { sentAt: null })).toEqual([null]);
  });
});

describe('clicks on several links', () => {
  test('are a machine’s when it is three within two seconds, also the first of them, whoever asks', () => {
    expect(judge([link('a', 60), link('b', 61, { client: 'other' }), link('c', 62)])).toEqual(['burst', 'burst', 'burst']);
    expect(judge([link('a', 60), link('b', 61), link('c', 62.001)])).toEqual([null, null, null]);
    expect(judge([link('a', 60), link('b', 61)])).toEqual([null, null]);
    expect(judge([link('a', 60), link('a', 60.5), link('b', 61), link('a', 61.5)])).toEqual([null, null, null, null]);
  });
});

describe('what a client that was caught did', () => {
  const caught = [link('a', 100), link('b', 100.1), link('c', 100.2)];
  const reasonOf = (other: Visit): string | null =>
    judge([...caught, other].sort((a, b) => a.at - b.at))[other.at < SENT + 100_000 ? 0 : 3] ?? null;

  test.each([
    [link('z', 40.1), 'same-client'],
    [open(41), 'same-client'],
    [link('z', 39), null],
    [link('z', 160.2), 'same-client'],
    [link('z', 160.3), null],
    [link('z', 110, { client: 'reader 2' }), null],
    [link('z', 110, { client: null }), null],
    [open(110, { isProxied: true }), null],
  ])('counts as a machine’s within a minute: %#', (other, reason) => {
    expect(reasonOf(other)).toBe(reason);
  });

  test('does not reach others through it: a person who shares a client with a prefetch stays one', () => {
    expect(judge([link('a', 100, { machine: 'sec-purpose' }), link('a', 101)])).toEqual(['sec-purpose', null]);
    expect(judge([...caught, link('z', 150), link('z', 200)]).slice(3)).toEqual(['same-client', null]);
  });
});

const anyVisit = fc
  .record({
    kind: fc.constantFrom('open', 'click'),
    link: fc.constantFrom('a', 'b', 'c', 'd'),
    client: fc.constantFrom('one', 'two', null),
    seconds: fc.integer({ min: -5, max: 200 }),
    machine: fc.constantFrom(null, null, null, 'bot'),
  })
  .map(({ kind, link: name, client, seconds, machine }) =>
    kind === 'open' ? open(seconds, { client, machine }) : link(name, seconds, { client, machine }),
  );

test('who was a machine stays one, whatever comes after', () => {
  fc.assert(
    fc.property(fc.array(anyVisit, { maxLength: 12 }), fc.nat(12), (visits, at) => {
      const early = judge(visits.slice(0, at));
      const all = judge(visits.map((each, index) => ({ ...each, machine: early[index] ?? each.machine })));
      expect(early.map((reason, index) => reason && all[index])).toEqual(early);
    }),
  );
});

test('people’s visits are counted, a first click as an open too', () => {
  const none = { opens: 0, clicks: 0, openedAt: null, clickedAt: null };
  expect(addVisits(none, [visit(60), open(61), visit(62)], [null, null, null])).toEqual({
    opens: 2,
    clicks: 2,
    openedAt: SENT + 60_000,
    clickedAt: SENT + 60_000,
  });
  expect(addVisits(none, [visit(60), open(61)], ['burst', null])).toEqual({
    opens: 1,
    clicks: 0,
    openedAt: SENT + 61_000,
    clickedAt: null,
  });
  const before = { opens: 3, clicks: 1, openedAt: 5, clickedAt: 6 };
  expect(addVisits(before, [visit(60)], ['burst'])).toEqual(before);
});
