import type { ClientSession } from 'mongoose';
import { TAG_INDEX, WORKFLOW_INDEX } from './indexes';
import { EmailModel } from './model';

const isSet = (member: string) => ({ $gt: [`$${member}`, null] });

/**
 * Conditions on a row under which a message counts as what: as in the project's statistics, so refused at once it was sent too, and what bounced and was
 * reported is both. One that bounced later is not counted as delivered any more.
 */
export const OUTCOMES = {
  sent: { $or: [isSet('sentAt'), isSet('bouncedAt')] },
  delivered: { $and: [isSet('deliveredAt'), { $not: [isSet('bouncedAt')] }] },
  opened: isSet('openedAt'),
  clicked: isSet('clickedAt'),
  bounced: isSet('bouncedAt'),
  complained: isSet('complainedAt'),
  failed: { $eq: ['$status', 'failed'] },
  unsubscribed: isSet('unsubscribedAt'),
  proxied: isSet('proxiedAt'),
  scanned: isSet('scannedAt'),
} as const;

/** Counts the rows of a group that meet a condition. */
export const times = (condition: object) => ({ $sum: { $cond: [condition, 1, 0] } });

const COUNTED = ['sent', 'delivered', 'opened', 'clicked', 'bounced', 'complained', 'failed', 'unsubscribed'] as const;

export type EmailCounts = Readonly<Record<(typeof COUNTED)[number], number>>;

const SUMS = Object.fromEntries(COUNTED.map((name) => [name, times(OUTCOMES[name])]));

const NONE = Object.fromEntries(COUNTED.map((name) => [name, 0])) as unknown as EmailCounts;

/**
 * Resolves to the outcomes of an automation's messages, by the node that sent them; `none` is for a node that sent none. Test mail does not
 * count.
 */
export async function countByNode(
  projectId: string,
  automationId: string,
  session: ClientSession,
): Promise<ReadonlyMap<string, EmailCounts> & { readonly none: EmailCounts }> {
  const rows = await EmailModel.collection
    .aggregate<EmailCounts & { readonly _id: string | null }>(
      [{ $match: { projectId, workflowId: automationId, testMode: false } }, { $group: { _id: '$nodeId', ...SUMS } }],
      { session, hint: WORKFLOW_INDEX },
    )
    .toArray();
  const counts = rows.flatMap(({ _id, ...sum }) => (_id === null ? [] : [[_id, sum] as const]));
  return Object.assign(new Map<string, EmailCounts>(counts), { none: NONE });
}

/** Mail of one kind, accepted in a span. */
export interface Tagged {
  readonly projectId: string;
  /** Tag in the form `name:value`. */
  readonly tag: string;
  readonly from: Date;
  readonly to: Date;
}

/** Outcomes of the live messages with a tag that were accepted in a bucket of time, by source. */
export interface TaggedCounts extends EmailCounts {
  readonly _id: { readonly at: Date; readonly source: 'transactional' | 'workflow' };
}

/** Reads the rows of the span along the index of tags. */
export const countTagged = ({ projectId, tag, from, to }: Tagged, unit: 'hour' | 'day' | 'month'): Promise<TaggedCounts[]> =>
  EmailModel.collection
    .aggregate<TaggedCounts>(
      [
        { $match: { projectId, tags: tag, createdAt: { $gte: from, $lt: to }, testMode: false } },
        { $group: { _id: { at: { $dateTrunc: { date: '$createdAt', unit } }, source: '$source' }, ...SUMS } },
      ],
      { hint: TAG_INDEX },
    )
    .toArray();
