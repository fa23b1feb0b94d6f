import { bucketStart } from '../../rules/time-buckets';
import { EmailModel } from './model';
import { CAMPAIGN_INDEX, WORKFLOW_INDEX } from './indexes';

/** Counters of a timeline: each message once, at the instant that its row holds. */
export const MAIL_COUNTERS = [
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
type MailCounter = (typeof MAIL_COUNTERS)[number];

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
} as const satisfies Readonly<Record<MailCounter, unknown>>;

const HOURS = Object.fromEntries(MAIL_COUNTERS.map((name) => [name, { $dateTrunc: { date: INSTANT[name], unit: 'hour' } }]));

const NOTHING = Object.fromEntries(MAIL_COUNTERS.map((name) => [name, 0])) as Record<MailCounter, number>;

type Alike = { readonly _id: Readonly<Partial<Record<MailCounter, Date | null>>>; readonly count: number };

/** The messages of a campaign, or those of an automation. */
type Sender = { readonly campaignId: string } | { readonly workflowId: string };

/**
 * Counts what happened to the live messages of a campaign or an automation by the beginning of their UTC hours, in milliseconds, from their rows: one pass along the index of
 * the sender, in which the database puts messages together that went through the same in the same hours.
 */
export async function mailHours(projectId: string, sender: Sender): Promise<ReadonlyMap<number, Readonly<Record<MailCounter, number>>>> {
  const groups = EmailModel.collection.aggregate<Alike>(
    [{ $match: { projectId, ...sender, testMode: { $ne: true } } }, { $group: { _id: HOURS, count: { $sum: 1 } } }],
    { hint: 'campaignId' in sender ? CAMPAIGN_INDEX : WORKFLOW_INDEX, allowDiskUse: true },
  );
  const hours = new Map<number, Record<MailCounter, number>>();
  for await (const { _id, count } of groups) {
    for (const name of MAIL_COUNTERS) {
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
