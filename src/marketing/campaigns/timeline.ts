import { LRUCache } from 'lru-cache';
import { invalid } from '../../platform/core';
import type { Context } from '../../platform/core';
import { perDatabase } from '../../platform/mongo';
import { TIMELINE_COUNTERS, campaignHours } from '../../records/emails';
import type { HourCounts } from '../../records/emails';
import { bucketCount, bucketStart, bucketStarts, bucketsOn } from '../../rules/time-buckets';
import type { Interval } from '../../rules/time-buckets';
import { readCampaign } from './drafts';
import type { Campaign } from './model';

const MAX_STEPS = 400;
/** Counting more messages than this takes long enough to be felt: the answer is kept for a while. */
const MANY = 100_000;
const KEPT_MS = 60_000;

interface TimelineQuery {
  readonly step: Interval;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

type Counts = Readonly<Record<(typeof TIMELINE_COUNTERS)[number], number>>;

export interface CampaignTimeline {
  readonly campaignId: string;
  readonly step: Interval;
  /** The beginning of the first step. */
  readonly from: Date;
  /** The end of the last one. */
  readonly to: Date;
  readonly series: readonly { readonly at: Date; readonly counts: Counts }[];
}

const kept = perDatabase(() => new LRUCache<string, Promise<HourCounts>>({ max: 1_000, ttl: KEPT_MS }));

/** Counts by hour; those of a campaign with more than 100,000 recipients are up to a minute old, and one pass answers everybody who asks meanwhile. */
function hoursOf({ _id, projectId, audienceSize }: Campaign): Promise<HourCounts> {
  if (audienceSize <= MANY) return campaignHours(projectId, _id);
  const known = kept().get(_id);
  if (known) return known;
  const counted = campaignHours(projectId, _id);
  kept().set(_id, counted);
  counted.catch(() => kept().delete(_id));
  return counted;
}

/**
 * Resolves to what happened to the live messages of a campaign by UTC hour or day, from its start on; steps without anything are included. Throws `not_found`, and 422
 * for more than 400 steps, or an end that is not after the beginning.
 */
export async function readTimeline(ctx: Context, id: string, query: TimelineQuery): Promise<CampaignTimeline> {
  const campaign = await readCampaign(ctx, id);
  const { step } = query;
  const { from, to } = rangeOf(campaign, query, new Date());
  const sums = new Map<number, Record<string, number>>();
  if (campaign.startedAt !== null) {
    for (const [hour, counts] of await hoursOf(campaign)) {
      const at = bucketStart(new Date(hour), step).getTime();
      const sum = sums.get(at) ?? {};
      for (const name of TIMELINE_COUNTERS) sum[name] = (sum[name] ?? 0) + counts[name];
      sums.set(at, sum);
    }
  }
  const series = bucketStarts(from, to, step).map((at) => {
    const sum = sums.get(at.getTime());
    return { at, counts: Object.fromEntries(TIMELINE_COUNTERS.map((name) => [name, sum?.[name] ?? 0])) as Counts };
  });
  return { campaignId: id, step, from, to, series };
}

/** Unless the caller says otherwise, from the start of the campaign up to the running step, and no more than 400 steps. */
function rangeOf(
  { startedAt, createdAt }: Campaign,
  { step, from, to }: TimelineQuery,
  now: Date,
): { readonly from: Date; readonly to: Date } {
  const begin = bucketStart(from ?? startedAt ?? createdAt, step);
  const running = bucketsOn(bucketStart(now, step), step, 1);
  const last = bucketsOn(begin, step, MAX_STEPS);
  const asked = to && bucketsOn(bucketStart(new Date(to.getTime() - 1), step), step, 1);
  const end = asked ?? (running < last ? running : last);
  if (begin >= end) throw invalid('from', 'invalid_combination', 'Must be before `to`');
  if (bucketCount(begin, end, step) > MAX_STEPS) throw invalid('from', 'too_big', `At most ${MAX_STEPS} steps`);
  return { from: begin, to: end };
}
