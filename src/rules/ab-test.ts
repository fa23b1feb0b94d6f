import type { Variant } from '../contracts/campaign';
import { wilson } from './proportions';
import type { Interval } from './proportions';

/** Results of one variant, each message counted once. Automated opens and clicks do not count. */
export interface VariantResult {
  readonly sent: number;
  readonly opened: number;
  readonly clicked: number;
}

/** Returns the variant with the higher unique-open rate; in a tie the one with more unique clicks; then `a` (docs/campaigns.md, A/B). */
export function winnerOf(a: VariantResult, b: VariantResult): Variant {
  // Crosswise, since quotients of equal rates need not be equal.
  const opens = b.opened * Math.max(1, a.sent) - a.opened * Math.max(1, b.sent);
  if (opens !== 0) return opens > 0 ? 'b' : 'a';
  return b.clicked > a.clicked ? 'b' : 'a';
}

/**
 * Returns how many recipients of an audience get A or B first: a share in percent, but at least two if possible, so that there is something
 * to compare.
 */
export const sampleSize = (total: number, percent: number): number =>
  Math.min(total, Math.max(Math.round((total * percent) / 100), Math.min(total, 2)));

/** Returns the variant of the nth recipient of the sample, in the random order of the audience: an even split of a random sample. */
export const variantAt = (index: number): Variant => (index % 2 === 0 ? 'a' : 'b');

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
