import {
  CancellationScope,
  continueAsNew,
  executeChild,
  isCancellation,
  makeContinueAsNewFunc,
  setHandler,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import {
  campaignAbId,
  campaignProgressQuery,
  cancelSignal,
  resumedSignal,
  unscheduledSignal,
  wantedSignal,
} from '../src/contracts/campaign';
import type { CampaignCursor, CampaignPlan, CampaignSendInput, FinishResult, Variant } from '../src/contracts/campaign';
import { bulk, light, sendPages, stageOf } from './campaign-pages';
import { enter, progressOf, showProgress, stateAt } from './campaign-state';
import type { CampaignState } from './campaign-state';
import { campaignAb, sendBySendTimes, stepWords, untilNextStep, untilProvidersTake } from './campaign-waits';
import { dueAt } from './turns';

/** Before messages that were missed at first are looked for again. */
const AGAIN_MS = 1_000;
/** After this long, recipients who wait for a frequency cap are checked again: it may have been changed, or places in it given back. */
const LONGEST_LATER_MS = 3_600_000;
/** A pass goes through the whole audience: no more than about a tenth of the time is spent so. */
const REST = 10;

/**
 * Sends a campaign: waits for its time, freezes the audience, sends page after page, decides an A/B test in between, and ends it. The
 * documents hold the work to do; a new run carries only a cursor.
 *
 * | killed                        | found                                       | happens                                                     |
 * |-------------------------------|---------------------------------------------|-------------------------------------------------------------|
 * | a worker, in an activity      | what the activity wrote                     | another worker does the activity again; each is safe to repeat |
 * | all workers                   | the history                                 | timers continue; the next worker replays and continues       |
 * | Temporal, before the start    | the intent in the outbox                      | the sweep starts it                                         |
 * | Temporal, later               | its history                                 | it continues; pages that were on their way are sent by then  |
 * | the cancel signal is late     | `cancelled`                                 | pages and begin find that and stop; the signal ends the rest |
 * | while it is paused           | `paused`                                    | it keeps waiting; a page that is asked for finds whether it may continue |
 * | Temporal's store              | documents that are not over                 | the sweep starts it; pages that are done are looked through  |
 * | the documents since then      | `behind`, or another start that is wanted   | it begins again, from the documents                           |
 */
export async function campaignSend(input: CampaignSendInput): Promise<void> {
  const state = stateAt(input.cursor);
  const scope = new CancellationScope();
  obey(input, state, scope);
  const sending = await scope.run(() => sendToAll(input, state)).catch(unlessCancelled);
  if (!state.cancelled) {
    if (state.wanted) return beginAs(state.wanted);
    if (state.unscheduled) return enter(state, 'cancelled');
    if (sending === 'sent') return;
  }
  // Cancelled by its signal, or in Temporal by an operator, or, as an activity found, by its documents: no recipient is left waiting.
  const found = sending !== 'cancelled' && !state.cancelled;
  const { behind, decideAt } = await CancellationScope.nonCancellable(() => finish(input, state, { cancelled: true, found }));
  if (behind) return beginAnew(input);
  if (!found || decideAt === undefined) return enter(state, 'cancelled');
  enter(state, 'sent');
  await decide(input, state, decideAt);
  enter(state, 'sent');
}

/** Changes the state as signals say, and stops what they end. */
function obey(input: CampaignSendInput, state: CampaignState, scope: CancellationScope): void {
  setHandler(cancelSignal, () => {
    state.cancelled = true;
    scope.cancel();
  });
  setHandler(resumedSignal, () => void (state.resumes += 1));
  setHandler(unscheduledSignal, (instant) => {
    if (state.plan !== null || instant !== input.scheduledFor) return;
    state.unscheduled = true;
    scope.cancel();
  });
  setHandler(wantedSignal, (wanted) => {
    if (state.plan === null && wanted.scheduledFor === input.scheduledFor && !state.unscheduled) return;
    state.wanted = wanted;
    scope.cancel();
  });
  setHandler(campaignProgressQuery, () => progressOf(state));
}

/** Returns after how long what is pending is checked again, in milliseconds; recipients who wait for a frequency cap when the first of them may have room. */
function againIn({ laterAt }: CampaignState, began: number): number {
  if (laterAt === null) return AGAIN_MS;
  const now = Date.now();
  return Math.max(AGAIN_MS, REST * (now - began), Math.min(LONGEST_LATER_MS, laterAt - now));
}

/** Does what is to happen, in this order. Resolves to `over` when the documents say that there is nothing left to send. */
async function sendToAll(input: CampaignSendInput, state: CampaignState): Promise<'sent' | 'over'> {
  let cursor = input.cursor ?? (await freezeInTime(input, state));
  if (!cursor) return 'over';
  for (;;) {
    const began = Date.now();
    state.laterAt = null;
    state.refused = null;
    const outcome = await sendStages(input, state, cursor);
    if (outcome !== 'done') return outcome;
    const { pending, behind } = await finish(input, state);
    if (behind) return beginAnew(input);
    if (pending === 0) break;
    if (state.refused) await untilProvidersTake(input, state);
    else await sleep(againIn(state, began), { summary: `until ${pending} deferred messages are checked again` });
    cursor = { ...cursor, ...fromTheFirst(cursor), stage: 'sample', winner: state.winner };
  }
  enter(state, 'sent');
  return 'sent';
}

/** Sends to all; in an experiment to the sample, and the winner to the rest. `sent`: the campaign ended before the decision, which has been made since. */
async function sendStages(input: CampaignSendInput, state: CampaignState, cursor: CampaignCursor): Promise<'done' | 'over' | 'sent'> {
  const { ab, rollout } = cursor.plan;
  if (rollout) return sendInSteps(input, state, cursor, rollout);
  if (cursor.stage === 'sample' && !(await sendStage(input, state, cursor))) return 'over';
  if (!ab) return 'done';
  if (ab.boundary === null) return (await endBeforeDecision(input, state, ab.decideAt)) ? 'sent' : 'done';
  const winner = cursor.winner ?? (await decide(input, state, ab.decideAt));
  if (winner === null) return 'over';
  return (await sendStage(input, state, restOf(cursor, winner))) ? 'done' : 'over';
}

/** Sends to one step of a rollout after another, and waits between them for what comes of it. Steps that are passed already wait no more. */
async function sendInSteps(
  input: CampaignSendInput,
  state: CampaignState,
  cursor: CampaignCursor,
  rollout: NonNullable<CampaignPlan['rollout']>,
): Promise<'done' | 'over'> {
  const { step: first = 0 } = cursor;
  for (const [step, { rows }] of rollout.entries()) {
    if (step < first || rows === 0) continue;
    const at: CampaignCursor = { ...cursor, ...(step > first && fromTheFirst(cursor)), step };
    state.step = stepWords(rollout, step);
    if (!at.isStepSent && !(await sendStage(input, state, at))) return 'over';
    if (!(await passStep(input, state, at))) return 'over';
  }
  return 'done';
}

/** Waits after a step that others follow. Resolves to false when the campaign is not sending any more. Continues as new where the history has grown too long. */
async function passStep(input: CampaignSendInput, state: CampaignState, cursor: CampaignCursor): Promise<boolean> {
  if (stageOf(cursor).to === null) return true;
  const outcome = await untilNextStep(input, state, cursor);
  if (outcome !== 'unfinished') return outcome === 'passed';
  return continueAsNew<typeof campaignSend>({ ...input, cursor: waitingAt(cursor, state) });
}

/** Returns the beginning of the wait after a step. */
const waitingAt = (cursor: CampaignCursor, { sent, skipped, queues }: CampaignState): CampaignCursor => ({
  ...cursor,
  isStepSent: true,
  sent,
  skipped,
  plan: { ...cursor.plan, queues },
});

function unlessCancelled(error: unknown): 'cancelled' {
  if (!isCancellation(error)) throw error;
  return 'cancelled';
}

/** Waits for the campaign's time and freezes its audience; null if it was cancelled. */
async function freezeInTime(input: CampaignSendInput, state: CampaignState): Promise<CampaignCursor | null> {
  const { campaignId, projectId, scheduledFor, gathers } = input;
  const key = { campaignId, projectId };
  if (gathers) await bulk.gatherNonOpeners(key);
  if (scheduledFor !== null) {
    enter(state, 'scheduled');
    await sleep(Math.max(0, Date.parse(scheduledFor) - Date.now()), { summary: 'until the campaign begins' });
  }
  enter(state, 'freezing');
  if (!(await light.beginCampaign({ ...key, now: Date.now() }))) return null;
  state.plan = await bulk.freezeCampaign(key);
  return state.plan && { plan: state.plan, stage: 'sample', winner: null, page: 0, from: null, notBefore: 0, sent: 0, skipped: 0 };
}

/** Resolves to false when the campaign is not sending any more. Continues as new where the history has grown too long. */
async function sendStage(input: CampaignSendInput, state: CampaignState, cursor: CampaignCursor): Promise<boolean> {
  enter(state, 'sending');
  const send = cursor.plan.inTurns ? sendBySendTimes : sendPages;
  const outcome = await send(input, state, cursor, stageOf(cursor));
  if (typeof outcome === 'string') return outcome === 'done';
  return continueAsNew<typeof campaignSend>({ ...input, cursor: outcome });
}

const restOf = (cursor: CampaignCursor, winner: Variant): CampaignCursor =>
  cursor.stage === 'rest' ? cursor : { ...cursor, ...fromTheFirst(cursor), stage: 'rest', winner };

/** Returns the beginning of a stage: its first page, of its first send time if there are send times. */
const fromTheFirst = ({ plan }: CampaignCursor): Pick<CampaignCursor, 'page' | 'from' | 'turn' | 'turnedTo' | 'step' | 'isStepSent'> => ({
  page: 0,
  from: null,
  ...(plan.rollout && { step: 0, isStepSent: false }),
  ...(plan.inTurns && { turn: null, turnedTo: null }),
});

/** Ends the campaign if the sample is the whole audience; its winner is known later. Resolves to false when some messages are still to be sent. */
async function endBeforeDecision(input: CampaignSendInput, state: CampaignState, decideAt: string): Promise<boolean> {
  const { pending } = await finish(input, state);
  if (pending > 0) return false;
  enter(state, 'sent');
  await decide(input, state, decideAt);
  enter(state, 'sent');
  return true;
}

async function decide({ campaignId, projectId }: CampaignSendInput, state: CampaignState, decideAt: string): Promise<Variant | null> {
  if (state.phase !== 'sent') enter(state, 'deciding');
  return executeChild(campaignAb, {
    workflowId: campaignAbId(campaignId),
    args: [{ campaignId, projectId, decideAt }],
    staticSummary: `Decides at ${decideAt}`,
    typedSearchAttributes: workflowInfo().typedSearchAttributes.updateCopy([dueAt(decideAt)]),
  });
}

/** Ends the campaign, unless messages are pending, and takes over exact numbers. */
async function finish(
  { campaignId, projectId }: CampaignSendInput,
  state: CampaignState,
  { cancelled, found }: { readonly cancelled: boolean; readonly found: boolean } = { cancelled: false, found: false },
): Promise<FinishResult> {
  if (!cancelled) enter(state, 'finishing');
  const capped = !cancelled && state.laterAt !== null && state.refused === null;
  const result = await bulk.finishCampaign({
    campaignId,
    projectId,
    now: Date.now(),
    cancelled,
    ...(found && { found }),
    ...(capped && { capped }),
    ...(!cancelled && state.refused && { refused: state.refused }),
  });
  state.sent = result.sent;
  state.skipped = result.skipped;
  showProgress(state);
  return result;
}

function beginAs(wanted: CampaignSendInput): Promise<never> {
  const typedSearchAttributes = workflowInfo().typedSearchAttributes.updateCopy([dueAt(wanted.scheduledFor)]);
  return makeContinueAsNewFunc<typeof campaignSend>({ typedSearchAttributes })(wanted);
}

function beginAnew({ cursor: _cursor, ...input }: CampaignSendInput): Promise<never> {
  return continueAsNew<typeof campaignSend>(input);
}
