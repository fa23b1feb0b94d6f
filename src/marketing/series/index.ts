import {
  cancelCampaign,
  closeSeries,
  endPause,
  endSeries,
  findCampaign,
  isSeries,
  isTurnUnfinished,
  MISSED_TURNS,
  setHeldReason,
  settle,
  FEED_FAILED,
  chooseItems,
  noteFeedWait,
  answerMissed,
  pauseCampaign,
  resumeCampaign,
} from '../campaigns';
import type { Series, Settled, FeedOfTurn, FeedWait, Campaign, Reached } from '../campaigns';
import type { SeriesOutlook, SeriesTurnInput, SeriesWait } from '../../contracts/campaign';
import { AppError, invalid } from '../../platform/core';
import type { Core, Context } from '../../platform/core';
import { decideTurn } from '../../rules/recurrence/schedule';
import type { CatchUp } from '../../rules/recurrence/schedule';
import { instantsAfter } from '../recurrence';
import { contextOf } from '../../sending/opt-in';
import { readFeed } from '../feeds';
import type { FeedSettings } from '../../rules/feed';

const OVER: SeriesOutlook = { waitsFor: null, until: null, nextAt: null, turns: 0 };
/** Time until a turn or a project that the series waits for is checked again. */
const AGAIN_MS = 60_000;
/** Instants that are settled at once: an outage of years has thousands. */
const AT_ONCE = 200;

/**
 * Does what is due of a series as of `now`: begins the turn of an instant, ends a pause, ends the series after its last turn, or the turn of a series that was
 * cancelled. Resolves to what it waits for then. Safe to repeat: each change expects the series as it was read.
 */
export async function advanceSeries(
  core: Core,
  { campaignId, projectId, now: nowMs, readsFeed = false }: SeriesTurnInput,
): Promise<SeriesOutlook> {
  const now = new Date(nowMs);
  for (;;) {
    const campaign = await findCampaign(projectId, campaignId);
    if (!isSeries(campaign)) return OVER;
    if (campaign.status !== 'sending') return over(core, campaign, now);
    const outlook = await settleNext(core, campaign, { now, readsFeed });
    if (outlook !== 'again') return outlook;
  }
}

/** Ends what a series that is over has left: a turn that was begun while it was cancelled. */
async function over(core: Core, series: Series, now: Date): Promise<SeriesOutlook> {
  if (series.status !== 'cancelled' || series.phase === null) return OVER;
  const { childId } = series.series;
  if (childId !== null && (await isTurnUnfinished(series))) await cancelCampaign(await contextOf(core, series), childId);
  await closeSeries(series, now);
  return OVER;
}

/** The instant of a check, and whether it may take the time to read a feed. */
interface Check {
  readonly now: Date;
  readonly readsFeed: boolean;
}

async function settleNext(core: Core, series: Series, check: Check): Promise<SeriesOutlook | 'again'> {
  const { paused } = series;
  const { now } = check;
  if (paused && (paused.until === null || paused.until > now)) return waiting(series, 'pause', paused.until);
  if (paused?.until) {
    await endPause(core, { campaignId: series._id, projectId: series.projectId }, paused.until.toISOString());
    return 'again';
  }
  const due = dueAt(series, now);
  if (due.length > 0) return takeTurn(core, series, due, check);
  if (series.series.nextAt !== null) return waiting(series, 'turn', series.series.nextAt);
  if (await isTurnUnfinished(series)) return waiting(series, 'last', after(now));
  return (await endSeries(series, now)) ? OVER : 'again';
}

/** Lists the instants that are due and not settled, one more than are settled at once. */
function dueAt({ schedule, series: { from, after: settledTo, turns } }: Series, now: Date): readonly Date[] {
  const until = schedule.until && schedule.until < now ? schedule.until : now;
  const left = schedule.count == null ? AT_ONCE + 1 : Math.min(AT_ONCE + 1, schedule.count - turns);
  return left > 0 ? instantsAfter({ ...schedule, until }, from, settledTo, left) : [];
}

async function takeTurn(core: Core, series: Series, due: readonly Date[], check: Check): Promise<SeriesOutlook | 'again'> {
  const { now } = check;
  if (await isTurnUnfinished(series)) return waiting(series, 'previous', after(now));
  const ctx = await contextOf(core, series);
  if (ctx.project.disabledAt !== null) return onHold(series, 'disabled', 'project', after(now));
  const decided = awaitedTurn(series, due, now) ?? decideTurn(due.slice(0, AT_ONCE), due.length > AT_ONCE, now, catchUpOf(series));
  if (decided === 'ask') return onHold(series, MISSED_TURNS, 'answer', null);
  if (decided.turn === null || !series.feed) {
    await settle(ctx, series, decided, now);
    return 'again';
  }
  const feed = await feedOfTurn(ctx, series, series.feed, { ...check, at: decided.turn });
  if (feed === 'again') return 'again';
  if ('until' in feed) return waiting(series, 'feed', feed.until);
  await settle(ctx, series, { ...decided, feed }, now);
  return 'again';
}

const catchUpOf = ({ series, schedule }: Series): CatchUp => series.answer ?? schedule.catchUp;

/** Returns the turn whose feed is awaited: it is not missed by that. Null for none. */
function awaitedTurn(series: Series, due: readonly Date[], now: Date): Settled | null {
  const at = due.find((instant) => isFeedAwaited(series, instant, now));
  return at ? { missed: due.filter((instant) => instant < at), turn: at } : null;
}

async function onHold(series: Series, heldReason: string, waitsFor: SeriesWait, until: Date | null): Promise<SeriesOutlook> {
  await setHeldReason(series._id, heldReason);
  return waiting(series, waitsFor, until);
}

const after = (now: Date): Date => new Date(now.getTime() + AGAIN_MS);

const waiting = ({ series: { nextAt, turns } }: Series, waitsFor: SeriesWait, until: Date | null): SeriesOutlook => ({
  waitsFor,
  until: until && until.toISOString(),
  nextAt: nextAt && nextAt.toISOString(),
  turns,
});

const MINUTE_MS = 60_000;
const TRIED_FOR_MS = 60 * MINUTE_MS;
/** A check is late when its worker was killed; what is later than that was paused meanwhile. */
const LATE_MS = 10 * MINUTE_MS;
const LONGEST_WAIT_MS = 15 * MINUTE_MS;

/** Returns whether a turn is due that waits for its feed. */
function isFeedAwaited({ feed, series: { feedWait } }: Series, at: Date, now: Date): boolean {
  if (!feed || feedWait?.at.getTime() !== at.getTime()) return false;
  return now.getTime() - feedWait.since.getTime() <= TRIED_FOR_MS + LATE_MS;
}

interface FeedRead {
  readonly at: Date;
  readonly now: Date;
  readonly readsFeed: boolean;
}

/**
 * Reads the feed of a turn and chooses what it sends. Resolves to until when it waits: a feed that cannot be read is tried for an hour, after which the turn is
 * skipped; or to null for a feed that is to be read now, by a check that takes the time.
 */
async function feedOfTurn(
  ctx: Context,
  series: Series,
  settings: FeedSettings,
  read: FeedRead,
): Promise<FeedOfTurn | { readonly until: Date | null } | 'again'> {
  const wait = waitOf(series, read);
  if (wait && wait.next > read.now) return { until: wait.next };
  if (!read.readsFeed) return { until: null };
  const { seen = null } = series.series;
  const reading = await readFeed(ctx, settings.url, seen);
  if (reading.kind === 'later') return { until: new Date(read.now.getTime() + reading.afterMs) };
  if (reading.kind === 'failed') return failed(series, read, reading.error);
  if (reading.kind === 'unchanged') return { skipReason: 'nothing_new', error: null, seen };
  const { content, skipReason, left } = await chooseItems(series, settings, reading);
  const outcome = skipReason === null ? { content } : { skipReason, error: null };
  return { ...outcome, seen: left === 0 ? reading.seen : null };
}

const waitOf = (series: Series, { at, now }: FeedRead): FeedWait | undefined =>
  isFeedAwaited(series, at, now) ? series.series.feedWait : undefined;

/** Retries a feed after 1, 2, 4, 8 and then every 15 minutes, for the last time after an hour. */
async function failed(series: Series, read: FeedRead, error: string): Promise<FeedOfTurn | 'again'> {
  const { at, now } = read;
  const { since, attempts } = waitOf(series, read) ?? { since: now, attempts: 0 };
  const end = since.getTime() + TRIED_FOR_MS;
  if (now.getTime() >= end) return { skipReason: FEED_FAILED, error, seen: series.series.seen ?? null };
  const pause = Math.min(LONGEST_WAIT_MS, 2 ** attempts * MINUTE_MS);
  await noteFeedWait(series, { at, since, attempts: attempts + 1, next: new Date(Math.min(end, now.getTime() + pause)) });
  return 'again';
}

/** Does something to the last turn of a series after the series itself; null when there is none, or its state does not allow it. */
async function withTurn<T>({ series }: Campaign, act: (childId: string) => Promise<T>): Promise<T | null> {
  const childId = series?.childId ?? null;
  if (childId === null) return null;
  return act(childId).catch((error: unknown) => {
    if (error instanceof AppError && (error.code === 'invalid_state' || error.code === 'not_found')) return null;
    throw error;
  });
}

/** Pauses a campaign; a series together with the turn that is being sent, whose progress is then that of the answer. Throws what `pauseCampaign` throws. */
export async function pauseWithTurn(
  ctx: Context,
  id: string,
  how: Parameters<typeof pauseCampaign>[2],
): Promise<{ campaign: Campaign; reached: Reached }> {
  const paused = await pauseCampaign(ctx, id, how);
  const turn = await withTurn(paused.campaign, (childId) => pauseCampaign(ctx, childId, how));
  return turn ? { ...paused, reached: turn.reached } : paused;
}

/**
 * Resumes a campaign; a series together with its turn. `missed` says what happens to instants that were missed meanwhile. Throws what `resumeCampaign` throws, and
 * 422 for `missed` on a campaign that is no series.
 */
export async function resumeWithTurn(ctx: Context, id: string, missed: 'latest' | 'skip' | null): Promise<Campaign> {
  const before = await findCampaign(ctx.projectId, id);
  if (missed !== null && before && !isSeries(before)) throw invalid('missed', 'invalid_combination', 'Only a recurring campaign has turns');
  const answered = await answerMissed(ctx, id, missed);
  const campaign = answered && !answered.paused ? answered : await resumeCampaign(ctx, id);
  await withTurn(campaign, (childId) => resumeCampaign(ctx, childId));
  return campaign;
}

/** Cancels a campaign; a series together with the turn that is being sent. Throws what `cancelCampaign` throws. */
export async function cancelWithTurn(ctx: Context, id: string): Promise<Campaign> {
  const campaign = await cancelCampaign(ctx, id);
  await withTurn(campaign, (childId) => cancelCampaign(ctx, childId));
  return campaign;
}
