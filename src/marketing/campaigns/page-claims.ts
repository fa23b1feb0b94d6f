import type { ClientSession } from 'mongoose';
import mongoose from 'mongoose';
import type { CampaignPageInput } from '../../contracts/campaign';
import { CampaignPageModel } from './page-model';
import type { CampaignPageRow } from './page-model';

/** The right to begin messages of a page, and where to go on. */
export type PageClaim = Pick<CampaignPageRow, '_id' | 'campaignId' | 'after' | 'untouched'> & { readonly attempt: string };

/** How far a page has come: everything up to `after` is sent or skipped. */
export type PageProgress = Pick<CampaignPageRow, 'after' | 'untouched'>;

const pages = () => CampaignPageModel.collection;
const DUPLICATE = 11_000;
const FREE = { attempt: null, worker: null, at: null } as const;

/**
 * Claims a page for an attempt of a worker. `claimsPages`: all messages of its campaign begin under claims, so that a page without an earlier one has no
 * messages. Resolves to null while another attempt has it.
 */
export async function claimPage(
  { campaignId, from }: Pick<CampaignPageInput, 'campaignId' | 'from'>,
  attempt: { readonly id: string; readonly worker: string; readonly at: Date },
  claimsPages: boolean,
): Promise<PageClaim | null> {
  const _id = `${campaignId}/${from}`;
  const begin: PageProgress = { after: null, untouched: claimsPages };
  try {
    const row = (await pages().findOneAndUpdate(
      { _id: _id as never, attempt: null },
      {
        $set: { attempt: attempt.id, worker: attempt.worker, at: attempt.at },
        $setOnInsert: { campaignId, ...begin, slices: 0, begun: 0, counted: claimsPages },
      },
      { upsert: true, returnDocument: 'after' },
    )) as CampaignPageRow | null;
    return row && { _id, campaignId, attempt: attempt.id, after: row.after, untouched: row.untouched };
  } catch (error) {
    if (error instanceof mongoose.mongo.MongoServerError && error.code === DUPLICATE) return null;
    throw error;
  }
}

/** Confirms, in the transaction in which `begun` messages begin, that the attempt still has the page. Resolves to whether it does. */
export async function confirmPage({ _id, attempt }: PageClaim, begun: number, session: ClientSession): Promise<boolean> {
  const { matchedCount } = await pages().updateOne({ _id: _id as never, attempt }, { $inc: { slices: 1, begun } }, { session });
  return matchedCount === 1;
}

/** Takes messages that did not begin out of the count, in the transaction that gives up their claim. */
export const countUnbegun = async ({ _id }: Pick<PageClaim, '_id'>, begun: number, session: ClientSession): Promise<void> => {
  await pages().updateOne({ _id: _id as never }, { $inc: { begun: -begun } }, { session });
};

/** Counts the begun messages of a sending campaign; null where not all of its pages count them. */
export async function messagesBegun(campaignId: string): Promise<number | null> {
  const [sum] = await pages()
    .aggregate<{ readonly begun: number; readonly uncounted: number }>([
      { $match: { campaignId } },
      { $group: { _id: null, begun: { $sum: '$begun' }, uncounted: { $sum: { $cond: [{ $eq: ['$counted', true] }, 0, 1] } } } },
    ])
    .toArray();
  return sum?.uncounted === 0 ? sum.begun : null;
}

/** Gives a page back; does nothing when another attempt has it. */
export const releasePage = async ({ _id, attempt }: PageClaim, progress: PageProgress): Promise<void> => {
  await pages().updateOne({ _id: _id as never, attempt }, { $set: { ...FREE, ...progress } });
};

/**
 * Takes pages from a worker: all of them when its lease is over, only ones without an active attempt while it lives. No message of theirs can begin any more,
 * and the next attempt looks up the message of each recipient.
 */
export const takePages = async (of: {
  readonly worker: string;
  readonly except: readonly string[];
  readonly claimedBefore: Date;
}): Promise<void> => {
  await pages().updateMany(
    { worker: of.worker, attempt: { $nin: [...of.except] }, at: { $lte: of.claimedBefore } },
    { $set: { ...FREE, untouched: false } },
  );
};

/** Lists workers that have claimed pages. */
export const workersWithPages = async (): Promise<readonly string[]> =>
  (await pages().distinct('worker', { worker: { $gt: '' } })) as string[];

/** Deletes the pages of a campaign that has ended: no message begins under an earlier claim. */
export const forgetPages = async (campaignId: string, session?: ClientSession): Promise<void> => {
  await pages().deleteMany({ campaignId }, session ? { session } : {});
};
