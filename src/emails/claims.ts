import type { ClientSession } from 'mongoose';
import { insertRows } from '../mongo/insert-rows';
import { CampaignClaimModel } from './claim-model';
import type { CampaignClaim } from './claim-model';
import type { Claims } from './ledger';

export type { CampaignClaim } from './claim-model';

const claims = () => CampaignClaimModel.collection;

/** What a claim says of its messages once they are to be sent. */
export type ClaimedMail = Pick<CampaignClaim, 'emails' | 'contacts' | 'to' | 'contents' | 'month'>;

/**
 * Claims messages, without those that others have claimed: the unique index decides. Resolves to the claim as it was stored, or null when all of them are
 * others'. A message that is claimed may have a row already: whoever claimed it before ends a claim after its rows are there.
 */
export async function insertClaim(claim: CampaignClaim): Promise<CampaignClaim | null> {
  let wanted = claim;
  while (wanted.emails.length > 0) {
    const [refused] = await insertRows(CampaignClaimModel, [wanted]);
    if (refused === undefined) return wanted;
    const others = await claims()
      .find<CampaignClaim>({ emails: { $in: [...wanted.emails] } } as never)
      .toArray();
    const earlier = others.find(({ _id }) => _id === claim._id);
    if (earlier) return earlier;
    const taken = new Set(others.flatMap(({ emails }) => emails));
    wanted = { ...wanted, emails: wanted.emails.filter((id) => !taken.has(id)) };
  }
  return null;
}

/** Narrows a claim to the messages that are sent now. Resolves to false when it was taken over: none of them may be sent. */
export async function beginClaim(_id: string, mail: ClaimedMail, session?: ClientSession): Promise<boolean> {
  const update = { $set: { ...mail, begun: true } };
  const { matchedCount } = await claims().updateOne({ _id: _id as never, begun: false }, update, session ? { session } : {});
  return matchedCount === 1;
}

/** Ends a claim; resolves to whether it was there. */
export const endClaim = async (_id: string, session?: ClientSession): Promise<boolean> =>
  (await claims().deleteOne({ _id: _id as never }, session ? { session } : {})).deletedCount === 1;

/** Ends a claim of which nothing has begun: its messages wait as before. */
export const dropClaim = async (_id: string): Promise<void> => {
  await claims().deleteOne({ _id: _id as never, begun: false });
};

/** Withdraws a campaign's claims that have not begun: none of them can begin any more, and their messages wait as before. */
export const withdrawUnbegun = async (campaignId: string): Promise<void> => {
  await claims().deleteMany({ campaignId, begun: false });
};

/** What a worker has claimed. */
export const claimsOf = ({ worker, except, claimedBefore }: Claims): Promise<CampaignClaim[]> =>
  claims()
    .find<CampaignClaim>({ worker, _id: { $nin: [...except] as never[] }, at: { $lte: claimedBefore } })
    .toArray();

/** Workers that have claimed mail of campaigns. */
export const workersWithClaims = async (): Promise<readonly string[]> =>
  (await claims().distinct('worker', { worker: { $gt: '' } })) as string[];

/** Messages of a campaign that are being sent: their first attempt is under way. Some of them may have rows. */
export async function idsBeingSent(campaignId: string, session?: ClientSession): Promise<readonly string[]> {
  const options = session ? { session, readConcern: { level: 'snapshot' } as const } : {};
  const open = await claims()
    .find<Pick<CampaignClaim, 'emails'>>({ campaignId, begun: true }, { ...options, projection: { emails: 1 } })
    .toArray();
  return open.flatMap(({ emails }) => emails);
}

/** Those of the messages that are in a claim, whether or not it has begun. */
export async function idsInClaims(ids: readonly string[]): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  const wanted = new Set(ids);
  const open = claims().find<Pick<CampaignClaim, 'emails'>>({ emails: { $in: [...ids] } } as never, { projection: { emails: 1 } });
  return (await open.toArray()).flatMap((claim) => claim.emails.filter((id) => wanted.has(id)));
}

/** The claims that messages are in while they are being sent. */
export const claimsWith = (ids: readonly string[]): Promise<CampaignClaim[]> =>
  claims()
    .find<CampaignClaim>({ emails: { $in: [...ids] }, begun: true } as never)
    .toArray();
