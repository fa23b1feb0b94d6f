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
} from '../campaigns';
import type { Series, Settled } from '../campaigns';
import type { SeriesOutlook, SeriesTurnInput, SeriesWait } from '../../contracts/campaign-series';
import type { Core } from '../../platform/core';
import { decideTurn } from '../../rules/recurrence/decide';
import type { CatchUp } from '../../rules/recurrence/schedule';
import { feedOfTurn, isFeedAwaited } from './turn-feed';
import { instantsAfter } from '../recurrence';
import { contextOf } from '../../sending/opt-in';

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
