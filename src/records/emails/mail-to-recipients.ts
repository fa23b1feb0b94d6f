import type { ClientSession } from 'mongoose';
import { campaignMailId } from '../../rules/campaign-mail-ids';
import { campaignStarts } from './campaign-starts';
import { HEAVY, findMail } from './row';
import type { Email } from './model';

/** Campaign messages that keep their recipient out of the indexes: `_id` names it. */
export interface ToRecipients {
  readonly projectId: string;
  readonly contactIds: readonly string[];
  /** Only of this campaign. */
  readonly campaignId?: string | undefined;
}

/** Ids of one query. */
const TOGETHER = 5_000;

/** Filters that together find what campaigns have sent to contacts. */
export async function filtersOf({ projectId, contactIds, campaignId }: ToRecipients): Promise<readonly Record<string, unknown>[]> {
  const all = await campaignStarts(projectId);
  const starts = [...all].flatMap(([id, start]) => (campaignId === undefined || id === campaignId ? [start] : []));
  const ids = contactIds.flatMap((contactId) => starts.map((start) => campaignMailId(start, contactId)));
  return Array.from({ length: Math.ceil(ids.length / TOGETHER) }, (_, index) => ({
    _id: { $in: ids.slice(index * TOGETHER, (index + 1) * TOGETHER) },
    projectId,
    recipient: { $exists: true },
  }));
}

/** Resolves to what campaigns have sent to contacts and fits `conditions`, in no order; contents are left out. */
export async function mailToRecipients(
  which: ToRecipients,
  conditions: Readonly<Record<string, unknown>>,
  session?: ClientSession,
): Promise<Email[]> {
  const found: Email[] = [];
  for (const filter of await filtersOf(which)) {
    found.push(...(await findMail({ $and: [filter, conditions] }, { projection: HEAVY, ...(session && { session }) })));
  }
  return found;
}
