import type { VariantResult } from './ab-winner';
import { wilson } from './wilson';
import type { Interval } from './wilson';

/** The share of A minus that of B, and where the true difference lies. */
export interface Difference extends Interval {
  readonly difference: number;
  /** `none` where the interval holds 0: chance alone may be what made the difference. */
  readonly winner: 'a' | 'b' | 'none';
}

export interface Comparison {
  readonly opens: Difference;
  readonly clicks: Difference;
}

/** Computes Newcombe's hybrid score interval, method 10 of "Interval estimation for the difference between independent proportions", Statistics in Medicine 17 (1998) 873-890. */
function differenceOf(countA: number, ofA: number, countB: number, ofB: number): Difference {
  const [a, b] = [wilson(countA, ofA), wilson(countB, ofB)];
  const [shareA, shareB] = [countA / ofA, countB / ofB];
  const difference = shareA - shareB;
  const low = difference - Math.hypot(shareA - a.low, b.high - shareB);
  const high = difference + Math.hypot(a.high - shareA, shareB - b.low);
  return { difference, low, high, winner: low > 0 ? 'a' : high < 0 ? 'b' : 'none' };
}

/** Compares two variants; null where nothing of one of them was sent. */
export function compare(a: VariantResult, b: VariantResult): Comparison | null {
  if (a.sent === 0 || b.sent === 0) return null;
  return {
    opens: differenceOf(a.opened, a.sent, b.opened, b.sent),
    clicks: differenceOf(a.clicked, a.sent, b.clicked, b.sent),
  };
}
