import { Windows } from '../../../../src/platform/limits';
import { secondsUntil, stateOf } from '../../../../src/platform/core/errors';

const MINUTE_MS = 60_000;

describe('windows', () => {
  const pass = (windows: Windows, key: string, times: number): number =>
    Array.from({ length: times }, () => windows.take(key)).filter(Boolean).length;

  test('each key passes so many times in a window', () => {
    const windows = new Windows({ most: 3, windowMs: MINUTE_MS, keys: 10 });
    expect([pass(windows, 'a', 5), pass(windows, 'b', 2)]).toEqual([3, 2]);
    expect([pass(windows, 'a', 1), pass(windows, 'b', 2)]).toEqual([0, 1]);
  });

  test('a window ends at its time, however often what is one too many is tried', async () => {
    const WINDOW_MS = 50;
    const windows = new Windows({ most: 3, windowMs: WINDOW_MS, keys: 10 });
    const began = performance.now();
    expect(pass(windows, 'a', 5)).toBe(3);
    while (!windows.take('a')) await new Promise((resolve) => setTimeout(resolve, 1));
    expect(performance.now() - began).toBeGreaterThanOrEqual(WINDOW_MS - 2);
    expect(pass(windows, 'a', 5)).toBe(2);
  });

  test('of more keys than are held, those that were quiet longest begin again', () => {
    const windows = new Windows({ most: 1, windowMs: MINUTE_MS, keys: 2 });
    for (const key of ['a', 'b', 'c']) windows.take(key);
    expect([windows.take('c'), windows.take('a')]).toEqual([false, true]);
  });

  test('no limit lets all pass', () => {
    expect(pass(new Windows({ most: Infinity, windowMs: MINUTE_MS, keys: 2 }), 'a', 1_000)).toBe(1_000);
  });
});

test.each(Array.from({ length: 40 }, (_, n) => n / 2))('a bucket that holds %d units tells how many pass, and when it is full', (units) => {
  const refill = { burst: 20, perSecond: 3 };
  const { limit, remaining, reset } = stateOf(refill, units);
  expect([limit, remaining]).toEqual([20, Math.floor(units)]);
  expect(units + reset * refill.perSecond).toBeGreaterThanOrEqual(20);
  expect(units + (reset - 1) * refill.perSecond).toBeLessThan(20);
  const seconds = secondsUntil(refill, 20 - units);
  expect(seconds).toBe(Math.max(1, reset));
});
