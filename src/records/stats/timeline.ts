import { LRUCache } from 'lru-cache';
import { invalid } from '../../platform/core';
import { perDatabase } from '../../platform/mongo';
import { bucketCount, bucketStart, bucketStarts, bucketsOn } from '../../rules/time-buckets';
import type { Interval } from '../../rules/time-buckets';
import type { Span } from './buckets';

const MAX_BUCKETS = 400;
/** Counting more rows than this takes long enough to be felt: the answer is kept for a while. */
const MANY = 100_000;
const KEPT_MS = 60_000;

export interface TimelineQuery {
  readonly step: Interval;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

/** Counts by the beginning of a UTC hour, in milliseconds. */
type HourCounts = ReadonlyMap<number, Readonly<Record<string, number>>>;

/** Counts over time: the beginning of the first bucket, the end of the last one, and all buckets; `step` is their length. */
export interface Timeline<Counter extends string> extends Span {
  readonly step: Interval;
  readonly series: readonly { readonly at: Date; readonly counts: Readonly<Record<Counter, number>> }[];
}

const kept = perDatabase(() => new LRUCache<string, Promise<readonly HourCounts[]>>({ max: 1_000, ttl: KEPT_MS }));

/** Counts by hour; counts of more than 100,000 rows are up to a minute old, and one pass answers everybody who asks meanwhile. */
function hoursOf(id: string, rows: number, count: () => Promise<readonly HourCounts[]>): Promise<readonly HourCounts[]> {
  if (rows <= MANY) return count();
  const known = kept().get(id);
  if (known) return known;
  const counted = count();
  kept().set(id, counted);
  counted.catch(() => kept().delete(id));
  return counted;
}

interface Counted<Counter extends string> {
  readonly id: string;
  readonly counters: readonly Counter[];
  readonly span: Span;
  readonly step: Interval;
  /** Rough number of rows that are counted. */
  readonly rows: number;
  readonly count: () => Promise<readonly HourCounts[]>;
}

/** Resolves to counts by UTC hour or day within a span of whole buckets; buckets without anything are included. */
export async function timelineOf<Counter extends string>(counted: Counted<Counter>): Promise<Timeline<Counter>> {
  const { id, counters, span, step, rows, count } = counted;
  const sums = new Map<number, Record<string, number>>();
  for (const hours of await hoursOf(id, rows, count)) {
    for (const [hour, counts] of hours) {
      const at = bucketStart(new Date(hour), step).getTime();
      const sum = sums.get(at) ?? {};
      for (const [name, by] of Object.entries(counts)) sum[name] = (sum[name] ?? 0) + by;
      sums.set(at, sum);
    }
  }
  const series = bucketStarts(span.from, span.to, step).map((at) => {
    const sum = sums.get(at.getTime());
    return { at, counts: Object.fromEntries(counters.map((name) => [name, sum?.[name] ?? 0])) as Record<Counter, number> };
  });
  return { step, ...span, series };
}

/**
 * Returns the whole buckets from `begin` to the running one, unless the query says otherwise, and no more than 400: the first ones, or with `latest` the last ones. Throws 422
 * for more that was asked for, and for an end that is not after the beginning.
 */
export function timelineSpan(begin: Date, { step, from, to }: TimelineQuery, now: Date, which: 'first' | 'latest'): Span {
  const end = bucketsOn(bucketStart(to ? new Date(to.getTime() - 1) : now, step), step, 1);
  const start = bucketStart(from ?? begin, step);
  const earliest = from === undefined && which === 'latest' ? bucketsOn(end, step, -MAX_BUCKETS) : start;
  const first = start > earliest ? start : earliest;
  const last = bucketsOn(first, step, MAX_BUCKETS);
  const until = to === undefined && last < end ? last : end;
  if (first >= until) throw invalid('from', 'invalid_combination', 'Must be before `to`');
  if (bucketCount(first, until, step) > MAX_BUCKETS) throw invalid('from', 'too_big', `At most ${MAX_BUCKETS} buckets`);
  return { from: first, to: until };
}
