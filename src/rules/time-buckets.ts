const MS = { hour: 3_600_000, day: 86_400_000 } as const;

export type Interval = keyof typeof MS;

/** Returns the beginning of the UTC hour or day that an instant lies in. */
export const bucketStart = (at: Date, interval: Interval): Date => new Date(Math.floor(at.getTime() / MS[interval]) * MS[interval]);

/** Returns an instant this many buckets later, or earlier if negative. */
export const bucketsOn = (at: Date, interval: Interval, buckets: number): Date => new Date(at.getTime() + buckets * MS[interval]);

/** Returns how many buckets the time from `from` (inclusive) to `to` (exclusive) touches. */
export const bucketCount = (from: Date, to: Date, interval: Interval): number =>
  Math.max(0, Math.ceil((to.getTime() - bucketStart(from, interval).getTime()) / MS[interval]));

/** Returns the beginnings of those buckets, in order. */
export function bucketStarts(from: Date, to: Date, interval: Interval): readonly Date[] {
  const first = bucketStart(from, interval);
  return Array.from({ length: bucketCount(from, to, interval) }, (_, index) => bucketsOn(first, interval, index));
}
