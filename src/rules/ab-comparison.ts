import type { VariantResult } from './ab-winner';

/** Confidence level of a comparison: of many such intervals, this share contains the true difference. */
export const CONFIDENCE = 0.95;
/** The quantile of the normal distribution for it, both tails. */
const Z = 1.959963984540054;

interface Interval {
  readonly low: number;
  readonly high: number;
}

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

/** Computes Wilson's score interval of a share (1927): unlike the textbook one it is right for few messages and for shares near 0 and 1. */
function wilson(count: number, of: number): Interval {
  const share = count / of;
  const middle = (share + (Z * Z) / (2 * of)) / (1 + (Z * Z) / of);
  const reach = (Z / (1 + (Z * Z) / of)) * Math.sqrt((share * (1 - share)) / of + (Z * Z) / (4 * of * of));
  // At the ends it is exact, but for rounding.
  return { low: count === 0 ? 0 : middle - reach, high: count === of ? 1 : middle + reach };
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
