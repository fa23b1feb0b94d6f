import { bucketStart } from '../../rules/time-buckets';
import { EmailModel } from './model';
import { CAMPAIGN_INDEX } from './indexes';

/** Counters of a timeline: each message once, at the instant that its row holds. */
export const TIMELINE_COUNTERS = [
  'sent',
  'delivered',
  'opened',
  'clicked',
  'bounced',
  'complained',
  'unsubscribed',
  'proxied',
  'scanned',
] as const;
type TimelineCounter = (typeof TIMELINE_COUNTERS)[number];

/** Counts by the beginning of a UTC hour, in milliseconds. */
export type HourCounts = ReadonlyMap<number, Readonly<Record<TimelineCounter, number>>>;

/** A message that was refused at once was sent too; one that bounced later is not delivered any more (docs/stats.md). */
const INSTANT = {
  sent: { $ifNull: ['$sentAt', '$bouncedAt'] },
  delivered: { $cond: [{ $gt: ['$bouncedAt', null] }, null, '$deliveredAt'] },
  opened: '$openedAt',
  clicked: '$clickedAt',
  bounced: '$bouncedAt',
  complained: '$complainedAt',
  unsubscribed: '$unsubscribedAt',
  proxied: '$proxiedAt',
  scanned: '$scannedAt',
} as const satisfies Readonly<Record<TimelineCounter, unknown>>;

const HOURS = Object.fromEntries(TIMELINE_COUNTERS.map((name) => [name, { $dateTrunc: { date: INSTANT[name], unit: 'hour' } }]));

const NOTHING = Object.fromEntries(TIMELINE_COUNTERS.map((name) => [name, 0])) as Record<TimelineCounter, number>;

type Alike = { readonly _id: Readonly<Partial<Record<TimelineCounter, Date | null>>>; readonly count: number };

/**
 * Counts what happened to a campaign's live messages by hour, from their rows: one pass along the index of the campaign, in which the database puts messages together
 * that went through the same in the same hours.
 */
export async function campaignHours(projectId: string, campaignId: string): Promise<HourCounts> {
  const groups = EmailModel.collection.aggregate<Alike>(
    [{ $match: { projectId, campaignId, testMode: { $ne: true } } }, { $group: { _id: HOURS, count: { $sum: 1 } } }],
    { hint: CAMPAIGN_INDEX, allowDiskUse: true },
  );
  const hours = new Map<number, Record<TimelineCounter, number>>();
  for await (const { _id, count } of groups) {
    for (const name of TIMELINE_COUNTERS) {
      const at = _id[name];
      if (!at) continue;
      const hour = bucketStart(at, 'hour').getTime();
      const counts = hours.get(hour) ?? { ...NOTHING };
      counts[name] += count;
      hours.set(hour, counts);
    }
  }
  return hours;
}
