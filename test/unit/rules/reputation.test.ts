import { judgeReputation, reputationFloor, reputationReason } from '../../../src/rules/reputation';
import type { WindowCounts } from '../../../src/rules/reputation';

const QUIET: WindowCounts = { sent: 0, bounced: 0, complained: 0 };
const everywhere = (counts: WindowCounts) => ({ '24h': counts, '7d': counts, all: counts });
const of = (sent: number, bounced: number, complained: number): WindowCounts => ({ sent, bounced, complained });

describe('a window', () => {
  test.each([
    [of(1000, 0, 0), 'ok'],
    [of(1000, 49, 0), 'ok'],
    [of(1000, 50, 0), 'warn'],
    [of(1000, 79, 0), 'warn'],
    [of(1000, 80, 0), 'throttled'],
    [of(1000, 99, 0), 'throttled'],
    [of(1000, 100, 0), 'paused'],
    [of(10_000, 0, 9), 'ok'],
    [of(10_000, 0, 10), 'warn'],
    [of(10_000, 0, 29), 'warn'],
    [of(10_000, 0, 30), 'throttled'],
    [of(10_000, 0, 49), 'throttled'],
    [of(10_000, 0, 50), 'paused'],
    [of(1000, 50, 5), 'paused'],
    [of(499, 499, 499), 'ok'],
    [of(500, 500, 0), 'paused'],
  ])('%j is %s', (counts, state) => {
    expect(judgeReputation(everywhere(counts), 500).windows['24h'].state).toBe(state);
  });

  test('has rates of zero where nothing was sent', () => {
    expect(judgeReputation(everywhere(QUIET), 100)).toMatchObject({
      state: 'ok',
      window: '24h',
      bounceRate: 0,
      complaintRate: 0,
      volume: 0,
      floor: 100,
    });
  });
});

describe('the project', () => {
  test('is judged by its worst window, with the figures of that one', () => {
    const counts = { '24h': of(600, 0, 0), '7d': of(1000, 90, 1), all: of(5000, 90, 1) };
    expect(judgeReputation(counts, 500)).toMatchObject({
      state: 'throttled',
      window: '7d',
      bounceRate: 0.09,
      complaintRate: 0.001,
      volume: 1000,
    });
  });

  test('goes by the shortest of equally bad windows', () => {
    expect(judgeReputation(everywhere(of(1000, 60, 0)), 500)).toMatchObject({ state: 'warn', window: '24h' });
  });

  test.each(['24h', '7d', 'all'] as const)('is paused by the window %s alone', (window) => {
    const counts = { ...everywhere(QUIET), [window]: of(1000, 500, 0) };
    expect(judgeReputation(counts, 500)).toMatchObject({ state: 'paused', window, windows: { [window]: { state: 'paused' } } });
  });

  test('says why in words, and nothing when all is well', () => {
    expect(reputationReason(judgeReputation(everywhere(of(1000, 60, 2)), 500))).toBe(
      '6.00 % hard bounces and 0.20 % complaints of 1000 messages in the last 24h',
    );
    expect(reputationReason(judgeReputation({ '24h': QUIET, '7d': QUIET, all: of(1000, 60, 0) }, 500))).toContain('since the beginning');
    expect(reputationReason(judgeReputation(everywhere(QUIET), 500))).toBeNull();
  });
});

test.each([
  ['2026-01-01T00:00:00.000Z', 100],
  ['2026-01-30T23:59:59.999Z', 100],
  ['2026-01-31T00:00:00.000Z', 500],
  ['2027-01-01T00:00:00.000Z', 500],
])('a project of 1 January has at %s a floor of %i', (now, floor) => {
  expect(reputationFloor(new Date('2026-01-01T00:00:00.000Z'), new Date(now))).toBe(floor);
});
