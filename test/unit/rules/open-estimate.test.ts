import fc from 'fast-check';
import { estimateOpens } from '../../../src/rules/proportions';

const opens = (delivered: number, opened: number, proxied: number, proxiedOpened = 0) =>
  estimateOpens({ delivered, opened, proxied, proxiedOpened });

test('takes readers behind a proxy to open as often as all others', () => {
  expect(opens(1_000, 240, 400)).toEqual({ opened: 400, low: 385, high: 416, confidence: 0.95 });
});

test('is what was seen where no proxy loaded anything', () => {
  expect(opens(500, 120, 0)).toMatchObject({ opened: 120, low: 120, high: 120 });
});

test('is no less than those behind a proxy that were seen to open', () => {
  expect(opens(100, 30, 50, 30)).toMatchObject({ opened: 30, low: 30 });
});

test('is null where a proxy loaded the images of all', () => {
  expect(opens(50, 0, 50)).toBeNull();
  expect(opens(0, 0, 0)).toBeNull();
});

test('is always between what was seen and what was delivered, and within its interval', () => {
  const figures = fc.record({ others: fc.nat(5_000), seen: fc.nat(5_000), proxied: fc.nat(5_000), both: fc.nat(5_000) });
  fc.assert(
    fc.property(figures, ({ others, seen, proxied, both }) => {
      fc.pre(seen <= others && both <= proxied && others > 0);
      const estimate = opens(others + proxied, seen + both, proxied, both)!;
      expect(estimate.low).toBeGreaterThanOrEqual(seen + both);
      expect(estimate.low).toBeLessThanOrEqual(estimate.opened);
      expect(estimate.opened).toBeLessThanOrEqual(estimate.high);
      expect(estimate.high).toBeLessThanOrEqual(others + proxied);
    }),
  );
});
