import fc from 'fast-check';
import { compare } from '../../../src/rules/ab-test';
import { CONFIDENCE } from '../../../src/rules/proportions';
import type { Difference } from '../../../src/rules/ab-test';

const opens = (countA: number, ofA: number, countB: number, ofB: number): Difference =>
  compare({ sent: ofA, opened: countA, clicked: 0 }, { sent: ofB, opened: countB, clicked: 0 })?.opens as Difference;

/** Table II of Newcombe (1998), method 10. */
test.each([
  [56, 70, 48, 80, 0.0524, 0.3339],
  [9, 10, 3, 10, 0.1705, 0.809],
  [6, 7, 2, 7, 0.0582, 0.8062],
  [5, 56, 0, 29, -0.0381, 0.1926],
  [0, 10, 0, 20, -0.1611, 0.2775],
  [0, 10, 0, 10, -0.2775, 0.2775],
  [10, 10, 0, 20, 0.6791, 1],
  [10, 10, 0, 10, 0.6075, 1],
])('%i/%i and %i/%i are as published', (countA, ofA, countB, ofB, low, high) => {
  const found = opens(countA, ofA, countB, ofB);
  expect(found.low).toBeCloseTo(low, 4);
  expect(found.high).toBeCloseTo(high, 4);
});

/** The quantile of the normal distribution, by numeric integration and bisection. */
function quantile(confidence: number): number {
  const steps = 4_000;
  const inside = (z: number): number => {
    const width = z / steps;
    let sum = 0;
    for (let step = 0; step < steps; step++) sum += Math.exp(-(((step + 0.5) * width) ** 2) / 2) * width;
    return (2 * sum) / Math.sqrt(2 * Math.PI);
  };
  return bisect(0, 10, (z) => inside(z) < confidence);
}

/** Where `isBelow` ceases to hold. */
function bisect(low: number, high: number, isBelow: (at: number) => boolean): number {
  let [from, to] = [low, high];
  for (let round = 0; round < 60; round++) {
    const middle = (from + to) / 2;
    if (isBelow(middle)) from = middle;
    else to = middle;
  }
  return from;
}

const Z = quantile(CONFIDENCE);

/** The shares that a score test does not reject: what Wilson's closed form solves, looked for by trying. */
function accepted(count: number, of: number): readonly [number, number] {
  const share = count / of;
  const isAccepted = (at: number): boolean => (share - at) ** 2 * of <= Z * Z * at * (1 - at);
  return [count === 0 ? 0 : bisect(0, share, (at) => !isAccepted(at)), count === of ? 1 : bisect(share, 1, isAccepted)];
}

const result = fc
  .integer({ min: 1, max: 200_000 })
  .chain((sent) => fc.record({ sent: fc.constant(sent), opened: fc.integer({ min: 0, max: sent }) }));

test('an interval is that of the shares which a score test accepts, put together by squares', () => {
  fc.assert(
    fc.property(result, result, (a, b) => {
      const found = opens(a.opened, a.sent, b.opened, b.sent);
      const [lowA, highA] = accepted(a.opened, a.sent);
      const [lowB, highB] = accepted(b.opened, b.sent);
      const [shareA, shareB] = [a.opened / a.sent, b.opened / b.sent];
      const difference = shareA - shareB;
      expect(found.difference).toBeCloseTo(difference, 9);
      expect(found.low).toBeCloseTo(difference - Math.sqrt((shareA - lowA) ** 2 + (highB - shareB) ** 2), 6);
      expect(found.high).toBeCloseTo(difference + Math.sqrt((highA - shareA) ** 2 + (shareB - lowB) ** 2), 6);
      expect(found.low).toBeGreaterThanOrEqual(-1);
      expect(found.high).toBeLessThanOrEqual(1);
      const holdsZero = found.low <= 0 && found.high >= 0;
      expect(found.winner).toBe(holdsZero ? 'none' : difference > 0 ? 'a' : 'b');
      const swapped = opens(b.opened, b.sent, a.opened, a.sent);
      expect([swapped.low, swapped.high]).toEqual([expect.closeTo(-found.high, 9), expect.closeTo(-found.low, 9)]);
    }),
    { numRuns: 300 },
  );
});

/** The chance of each count of `of` messages. */
function binomial(of: number, share: number): readonly number[] {
  const chances = [(1 - share) ** of];
  for (let count = 1; count <= of; count++) chances.push(((chances[count - 1] ?? 0) * (of - count + 1) * share) / (count * (1 - share)));
  return chances;
}

test.each([
  [60, 0.2, 60, 0.2],
  [60, 0.2, 50, 0.35],
  [40, 0.05, 70, 0.02],
  [30, 0.5, 45, 0.9],
])('intervals of %i messages with a share of %d and %i with one of %d hold the truth in about 95 of 100', (ofA, shareA, ofB, shareB) => {
  const [chancesA, chancesB] = [binomial(ofA, shareA), binomial(ofB, shareB)];
  let held = 0;
  for (const [countA, chanceA] of chancesA.entries()) {
    for (const [countB, chanceB] of chancesB.entries()) {
      const { low, high } = opens(countA, ofA, countB, ofB);
      if (low <= shareA - shareB && shareA - shareB <= high) held += chanceA * chanceB;
    }
  }
  expect(held).toBeGreaterThan(0.93);
  expect(held).toBeLessThan(0.985);
});

test('a comparison needs something sent; clicks are compared as opens are', () => {
  expect(compare({ sent: 0, opened: 0, clicked: 0 }, { sent: 5, opened: 1, clicked: 1 })).toBeNull();
  const both = compare({ sent: 70, opened: 60, clicked: 56 }, { sent: 80, opened: 60, clicked: 48 });
  expect(both?.clicks).toEqual(opens(56, 70, 48, 80));
});
