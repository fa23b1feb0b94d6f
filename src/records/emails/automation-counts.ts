import type { ClientSession } from 'mongoose';
import { EmailModel } from './model';
import { WORKFLOW_INDEX } from './indexes';

const COUNTED = ['sent', 'delivered', 'opened', 'clicked', 'bounced', 'complained', 'failed', 'unsubscribed', 'received'] as const;

export type EmailCounts = Readonly<Record<(typeof COUNTED)[number], number>>;

const there = (member: string) => ({ $gt: [`$${member}`, null] });

/**
 * When a message counts as what: as in the project's statistics, so refused at once it was sent too, and what bounced and was reported is both. One that
 * bounced later is not counted as delivered any more.
 */
const WHEN: Readonly<Record<(typeof COUNTED)[number], unknown>> = {
  sent: { $or: [there('sentAt'), there('bouncedAt')] },
  delivered: { $and: [there('deliveredAt'), { $not: [there('bouncedAt')] }] },
  opened: there('openedAt'),
  clicked: there('clickedAt'),
  bounced: there('bouncedAt'),
  complained: there('complainedAt'),
  failed: { $eq: ['$status', 'failed'] },
  unsubscribed: there('unsubscribedAt'),
  received: false,
};

const NONE = Object.fromEntries(COUNTED.map((name) => [name, 0])) as EmailCounts;

/**
 * Resolves to the outcomes of an automation's messages, by the node that sent them; `none` is for a node that sent none. Test mail does not
 * count.
 */
export async function countByNode(
  projectId: string,
  automationId: string,
  session: ClientSession,
): Promise<ReadonlyMap<string, EmailCounts> & { readonly none: EmailCounts }> {
  const sums = COUNTED.map((name) => [name, { $sum: { $cond: [WHEN[name], 1, 0] } }] as const);
  const rows = await EmailModel.collection
    .aggregate<EmailCounts & { readonly _id: string | null }>(
      [{ $match: { projectId, workflowId: automationId, testMode: false } }, { $group: { _id: '$nodeId', ...Object.fromEntries(sums) } }],
      { session, hint: WORKFLOW_INDEX },
    )
    .toArray();
  const counts = rows.flatMap(({ _id, ...sum }) => (_id === null ? [] : [[_id, sum] as const]));
  return Object.assign(new Map<string, EmailCounts>(counts), { none: NONE });
}
