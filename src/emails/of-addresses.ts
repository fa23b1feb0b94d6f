import type { ClientSession } from 'mongoose';
import type { AddressOutcome } from '../rules/soft-bounces';
import { EmailModel } from './model';
import type { Email } from './model';

/** A run of soft bounces that is not decided by so many messages never will be. */
const MOST = 100;

/** What became of the newest live messages to the address of one, that one left out, as far as they were delivered or bounced soft. */
export async function otherOutcomes(
  session: ClientSession,
  { _id, projectId, to }: Pick<Email, '_id' | 'projectId' | 'to'>,
): Promise<readonly AddressOutcome[]> {
  const rows = await EmailModel.collection
    .find<Pick<Email, 'bounceType' | 'bouncedAt' | 'deliveredAt'>>(
      { _id: { $ne: _id as never }, projectId, to, testMode: false },
      { session, projection: { bounceType: 1, bouncedAt: 1, deliveredAt: 1 }, sort: { createdAt: -1, _id: -1 }, limit: MOST },
    )
    .toArray();
  return rows.flatMap(({ bounceType, bouncedAt, deliveredAt }): AddressOutcome[] => {
    if (bounceType === 'soft' && bouncedAt) return [{ kind: 'soft', at: bouncedAt }];
    return deliveredAt ? [{ kind: 'delivered', at: deliveredAt }] : [];
  });
}
