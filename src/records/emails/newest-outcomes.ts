import type { ClientSession } from 'mongoose';
import { personId } from '../../platform/addresses';
import type { AddressOutcome } from '../../rules/bounce-class';
import { EmailModel } from './model';
import type { Email } from './model';
import { mailToRecipients } from './mail-to-recipients';
import { CAMPAIGN_INDEX } from './indexes';

/** Limit for messages: if they do not decide, no more will. */
const MOST = 100;

type Outcome = Pick<Email, 'bounceType' | 'bouncedAt' | 'deliveredAt' | 'createdAt'>;

/**
 * Resolves to the outcomes of the newest other live messages to the address of a message, as far as they were delivered, or bounced hard or
 * soft.
 */
export async function otherOutcomes(
  session: ClientSession,
  { _id, projectId, to }: Pick<Email, '_id' | 'projectId' | 'to'>,
  idSalt: string,
): Promise<readonly AddressOutcome[]> {
  const indexed = await EmailModel.collection
    .find<Outcome>(
      { _id: { $ne: _id }, projectId, to, testMode: false },
      { session, projection: { bounceType: 1, bouncedAt: 1, deliveredAt: 1, createdAt: 1 }, sort: { createdAt: -1, _id: -1 }, limit: MOST },
    )
    .toArray();
  const byCampaigns = { projectId, contactIds: [personId('ctc', idSalt, to)] };
  const others: Outcome[] = await mailToRecipients(byCampaigns, { _id: { $ne: _id }, 'recipient.to': to, testMode: false }, session);
  const rows = [...indexed, ...others].sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime()).slice(0, MOST);
  return rows.flatMap(({ bounceType, bouncedAt, deliveredAt }): AddressOutcome[] => {
    if ((bounceType === 'hard' || bounceType === 'soft') && bouncedAt) return [{ kind: bounceType, at: bouncedAt }];
    return deliveredAt ? [{ kind: 'delivered', at: deliveredAt }] : [];
  });
}

/** Resolves to when the newest message of a campaign was written; null where there is none. */
export async function newestMessageAt(projectId: string, campaignId: string, maxTimeMS: number): Promise<Date | null> {
  const row = await EmailModel.collection.findOne<{ readonly createdAt: Date }>(
    { projectId, campaignId },
    { projection: { createdAt: 1, _id: 0 }, sort: { createdAt: -1 }, hint: CAMPAIGN_INDEX, maxTimeMS },
  );
  return row?.createdAt ?? null;
}
