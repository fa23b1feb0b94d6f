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

/** The known opens of delivered messages. */
interface Opens {
  readonly delivered: number;
  /** Messages that a person opened, or clicked a link in. */
  readonly opened: number;
  /** Messages whose images a proxy loaded ahead of the reader: an open of them is seldom seen. */
  readonly proxied: number;
  /** Messages of both. */
  readonly proxiedOpened: number;
}

interface OpenEstimate {
  readonly opened: number;
  readonly low: number;
  readonly high: number;
  readonly confidence: number;
}

/**
 * Estimates how many messages were opened: readers behind a proxy are taken to open as often as all others do, which is known to within Wilson's interval. Those of them
 * that were seen to open are the least. Null without other readers.
 */
export function estimateOpens({ delivered, opened, proxied, proxiedOpened }: Opens): OpenEstimate | null {
  const others = delivered - proxied;
  if (others <= 0) return null;
  const seen = Math.min(others, Math.max(0, opened - proxiedOpened));
  const { low, high } = wilson(seen, others);
  const total = (share: number): number => seen + Math.max(proxiedOpened, Math.round(share * proxied));
  return { opened: total(seen / others), low: total(low), high: total(high), confidence: CONFIDENCE };
}
