/** Confidence level of an interval: of many such intervals, this share contains the true value. */
export const CONFIDENCE = 0.95;
/** The quantile of the normal distribution for it, both tails. */
const Z = 1.959963984540054;

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Computes Wilson's score interval of a share (1927): unlike the textbook one it is right for few messages and for shares near 0 and 1. */
export function wilson(count: number, of: number): Interval {
  const share = count / of;
  const middle = (share + (Z * Z) / (2 * of)) / (1 + (Z * Z) / of);
  const reach = (Z / (1 + (Z * Z) / of)) * Math.sqrt((share * (1 - share)) / of + (Z * Z) / (4 * of * of));
  // At the ends it is exact, but for rounding.
  return { low: count === 0 ? 0 : middle - reach, high: count === of ? 1 : middle + reach };
}
