import type { Claim } from '../../../src/records/emails/attempts';
import { CampaignClaimModel } from '../../../src/records/emails/claim-model';
import type { Email } from '../../../src/records/emails/model';
import type { Attempt } from '../../../src/records/emails/parts';

/** Returns the claim of a worker on messages. */
export const claimOf = (emails: readonly Pick<Email, '_id' | 'projectId'>[], attempt: Attempt, now = new Date()): Claim => ({
  ids: emails.map(({ _id }) => _id),
  projectIds: [...new Set(emails.map(({ projectId }) => projectId))],
  attempt,
  now,
});

/** Ids of campaign messages that workers have claimed and not recorded. */
export async function claimedNow(filter: object = {}): Promise<readonly string[]> {
  const claims = await CampaignClaimModel.find(filter, { emails: 1 }).lean();
  return claims.flatMap(({ emails }) => emails);
}

/** Messages of them that may be on the wire. */
export const onTheWireNow = async (filter: object = {}): Promise<number> => (await claimedNow({ ...filter, begun: true })).length;
