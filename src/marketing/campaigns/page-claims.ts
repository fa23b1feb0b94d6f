import type { ClientSession } from 'mongoose';
import type { CampaignPageInput } from '../../contracts/campaign';
import { inTransaction, isDuplicate, model, rowSchema } from '../../platform/mongo';
import { addUsages } from '../../records/billing';
import { dropUnbegun, withUnbegun } from '../../records/emails';

/** A page of a campaign's audience, from when its first message may begin until its campaign ends: which attempt sends it, and how far it has come. */
interface CampaignPageRow {
  /** The campaign and the position at which the page begins, in the form of its recipients' ids. */
  readonly _id: string;
  readonly campaignId: string;
  /** The attempt that may begin messages of it, its worker, and since when; null between attempts. */
  readonly attempt: string | null;
  readonly worker: string | null;
  readonly at: Date | null;
  /** Recipients up to this one are sent or skipped; null when none is known to be. */
  readonly after: string | null;
  /** No message of the recipients after it has begun, so that they need no lookup. */
  readonly untouched: boolean;
  /** Grows whenever messages of it are claimed, so that of two concurrent changes one is refused. */
  readonly slices: number;
  /** The send time of the recipients that were read last, in milliseconds; absent for a campaign without send times. */
  readonly turn?: number;
  /** Number of its messages that have begun, or are in a claim that has not. */
  readonly begun: number;
}

const text = { type: String, default: null };

const pageSchema = rowSchema<CampaignPageRow>({
  _id: { type: String, required: true },
  campaignId: { type: String, required: true },
  attempt: text,
  worker: text,
  at: { type: Date, default: null },
  after: text,
  untouched: { type: Boolean, required: true },
  turn: { type: Number },
  slices: { type: Number, default: 0 },
  begun: { type: Number, default: 0 },
});
pageSchema.index({ worker: 1 }, { partialFilterExpression: { worker: { $gt: '' } } }); // pages of a lost worker
pageSchema.index({ campaignId: 1 }); // pages of a campaign that ends

export const CampaignPageModel = model<CampaignPageRow>('CampaignPage', pageSchema, 'campaign_pages');

/** The right to begin messages of a page, and the position to continue at. */
export type PageClaim = Pick<CampaignPageRow, '_id' | 'campaignId' | 'after' | 'untouched'> & { readonly attempt: string };

/** Progress of a page: everything up to `after` is sent or skipped. */
export type PageProgress = Pick<CampaignPageRow, 'after' | 'untouched'>;

const pages = () => CampaignPageModel.collection;
const FREE = { attempt: null, worker: null, at: null } as const;

/** Claims a page for an attempt of a worker. Resolves to null while another attempt has it. */
export async function claimPage(
  { campaignId, from, turn }: Pick<CampaignPageInput, 'campaignId' | 'from' | 'turn'>,
  attempt: { readonly id: string; readonly worker: string; readonly at: Date },
): Promise<PageClaim | null> {
  const _id = `${campaignId}/${from}`;
  // All messages begin under claims, so that a page without an earlier one has none. Each send time cuts the audience into different pages.
  const begin: PageProgress = { after: null, untouched: turn === undefined };
  try {
    const row = (await pages().findOneAndUpdate(
      { _id: _id, campaignId, attempt: null },
      {
        $set: { attempt: attempt.id, worker: attempt.worker, at: attempt.at, ...(turn && { turn: turn.at }) },
        $setOnInsert: { ...begin, slices: 0, begun: 0 },
      },
      { upsert: true, returnDocument: 'after' },
    )) as CampaignPageRow | null;
    return row && { _id, campaignId, attempt: attempt.id, after: row.after, untouched: row.untouched };
  } catch (error) {
    if (isDuplicate(error)) return null;
    throw error;
  }
}

/** Confirms, in the transaction that claims this many of its messages, that the attempt still has the page. Resolves to whether it does. */
export async function confirmPage({ _id, campaignId, attempt }: PageClaim, claimed: number, session: ClientSession): Promise<boolean> {
  const { matchedCount } = await pages().updateOne({ _id: _id, campaignId, attempt }, { $inc: { slices: 1, begun: claimed } }, { session });
  return matchedCount === 1;
}

type PageKey = Pick<CampaignPageRow, '_id' | 'campaignId'>;

/** Takes messages that did not go out of the count, in the transaction that gives up their claim. */
export const countUnbegun = async ({ _id, campaignId }: PageKey, unbegun: number, session: ClientSession): Promise<void> => {
  await pages().updateOne({ _id: _id, campaignId }, { $inc: { begun: -unbegun } }, { session });
};

/** Counts the begun messages of a sending campaign, as of one instant; null while it has no pages. */
export async function messagesBegun(campaignId: string): Promise<number | null> {
  const [sum] = await pages()
    .aggregate<{ readonly begun: number; readonly unbegun: number }>(
      [
        { $match: { campaignId } },
        { $project: { begun: 1 } },
        withUnbegun(campaignId),
        { $group: { _id: null, begun: { $sum: '$begun' }, unbegun: { $sum: '$unbegun' } } },
      ],
      { readConcern: { level: 'snapshot' } },
    )
    .toArray();
  return sum ? sum.begun - sum.unbegun : null;
}

/**
 * Deletes claims that have not begun, of a campaign, of a page of it, or by id, and gives back what their messages were charged. A page is taken away in the
 * same transaction: of that and the begin of a claim, one is refused.
 */
export async function giveUpClaims(of: Parameters<typeof dropUnbegun>[0], session: ClientSession): Promise<void> {
  const dropped = await dropUnbegun(of, session);
  const unbegun = new Map<string, number>();
  for (const { page, count } of dropped) unbegun.set(page, (unbegun.get(page) ?? 0) + count);
  for (const [page, count] of unbegun) await countUnbegun({ _id: page, campaignId: of.campaignId }, count, session);
  const usages = dropped.flatMap(({ projectId, month, count }) =>
    month === null ? [] : [{ projectId, month, source: 'campaign' as const, messages: -count, credits: -count }],
  );
  await addUsages(session, usages);
}

/** Gives a page back, and its claims that have not begun; does nothing when another attempt has it. */
export const releasePage = (page: PageClaim, progress: PageProgress): Promise<void> => freePage(page, { ...FREE, ...progress });

/**
 * Takes pages from a worker: all of them when its lease is over, only ones without an active attempt while it lives. No message of theirs can begin any more,
 * and the next attempt looks up the message of each recipient.
 */
export async function takePages(of: {
  readonly worker: string;
  readonly except: readonly string[];
  readonly claimedBefore: Date;
}): Promise<void> {
  const filter = { worker: of.worker, attempt: { $nin: [...of.except] }, at: { $lte: of.claimedBefore } };
  const theirs = await pages()
    .find<PageClaim>(filter, { projection: { campaignId: 1, attempt: 1 } })
    .toArray();
  for (const page of theirs) await freePage(page, { ...FREE, untouched: false });
}

type AttemptedPage = Pick<PageClaim, '_id' | 'campaignId' | 'attempt'>;

const freePage = (page: AttemptedPage, set: Partial<CampaignPageRow>): Promise<void> =>
  inTransaction((session) => freePageIn(session, page, set));

async function freePageIn(session: ClientSession, page: AttemptedPage, set: Partial<CampaignPageRow>): Promise<void> {
  const { _id, campaignId, attempt } = page;
  const { matchedCount } = await pages().updateOne({ _id: _id, campaignId, attempt }, { $set: set }, { session });
  if (matchedCount === 1) await giveUpClaims({ campaignId, page: _id }, session);
}

/**
 * Takes the page that a recipient is on from the attempt that has it, if one does: the next attempt that claims it reads the recipient again. If a claim of its
 * messages, or the start of one, comes at the same time, the database refuses one of the two.
 */
export const takePageOf = (campaignId: string, recipientId: string): Promise<void> =>
  inTransaction(async (session) => {
    const upTo = { campaignId, _id: { $gte: `${campaignId}/`, $lte: recipientId } };
    const last = async (more: object): Promise<CampaignPageRow | undefined> =>
      (
        await pages()
          .find<CampaignPageRow>({ ...upTo, ...more }, { session, sort: { _id: -1 }, limit: 1 })
          .toArray()
      )[0];
    const page = await last({});
    // Each send time cuts different pages: the last one that begins before the recipient may belong to an earlier send time.
    const active = page && page.attempt === null && page.turn !== undefined ? await last({ attempt: { $gt: '' } }) : page;
    if (active && active.attempt !== null) await freePageIn(session, { ...active, attempt: active.attempt }, { ...FREE, untouched: false });
  });

/** Takes all pages of a campaign, and gives up their claims that have not begun: what begins from now on has read the campaign since. */
export const interruptPages = (campaignId: string): Promise<void> =>
  inTransaction(async (session) => {
    await pages().updateMany({ campaignId, attempt: { $gt: '' } }, { $set: { ...FREE, untouched: false } }, { session });
    await giveUpClaims({ campaignId }, session);
  });

/** Lists workers that have claimed pages. */
export const workersWithPages = async (): Promise<readonly string[]> =>
  (await pages().distinct('worker', { worker: { $gt: '' } })) as string[];

/** Deletes the pages of a campaign that has ended, and their claims that have not begun: no message begins under an earlier claim. */
export async function forgetPages(campaignId: string, session?: ClientSession): Promise<void> {
  if (!session) return inTransaction((own) => forgetPages(campaignId, own));
  await pages().deleteMany({ campaignId }, { session });
  await giveUpClaims({ campaignId }, session);
}
