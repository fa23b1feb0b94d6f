import type { Context } from '../../platform/core';
import { invalid } from '../../platform/core';
import { historyByBucket } from '../emails';
import { bucketCount, bucketStart, bucketStarts, bucketsOn } from '../../rules/time-buckets';
import type { Interval } from '../../rules/time-buckets';
import { EventModel } from './model';

const MAX_BUCKETS = 400;
/** Default number of buckets: thirty days, or two days by the hour. */
const SPAN: Readonly<Record<Interval, number>> = { day: 30, hour: 48 };

interface StatsQuery {
  readonly name?: string | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  readonly interval: Interval;
}

export interface EventStats {
  readonly total: number;
  readonly series: readonly { readonly at: Date; readonly count: number }[];
}

/**
 * Returns the range that a query asks for; without `to` it ends with the running bucket. Throws 422 for more than 400 buckets, or an end
 * before the beginning.
 */
function rangeOf({ from, to, interval }: StatsQuery): { readonly from: Date; readonly to: Date } {
  const end = to ?? bucketsOn(bucketStart(new Date(), interval), interval, 1);
  const last = bucketStart(new Date(end.getTime() - 1), interval);
  const begin = from ?? bucketsOn(last, interval, 1 - SPAN[interval]);
  if (begin > end) throw invalid('from', 'invalid_combination', 'Must not be after `to`');
  if (bucketCount(begin, end, interval) > MAX_BUCKETS) throw invalid('from', 'too_big', `At most ${MAX_BUCKETS} buckets`);
  return { from: begin, to: end };
}

/**
 * Counts events by the UTC hour or day in which they happened; empty buckets are included. The range may cut the first and the last one.
 */
export async function eventStats(ctx: Context, query: StatsQuery): Promise<EventStats> {
  const { interval } = query;
  const { from, to } = rangeOf(query);
  const found = await Promise.all([
    countAlone(ctx.projectId, query, from, to),
    historyByBucket({ projectId: ctx.projectId, name: query.name }, { from, to, interval }),
  ]);
  const counts = new Map<number, number>();
  for (const { _id, count } of found.flat()) counts.set(_id.getTime(), (counts.get(_id.getTime()) ?? 0) + count);
  const series = bucketStarts(from, to, interval).map((at) => ({ at, count: counts.get(at.getTime()) ?? 0 }));
  return { total: series.reduce((sum, { count }) => sum + count, 0), series };
}

interface BucketCount {
  readonly _id: Date;
  readonly count: number;
}

const bucketOf = (interval: Interval) => ({ $dateTrunc: { date: '$createdAt', unit: interval } });

const countAlone = (projectId: string, { name, interval }: StatsQuery, from: Date, to: Date): Promise<BucketCount[]> =>
  EventModel.collection
    .aggregate<BucketCount>([
      { $match: { projectId, ...(name !== undefined && { name }), createdAt: { $gte: from, $lt: to } } },
      { $group: { _id: bucketOf(interval), count: { $sum: 1 } } },
    ])
    .toArray();
