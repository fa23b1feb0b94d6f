import type { ClientSession } from 'mongoose';
import type { CampaignKey } from '../../contracts/campaign';
import { inOneAnswer, insertRows } from '../../platform/mongo';
import { CampaignClaimModel } from './claim-model';
import type { CampaignClaim } from './claim-model';
import type { Claims } from './ledger';
import { EmailModel } from './model';

export type { CampaignClaim } from './claim-model';

const claims = () => CampaignClaimModel.collection;

/** Stores claims, in the transaction that charges their messages. */
export async function insertClaims(made: readonly CampaignClaim[], session: ClientSession): Promise<void> {
  await insertRows(CampaignClaimModel, made, session);
}

/** Names a claim. */
export type ClaimKey = Pick<CampaignClaim, '_id' | 'campaignId'>;

/** Begins a claim, so that its messages may be sent, each over its transport where there are several; resolves to whether it still exists. */
export const beginClaim = async ({ _id, campaignId }: ClaimKey, transports: readonly string[] | null): Promise<boolean> => {
  const set = { begun: true, ...(transports && { transports: [...transports] }) };
  return (await claims().updateOne({ _id, campaignId, begun: false }, { $set: set })).matchedCount === 1;
};

/** Returns the stage that adds a row `{ unbegun }` for each claim of a campaign that has not begun: its number of messages. */
export const withUnbegun = (campaignId: string) => ({
  $unionWith: {
    coll: CampaignClaimModel.collection.name,
    pipeline: [{ $match: { campaignId, begun: false } }, { $project: { unbegun: { $size: '$emails' } } }],
  },
});

/** A claim that did not begin, and what it had. */
export type Unbegun = Pick<CampaignClaim, 'projectId' | 'page' | 'month'> & { readonly count: number };

/**
 * Deletes claims that have not begun, of a campaign, of a page of it, or by id: none of their messages goes out. Resolves to what they had, which the caller
 * gives back in the same transaction.
 */
export async function dropUnbegun(
  of: { readonly campaignId: string; readonly page?: string } | ClaimKey,
  session: ClientSession,
): Promise<readonly Unbegun[]> {
  const filter = { ...of, begun: false };
  const projection = { projectId: 1, page: 1, month: 1, count: { $size: '$emails' } };
  const found = await claims().find<Unbegun & Pick<CampaignClaim, '_id'>>(filter, { session, projection }).toArray();
  if (found.length === 0) return [];
  await claims().deleteMany({ _id: { $in: found.map(({ _id }) => _id) }, campaignId: of.campaignId, begun: false }, { session });
  return found;
}

/** Ends a claim; resolves to whether it was there. */
export const endClaim = async ({ _id, campaignId }: ClaimKey, session?: ClientSession): Promise<boolean> =>
  (await claims().deleteOne({ _id, campaignId }, session ? { session } : {})).deletedCount === 1;

/** Ends claims; the ones that ended before are left alone. */
export const endClaims = async (ended: readonly ClaimKey[]): Promise<void> => {
  const campaignIds = new Set(ended.map(({ campaignId }) => campaignId));
  await claims().deleteMany({ _id: { $in: ended.map(({ _id }) => _id) }, campaignId: { $in: [...campaignIds] } });
};

/** Forgets what is left of the claims of a campaign that ended long ago. */
export const removeClaims = async (campaignId: string): Promise<void> => {
  await claims().deleteMany({ campaignId });
};

/** Resolves to what a worker has claimed. */
export const claimsOf = ({ worker, except, claimedBefore }: Claims): Promise<CampaignClaim[]> =>
  claims()
    .find<CampaignClaim>({ worker, _id: { $nin: [...except] }, at: { $lte: claimedBefore } })
    .toArray();

/** Resolves to the workers that have claimed mail of campaigns. */
export const workersWithClaims = async (): Promise<readonly string[]> =>
  (await claims().distinct('worker', { worker: { $gt: '' } })) as string[];

/** Finds messages of a campaign that are being sent: their first attempt is under way. Some of them may have rows. */
export const idsBeingSent = async (campaignId: string, session?: ClientSession): Promise<readonly string[]> => [
  ...(await contentsBeingSent(campaignId, session)).keys(),
];

/** Finds the same messages with the content of each. */
export async function contentsBeingSent(campaignId: string, session?: ClientSession): Promise<ReadonlyMap<string, string>> {
  const options = session ? { session, readConcern: { level: 'snapshot' } as const } : {};
  const open = await claims()
    .find<Pick<CampaignClaim, 'emails' | 'contents'>>({ campaignId, begun: true }, { ...options, projection: { emails: 1, contents: 1 } })
    .toArray();
  return new Map(open.flatMap(({ emails, contents }) => emails.map((id, at) => [id, contents[at] ?? contents[0] ?? ''] as const)));
}

/** Finds which of the messages are in a claim, whether or not it has begun. */
export async function idsInClaims(ids: readonly string[]): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  const wanted = new Set(ids);
  const open = claims().find<Pick<CampaignClaim, 'emails'>>({ emails: { $in: [...ids] } }, { projection: { emails: 1 } });
  return (await open.toArray()).flatMap((claim) => claim.emails.filter((id) => wanted.has(id)));
}

/** Resolves to the claims that messages are in while they are being sent. */
export const claimsWith = (ids: readonly string[]): Promise<CampaignClaim[]> =>
  claims()
    .find<CampaignClaim>({ emails: { $in: [...ids] }, begun: true })
    .toArray();

/** Resolves to which of a campaign's messages are there or are being sent. Claims are read first: one that ends meanwhile has left its rows. */
export async function messagesThere({ projectId, campaignId }: CampaignKey, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const claimed = await idsBeingSent(campaignId);
  const rows = await EmailModel.collection
    .find({ _id: { $in: [...ids] }, projectId }, { projection: { _id: 1 }, hint: '_id_', ...inOneAnswer(ids.length) })
    .toArray();
  return new Set([...claimed, ...rows.map(({ _id }) => _id)]);
}
