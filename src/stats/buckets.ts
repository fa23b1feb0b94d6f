import { bucketCount, bucketStart, bucketStarts } from '../rules/time-buckets';
import type { Interval as EvenInterval } from '../rules/time-buckets';

export type Interval = EvenInterval | 'month';

const monthOf = (at: Date): number => at.getUTCFullYear() * 12 + at.getUTCMonth();

/** Not `Date.UTC`, which takes the first hundred years for those of the twentieth century. */
const beginningOf = (month: number): Date => {
  const at = new Date(0);
  at.setUTCFullYear(Math.floor(month / 12), month % 12, 1);
  return at;
};

/** The bucket that an instant lies in. */
export const bucketOf = (at: Date, interval: Interval): Date =>
  interval === 'month' ? beginningOf(monthOf(at)) : bucketStart(at, interval);

/** How many UTC hours, days or calendar months the time from `from` (inclusive) to `to` (exclusive, later) touches. */
export function bucketsTouched(from: Date, to: Date, interval: Interval): number {
  return interval === 'month' ? monthOf(new Date(to.getTime() - 1)) - monthOf(from) + 1 : bucketCount(from, to, interval);
}

/** The beginnings of those, in order. */
export function bucketsBetween(from: Date, to: Date, interval: Interval): readonly Date[] {
  if (interval !== 'month') return bucketStarts(from, to, interval);
  return Array.from({ length: bucketsTouched(from, to, interval) }, (_, index) => beginningOf(monthOf(from) + index));
}
