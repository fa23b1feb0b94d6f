import { bucketCount, bucketStart, bucketStarts, bucketsOn } from '../../rules/time-buckets';
import type { Interval as EvenInterval } from '../../rules/time-buckets';

export type Interval = EvenInterval | 'month';

/** From an instant up to another, exclusive. */
export interface Span {
  readonly from: Date;
  readonly to: Date;
}

const monthOf = (at: Date): number => at.getUTCFullYear() * 12 + at.getUTCMonth();

// Not `Date.UTC`, which takes the first hundred years for years of the twentieth century.
const beginningOf = (month: number): Date => {
  const at = new Date(0);
  at.setUTCFullYear(Math.floor(month / 12), month % 12, 1);
  return at;
};

/** Returns the bucket that an instant lies in. */
export const bucketOf = (at: Date, interval: Interval): Date =>
  interval === 'month' ? beginningOf(monthOf(at)) : bucketStart(at, interval);

/** Returns how many UTC hours, days or calendar months the time from `from` (inclusive) to `to` (exclusive, later) touches. */
export function bucketsTouched(from: Date, to: Date, interval: Interval): number {
  return interval === 'month' ? monthOf(new Date(to.getTime() - 1)) - monthOf(from) + 1 : bucketCount(from, to, interval);
}

/** Returns the beginnings of those, in order. */
export function bucketsBetween(from: Date, to: Date, interval: Interval): readonly Date[] {
  if (interval !== 'month') return bucketStarts(from, to, interval);
  return Array.from({ length: bucketsTouched(from, to, interval) }, (_, index) => beginningOf(monthOf(from) + index));
}

/** Returns a span as the whole UTC hours in it, which may be none, and what it has of the hours at its ends: two parts of hours at most. */
export function splitAtHours({ from, to }: Span): { readonly hours: Span; readonly edges: readonly Span[] } {
  const first = bucketsOn(bucketStart(new Date(from.getTime() - 1), 'hour'), 'hour', 1);
  const end = bucketStart(to, 'hour');
  if (first > end) return { hours: { from: first, to: first }, edges: [{ from, to }] };
  const ends = [
    { from, to: first },
    { from: end, to },
  ];
  return { hours: { from: first, to: end }, edges: ends.filter((edge) => edge.from < edge.to) };
}
