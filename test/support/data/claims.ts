import { CampaignClaimModel } from '../../../src/records/emails/claim-model';

/** Ids of campaign messages that workers have claimed and not recorded. */
export async function claimedNow(filter: object = {}): Promise<readonly string[]> {
  const claims = await CampaignClaimModel.find(filter, { emails: 1 }).lean();
  return claims.flatMap(({ emails }) => emails);
}

/** Messages of them that may be on the wire. */
export const onTheWireNow = async (filter: object = {}): Promise<number> => (await claimedNow({ ...filter, begun: true })).length;
