import { ActivityCancellationType, ActivityFailure, condition, isCancellation, sleep } from '@temporalio/workflow';
import type {
  CampaignCursor,
  CampaignKey,
  CampaignPageInput,
  CampaignPageResult,
  RecipientRange,
  Variant,
} from '../src/contracts/campaign';
import { pageCount, pageRange, nextDue, paceOf } from '../src/rules/campaign-ranges';
import { showProgress } from './campaign-state';
import type { CampaignState } from './campaign-state';
import { summarizedActivities } from './summarized';
import { isHistoryLong } from './turns';

/** Reading and writing in bulk; tried until it succeeds, since an audience that is given up on is a campaign that forgets. */
export const bulk = summarizedActivities({
  taskQueue: 'bulk',
  startToCloseTimeout: '6 hours',
  heartbeatTimeout: '30 seconds',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '15 seconds' },
});

/** Reading little, and single writes. */
export const light = summarizedActivities({
  taskQueue: 'orchestration',
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '15 seconds' },
});

/** A page whose worker is lost is asked for elsewhere; a cancelled one finishes what it has on the wire. */
const { sendCampaignPage } = summarizedActivities({
  taskQueue: 'delivery',
  startToCloseTimeout: '15 minutes',
  heartbeatTimeout: '15 seconds',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '15 seconds' },
});

// With the worker of this task queue, which may be gone.
const only = (taskQueue: string) =>
  summarizedActivities({
    taskQueue,
    scheduleToStartTimeout: '3 seconds',
    startToCloseTimeout: '15 minutes',
    heartbeatTimeout: '15 seconds',
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    retry: { maximumAttempts: 1 },
  });

/** Sends a page on the given worker, or on any if that one does not take it, or is lost. */
async function sendPageAt(queue: string | null, input: CampaignPageInput): Promise<CampaignPageResult> {
  if (queue === null) return sendCampaignPage(input);
  try {
    return await only(queue).sendCampaignPage(input);
  } catch (error) {
    if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
    return sendCampaignPage(input);
  }
}

/** Pages of a campaign at once for each worker, which sends one while it reads the next. */
const AT_ONCE_EACH = 2;
/** Well before the 10,000 events at which a history is warned about. */
const HISTORY_LIMIT = 4_000;
const FIRST_HOLD_MS = 1_000;
const LONGEST_HOLD_MS = 15_000;
/** After this long, a paused campaign is checked again: its document may have been restored to another state. */
export const LONGEST_PAUSE_MS = 6 * 3_600_000;
/** Before a page that ran long enough is asked for again. */
const AGAIN_MS = 100;

/** A part of a campaign's recipients who get the same subject. */
export interface Stage extends RecipientRange {
  readonly rows: number;
  readonly subject: CampaignPageInput['subject'];
  readonly winner: Variant | null;
  /** Only recipients with this send time, in milliseconds. */
  readonly turn?: number;
}

/**
 * Returns what a stage of the campaign is sent: in an experiment first the sample, each its own subject, then the rest, the winner's; of a rollout its step.
 */
export function stageOf({ plan, stage, winner, step = 0 }: CampaignCursor): Stage {
  const { total, ab, rollout } = plan;
  const at = rollout?.[step];
  if (at) return { from: rollout[step - 1]?.to ?? '', to: at.to, rows: at.rows, subject: 'a', winner: null };
  if (!ab) return { from: '', to: null, rows: total, subject: 'a', winner: null };
  if (stage === 'sample') return { from: '', to: ab.boundary, rows: ab.sample, subject: 'own', winner: null };
  return { from: ab.boundary ?? '', to: null, rows: total - ab.sample, subject: winner ?? 'a', winner };
}

export const historyIsLong = (): boolean => isHistoryLong(HISTORY_LIMIT);

/** Resolves when all are done, also those that are added meanwhile. */
async function allOf(works: readonly Promise<void>[]): Promise<void> {
  for (let known = 0; known < works.length;) {
    known = works.length;
    await Promise.all(works);
  }
}

type PageOutcome = 'done' | 'over' | 'unfinished';
/** `over`: the campaign no longer sends. A cursor: a new run of the workflow continues there. */
export type StageOutcome = 'done' | 'over' | CampaignCursor;

/** Sends the pages of a stage, and counts in the state what they did. */
export function sendPages(
  { campaignId, projectId }: CampaignKey,
  state: CampaignState,
  cursor: CampaignCursor,
  stage: Stage,
): Promise<StageOutcome> {
  state.winner = cursor.winner;
  state.queues = cursor.plan.queues;
  const sending: Sending = { key: { campaignId, projectId }, state, cursor, stage };
  const { throttlePerMinute } = cursor.plan;
  return throttlePerMinute === null ? sendSideBySide(sending) : sendSpaced(sending, throttlePerMinute);
}

interface Sending {
  readonly key: CampaignKey;
  readonly state: CampaignState;
  readonly cursor: CampaignCursor;
  readonly stage: Stage;
}

/** Sends several pages at once; each place takes the next page when it is done with one. */
async function sendSideBySide(sending: Sending): Promise<StageOutcome> {
  const { state, cursor, stage } = sending;
  const { pageRows, pagesAtOnce } = cursor.plan;
  const pages = pageCount(stage.rows, pageRows);
  const outcomes = new Map<number, PageOutcome>();
  const works: Promise<void>[] = [];
  let next = cursor.page;
  state.pages = pages;
  const places = (): number => Math.max(pagesAtOnce, AT_ONCE_EACH * state.queues.length);
  const work = async (place: number): Promise<void> => {
    while (next < pages && place < places() && !historyIsLong()) {
      const index = next++;
      state.page = next;
      const outcome = await sendPage(sending, pageRange(stage, index, pages), place);
      outcomes.set(index, outcome);
      if (outcome !== 'done') return;
      fill();
    }
  };
  // A worker that joins gets its pages with the next page that is done.
  const fill = (): void => {
    while (works.length < places()) {
      const working = work(works.length);
      working.catch(() => undefined);
      works.push(working);
    }
  };
  fill();
  await allOf(works);
  if ([...outcomes.values()].includes('over')) return 'over';
  const unfinished = [...outcomes].flatMap(([index, outcome]) => (outcome === 'done' ? [] : [index]));
  const page = Math.min(next, ...unfinished);
  return page >= pages ? 'done' : goingOn(sending, { page, from: null, notBefore: 0 });
}

/** Sends one page after another, at the pace of the campaign's throttle. */
async function sendSpaced(sending: Sending, perMinute: number): Promise<StageOutcome> {
  const { key, state, cursor, stage } = sending;
  const pace = paceOf(perMinute);
  state.pages = Math.ceil(stage.rows / pace.rows);
  let from = cursor.from ?? stage.from;
  let due = cursor.notBefore;
  for (state.page = cursor.page + 1; ; state.page++) {
    if (due > Date.now()) await sleep(due - Date.now(), { summary: `until page ${state.page}: the throttle` });
    const began = Date.now();
    const next = await light.nextCampaignRange({ ...key, from, to: stage.to, rows: pace.rows, ...withSendTime(stage) });
    const outcome = await sendPage(sending, { from, to: next ?? stage.to });
    if (outcome === 'over') return 'over';
    due = nextDue(due, Math.max(began, state.resumedAt), pace);
    if (outcome === 'unfinished') return goingOn(sending, { page: state.page - 1, from, notBefore: due });
    if (next === null) break;
    from = next;
    if (historyIsLong()) return goingOn(sending, { page: state.page, from, notBefore: due });
  }
  // What comes next keeps the distance too.
  await sleep(Math.max(0, due - Date.now()), { summary: 'the throttle, before the next stage' });
  return 'done';
}

const withSendTime = ({ turn }: Stage): Pick<Stage, 'turn'> => (turn === undefined ? {} : { turn });

const askedOf = ({ subject, winner, turn }: Stage): Pick<CampaignPageInput, 'subject' | 'winner' | 'turn'> => ({
  subject,
  winner,
  ...(turn !== undefined && { turn: { at: turn, now: Date.now() } }),
});

/** Sends one page until it is done; `unfinished` when the history has grown too long meanwhile. */
async function sendPage({ key, state, stage }: Sending, range: RecipientRange, place: number | null = null): Promise<PageOutcome> {
  let wait = FIRST_HOLD_MS;
  for (;;) {
    const { resumes } = state;
    const result = await sendPageAt(queueAt(state, place), { ...key, ...range, ...askedOf(stage) });
    note(state, result);
    const { sent, done, held, over, pausedUntil } = result;
    if (over) return 'over';
    if (done) return 'done';
    if (pausedUntil !== undefined) await untilResumed(key, state, { resumes, until: pausedUntil });
    else await sleep(held === null ? AGAIN_MS : wait, { summary: `until the page goes on: ${held ?? 'more to do'}` });
    wait = nextWait(wait, held !== null && sent === 0);
    if (historyIsLong()) return 'unfinished';
  }
}

const nextWait = (wait: number, stands: boolean): number => (stands ? Math.min(LONGEST_HOLD_MS, wait * 2) : FIRST_HOLD_MS);

interface Pause {
  /** The number of resumes that the run knew of when the page was asked for. */
  readonly resumes: number;
  readonly until: string | null;
}

/** Waits until a person resumes the campaign, or its pause ends. The page is then asked for again, and finds in the documents whether it may continue. */
async function untilResumed(key: CampaignKey, state: CampaignState, { resumes, until }: Pause): Promise<void> {
  const isResumed = (): boolean => state.resumes !== resumes;
  const left = until === null ? LONGEST_PAUSE_MS : Date.parse(until) - Date.now();
  const summary = `until the campaign is resumed${until === null ? '' : `, at ${until} at the latest`}`;
  if (left > 0) await condition(isResumed, Math.min(left, LONGEST_PAUSE_MS), { summary });
  if (!isResumed() && until !== null && Date.parse(until) <= Date.now()) await light.endCampaignPause({ ...key, until });
  state.resumedAt = Date.now();
}

// Each worker has the same number of places. One that is alone has whatever there is to have.
const queueAt = ({ queues }: CampaignState, place: number | null): string | null =>
  place === null || queues.length < 2 ? null : (queues[place % queues.length] ?? null);

function note(state: CampaignState, { sent, skipped, held, laterAt, refused, queues = state.queues }: CampaignPageResult): void {
  state.queues = queues;
  state.sent += sent;
  state.skipped += skipped;
  state.heldReason = held;
  if (refused !== undefined) state.refused = added(state.refused ?? {}, refused);
  if (laterAt !== undefined) state.laterAt = Math.min(Date.parse(laterAt), state.laterAt ?? Infinity);
  showProgress(state);
}

function added(counts: Readonly<Record<string, number>>, more: Readonly<Record<string, number>>): Record<string, number> {
  const names = [...new Set([...Object.keys(counts), ...Object.keys(more)])];
  return Object.fromEntries(names.map((name) => [name, (counts[name] ?? 0) + (more[name] ?? 0)]));
}

const goingOn = (
  { state: { queues, sent, skipped }, cursor }: Sending,
  at: Pick<CampaignCursor, 'page' | 'from' | 'notBefore'>,
): CampaignCursor => ({ ...cursor, ...at, plan: { ...cursor.plan, queues }, sent, skipped });
