import type { Variant } from '../contracts/campaign';

/**
 * Returns how many recipients of an audience get A or B first: a share in percent, but at least two if possible, so that there is something
 * to compare.
 */
export const sampleSize = (total: number, percent: number): number =>
  Math.min(total, Math.max(Math.round((total * percent) / 100), Math.min(total, 2)));

/** Returns the variant of the nth recipient of the sample, in the random order of the audience: an even split of a random sample. */
export const variantAt = (index: number): Variant => (index % 2 === 0 ? 'a' : 'b');
