import type { ClientSession } from 'mongoose';
import type { Context, PageRequest } from '../../platform/core';
import { AppError, positionAt, timedId } from '../../platform/core';
import { emit } from '../../records/events';
import type { NewEvent } from '../../records/events';
import { inTransaction } from '../../platform/mongo';
import type { Page } from '../../platform/mongo';
import { wantNow } from '../../platform/outbox';
import { announce, announceStart, setHeldReason } from './announce';
import { withSuffix } from '../../rules/cut-text';
import { contentOf, newCampaign, readCampaign } from './drafts';
import { resumedIntent } from './control';
import type { FeedContent } from '../../rules/feed';
import type { SeenFeed } from '../feeds';
import { turnItems } from './feed';
import { CampaignModel } from './model';
import type { Campaign } from './model';
import { holdSender, prepareStart, startIntent } from './send';
import { nextTurnAt } from './series';
import type { FeedWait, Series } from './series';
import { CampaignTurnModel, turnIdOf } from './turn-model';
import type { CampaignTurn } from './turn-model';
import { recipientsOf } from './walk';

/** Why a series is on hold until a person says what to do with missed instants. */
export const MISSED_TURNS = 'missed_turns';

/** The instants of a series that are settled together: those without a turn, and after them the one whose turn begins now. */
export interface Settled {
  readonly missed: readonly Date[];
  readonly turn: Date | null;
  /** Set for a turn whose series has a feed. */
  readonly feed?: FeedOfTurn;
}

/** The outcome of reading the feed of a turn: the entries that it sends, or the reason why it is skipped. */
export type FeedOfTurn = {
  /** Set if this turn leaves no entry of the feed for later ones. */
  readonly seen: SeenFeed | null;
} & ({ readonly content: FeedContent } | { readonly skipReason: string; readonly error: string | null });

/** A turn as it is prepared: its campaign, or the reason why it has none. */
type Prepared = Campaign | { readonly skipReason: string; readonly skipDetail?: string };

/** Why a turn was skipped whose feed could not be read. */
export const FEED_FAILED = 'feed_failed';

/**
 * Settles instants of a series: stores them, and starts the campaign of the turn. Its id is derived from the series and the instant, and all is one transaction
 * that expects the series as it was read, so an instant is settled once. Resolves to false, having done nothing, when the series was changed meanwhile.
 *
 * | killed            | found                                | happens                                        |
 * |-------------------|--------------------------------------|------------------------------------------------|
 * | before the commit | the series as it was                 | the activity is made again, by another worker  |
 * | after it          | the turn, its campaign in the outbox | the sweep starts the campaign's workflow       |
 */
export async function settle(ctx: Context, series: Series, { missed, turn, feed }: Settled, now: Date): Promise<boolean> {
  const { turns } = series.series;
  const rows = missed.map((at, index) => rowOf(series, turns + index + 1, at, 'missed'));
  const number = turns + rows.length + 1;
  const prepared = turn && (await prepareTurn(ctx, series, { number, at: turn, feed }, now));
  if (turn && prepared) rows.push(rowOf(series, number, turn, prepared));
  const campaign = prepared && '_id' in prepared ? prepared : null;
  return inTransaction(async (session) => {
    if (!(await advance(session, series, rows, { campaign, seen: seenAfter(series, turn, campaign, feed) }))) return false;
    await emit(session, feedEvents(series, rows, now));
    await dropEmptyTurn(session, series);
    if (!campaign) return true;
    await holdSender(session, campaign);
    await CampaignModel.create([campaign], { session });
    await announceStart(session, campaign);
    await wantNow(session, ctx.core, [startIntent(campaign)]);
    return true;
  });
}

/** Stores that the series is past these instants. */
async function advance(
  session: ClientSession,
  series: Series,
  rows: readonly CampaignTurn[],
  { campaign, seen }: { readonly campaign: Campaign | null; readonly seen: SeenFeed | null },
): Promise<boolean> {
  const { version, series: state } = series;
  const next = { ...state, after: rows.at(-1)?.at ?? state.after, turns: state.turns + rows.length };
  const { matchedCount } = await CampaignModel.updateOne(
    { ...running(series), version, paused: { $exists: false }, 'series.turns': state.turns },
    {
      $set: {
        'series.after': next.after,
        'series.turns': next.turns,
        'series.nextAt': nextTurnAt(series.schedule, next),
        ...(campaign && { 'series.childId': campaign._id }),
        ...(seen && { 'series.seen': seen }),
        heldReason: null,
      },
      $unset: { 'series.answer': 1, 'series.feedWait': 1, ...(!seen && { 'series.seen': 1 }) },
    },
    { session },
  );
  if (matchedCount === 0) return false;
  await CampaignTurnModel.create([...rows], { session, ordered: true });
  return true;
}

/** Returns the validators of a feed after a turn: instants without a turn change nothing, and a turn that is not sent leaves its entries. */
function seenAfter({ series }: Series, turn: Date | null, campaign: Campaign | null, feed: FeedOfTurn | undefined): SeenFeed | null {
  if (turn === null || !feed) return series.seen ?? null;
  return 'content' in feed && !campaign ? null : feed.seen;
}

/** Tells that a turn was skipped because its feed could not be read. */
const feedEvents = ({ _id: campaignId, projectId, testMode }: Series, rows: readonly CampaignTurn[], now: Date): readonly NewEvent[] =>
  rows
    .filter(({ skipReason }) => skipReason === FEED_FAILED)
    .map(({ number, at, skipDetail = null }) => {
      const data = { campaignId, turn: number, scheduledFor: at.toISOString(), error: skipDetail };
      return { projectId, name: 'email.feed_failed', contactId: null, data, testMode, at: now };
    });

/** Why a turn of an evergreen campaign has no campaign: it reached nobody. */
const NOBODY_NEW = 'nobody_new';

/** Removes the campaign of the last turn of an evergreen series if it had no recipients: it wrote nothing else. */
async function dropEmptyTurn(session: ClientSession, { _id, projectId, evergreen = false, series: { childId } }: Series): Promise<void> {
  if (!evergreen || childId === null) return;
  const empty = { _id: childId, projectId, status: 'sent' as const, audienceSize: 0 };
  const dropped = await CampaignModel.findOneAndDelete(empty, { session, projection: { turn: 1 } }).lean<Pick<Campaign, 'turn'>>();
  if (!dropped?.turn) return;
  const turnId = turnIdOf(_id, dropped.turn.at);
  await CampaignTurnModel.updateOne({ _id: turnId, projectId }, { $set: { campaignId: null, skipReason: NOBODY_NEW } }, { session });
}

const running = ({ _id, projectId }: Series) => ({ _id, projectId, status: 'sending' as const });

const rowOf = ({ _id, projectId }: Series, number: number, at: Date, what: Prepared | string): CampaignTurn => ({
  _id: turnIdOf(_id, at),
  projectId,
  number,
  at,
  ...(typeof what === 'string' ? { campaignId: null, skipReason: what } : outcomeOf(_id, what)),
});

function outcomeOf(seriesId: string, prepared: Prepared): Pick<CampaignTurn, 'campaignId' | 'skipReason' | 'skipDetail' | 'items'> {
  if (!('_id' in prepared)) return { campaignId: null, ...prepared };
  const { _id: campaignId, feedContent } = prepared;
  return { campaignId, skipReason: null, ...(feedContent && { items: turnItems(seriesId, feedContent) }) };
}

interface AskedTurn {
  readonly number: number;
  readonly at: Date;
  readonly feed: FeedOfTurn | undefined;
}

/** Prepares the campaign of a turn as a send would. What a send refuses, such as a domain that is not verified any more, skips the turn. */
async function prepareTurn(ctx: Context, series: Series, { number, at, feed }: AskedTurn, now: Date): Promise<Prepared> {
  if (feed && 'skipReason' in feed) return { skipReason: feed.skipReason, ...(feed.error !== null && { skipDetail: feed.error }) };
  const { schedule: _schedule, feed: _feed, evergreen = false, ...content } = contentOf(series);
  const once = evergreen && { sendOnce: { key: `evergreen/${series._id}` } };
  const draft: Campaign = {
    ...newCampaign(
      ctx,
      { ...content, ...once, ...(feed && { feedContent: feed.content }), name: withSuffix(series.name, ` #${number}`) },
      now,
    ),
    _id: timedId('cmp', at.getTime(), series._id),
    turn: { seriesId: series._id, number, at, ...(evergreen && { evergreen }) },
  };
  const { throttlePerMinute, decide, approvedFor } = series;
  const options = {
    scheduledFor: null,
    abDecideAt: null,
    throttlePerMinute,
    ...(decide && { decide }),
    ...(approvedFor !== undefined && { approvedFor }),
  };
  return prepareStart(ctx, draft, options, now).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'validation_error') return { skipReason: error.details[0]?.code ?? error.code };
    throw error;
  });
}

/**
 * Answers for a series that is on hold because of missed instants what happens to them ('latest' where no answer is given), or for a paused one what will, and has
 * its workflow check again. Resolves to null, having done nothing, for any other campaign.
 */
export async function answerMissed(ctx: Context, id: string, missed: 'latest' | 'skip' | null): Promise<Campaign | null> {
  const series = { _id: id, projectId: ctx.projectId, status: 'sending' as const, series: { $exists: true } };
  const isAsked = { ...series, heldReason: MISSED_TURNS };
  return inTransaction(async (session) => {
    const campaign = await CampaignModel.findOneAndUpdate(
      missed === null ? isAsked : { ...series, $or: [{ heldReason: MISSED_TURNS }, { paused: { $exists: true } }] },
      { $set: { 'series.answer': missed ?? 'latest', heldReason: null } },
      { session, returnDocument: 'after' },
    ).lean<Campaign>();
    if (campaign) await wantNow(session, ctx.core, [resumedIntent(campaign)]);
    return campaign;
  });
}

/** Notes that the feed of a turn could not be read, and when it is tried again. The caller checks the series again: it may have changed meanwhile. */
export const noteFeedWait = async (series: Series, feedWait: FeedWait): Promise<void> => {
  const asRead = { ...running(series), version: series.version, 'series.turns': series.series.turns };
  const { matchedCount } = await CampaignModel.updateOne(asRead, { $set: { 'series.feedWait': feedWait } });
  if (matchedCount > 0) await setHeldReason(series._id, FEED_FAILED);
};

/** Resolves to whether the last turn of a series still has messages to send. */
export const isTurnUnfinished = async ({ projectId, series: { childId } }: Series): Promise<boolean> =>
  childId !== null && (await CampaignModel.exists({ _id: childId, projectId, status: { $in: ['scheduled', 'sending'] } })) !== null;

/** Ends a series that has no more turns. Resolves to false when it does not run any more. */
export const endSeries = (series: Series, now: Date): Promise<boolean> =>
  inTransaction(async (session) => {
    const over = { $set: { status: 'sent', sentAt: now, endedAt: now, phase: null, heldReason: null } } as const;
    const ended = await CampaignModel.findOneAndUpdate(running(series), over, { session, returnDocument: 'after' }).lean<Campaign>();
    if (ended) await announce(session, ended, { what: 'sent', at: now });
    return ended !== null;
  });

/** Notes that nothing is left to do for a series that was cancelled. */
export const closeSeries = async ({ _id, projectId }: Series, now: Date): Promise<void> => {
  await CampaignModel.updateOne({ _id, projectId, status: 'cancelled', phase: { $ne: null } }, { $set: { phase: null, endedAt: now } });
};

/** A turn of a series as lists show it. */
export interface TurnView extends CampaignTurn {
  /** Null where it was skipped, and once its campaign is deleted. */
  readonly campaign: Campaign | null;
}

/** Lists a page of the turns of a series, newest first; none for any other campaign. Throws `not_found`. */
export async function listTurns(ctx: Context, id: string, { limit, after }: PageRequest): Promise<Page<TurnView>> {
  const { _id, projectId } = await readCampaign(ctx, id);
  const rows = await CampaignTurnModel.find({ _id: { ...recipientsOf(_id), ...(after && { $lt: after.id }) }, projectId })
    .sort({ _id: -1 })
    .limit(limit + 1)
    .lean<CampaignTurn[]>();
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return { rows: await withCampaigns(projectId, shown), next: rows.length > limit && last ? positionAt(last._id) : null };
}

async function withCampaigns(projectId: string, rows: readonly CampaignTurn[]): Promise<readonly TurnView[]> {
  const ids = rows.flatMap(({ campaignId }) => campaignId ?? []);
  const found = await CampaignModel.find({ _id: { $in: ids }, projectId }, { body: 0, bodyBlocks: 0, feedContent: 0 }).lean<Campaign[]>();
  const byId = new Map(found.map((campaign) => [campaign._id, campaign]));
  return rows.map((row) => ({ ...row, campaign: byId.get(row.campaignId ?? '') ?? null }));
}
