import { condition, setCurrentDetails, sleep } from '@temporalio/workflow';
import type {
  CampaignAbInput,
  CampaignCursor,
  CampaignKey,
  CampaignPlan,
  RolloutChecked,
  SendTimeGroup,
  Variant,
} from '../src/contracts/campaign';
import { LONGEST_PAUSE_MS, bulk, historyIsLong, light, sendPages } from './campaign-pages';
import type { Stage, StageOutcome } from './campaign-pages';
import { enter } from './campaign-state';
import type { CampaignState } from './campaign-state';
import { summarizedActivities } from './summarized';

/** Tried until it succeeds: a decision that waits for the database is better than none. */
const { decideCampaign } = summarizedActivities({
  taskQueue: 'bulk',
  startToCloseTimeout: '1 hour',
  heartbeatTimeout: '30 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '30 seconds' },
});

/** Waits for the instant of an experiment's decision, then decides it. Resolves to the winner; null when the campaign is cancelled or gone. */
export async function campaignAb({ decideAt, ...key }: CampaignAbInput): Promise<Variant | null> {
  setCurrentDetails(`Decides at ${decideAt}`);
  await sleep(Math.max(0, Date.parse(decideAt) - Date.now()), { summary: 'until the winner is decided' });
  const winner = await decideCampaign(key);
  setCurrentDetails(winner === null ? 'The campaign is cancelled or gone' : `Decided: ${winner}`);
  return winner;
}

const SOONEST_MS = 1_000;
/** After this long, holds are checked whatever was planned: they may have been ended. */
const LONGEST_HOLD_MS = 3_600_000;

/**
 * Waits while providers refuse the campaign's mail and all other recipients are done: checks in growing distances whether they would take it, until a hold has
 * ended or lets a message through as its probe. A person who resumes the campaign ends the wait.
 */
export async function untilProvidersTake({ campaignId, projectId }: CampaignKey, state: CampaignState): Promise<void> {
  for (let nextAt = state.laterAt; nextAt !== null && !historyIsLong();) {
    const { resumes } = state;
    const left = Math.min(LONGEST_HOLD_MS, Math.max(SOONEST_MS, nextAt - Date.now()));
    await condition(() => state.resumes !== resumes, left, { summary: waitsFor(state) });
    nextAt = (await light.checkProviders({ campaignId, projectId, now: Date.now() })).nextAt;
  }
}

const waitsFor = ({ refused }: CampaignState): string =>
  `until these providers are checked again, which refuse the mail: ${Object.keys(refused ?? {}).join(', ')}`.slice(0, 200);

/** Returns the share of a rollout's step, as people read it. */
export function stepWords(rollout: NonNullable<CampaignPlan['rollout']>, step: number): string {
  return `step ${step + 1} of ${rollout.length} (${rollout[step]?.percent ?? 100} %)`;
}

/**
 * Waits after a step of a rollout was sent, and while what came of it holds the campaign. The documents say how long, and whether a person has resumed it: a
 * repeated or late signal only has them read again. `unfinished` when the history has grown too long meanwhile.
 */
export async function untilNextStep(
  { campaignId, projectId }: CampaignKey,
  state: CampaignState,
  { plan: { rollout = [] }, step = 0 }: CampaignCursor,
): Promise<'passed' | 'over' | 'unfinished'> {
  const words = stepWords(rollout, step);
  for (;;) {
    const { resumes } = state;
    const checked = await bulk.checkRollout({ campaignId, projectId, step, now: Date.now() });
    show(state, words, checked);
    if (checked.state === 'passed' || checked.state === 'over') return checked.state;
    if (historyIsLong()) return 'unfinished';
    const left = checked.until === null ? LONGEST_PAUSE_MS : Math.max(1_000, checked.until - Date.now());
    await condition(() => state.resumes !== resumes, left, { summary: summaryOf(words, checked) });
  }
}

function show(state: CampaignState, words: string, { state: found, until, held }: RolloutChecked): void {
  const isWaiting = found === 'waits' || found === 'held';
  state.heldReason = isWaiting ? held : null;
  state.step = found === 'waits' && until !== null ? `${words} is sent, the next one begins at ${new Date(until).toISOString()}` : words;
  enter(state, isWaiting ? 'waiting' : 'sending');
}

const summaryOf = (words: string, { held, until }: RolloutChecked): string =>
  held === null ? `until ${words} is checked` : `until ${words} is passed: ${held}${until === null ? ', a person resumes it' : ''}`;

/**
 * Sends a stage of a campaign whose recipients have send times: waits for the next send time, sends to all recipients with it, and reads the next one. A recipient
 * whose window has closed by then, as after a pause, has moved to a later send time.
 */
export async function sendBySendTimes(
  { campaignId, projectId }: CampaignKey,
  state: CampaignState,
  cursor: CampaignCursor,
  stage: Stage,
): Promise<StageOutcome> {
  const key = { campaignId, projectId };
  let at = cursor;
  for (;;) {
    const { from, to } = stage;
    const group: SendTimeGroup | null = at.turn ?? (await light.nextCampaignTurn({ ...key, from, to, after: at.turnedTo ?? null }));
    if (group === null) return 'done';
    await untilSendTime(group);
    at = { ...at, turn: group };
    const outcome = await sendPages(key, state, at, { ...stage, rows: group.rows, turn: group.at });
    if (outcome !== 'done') return outcome;
    at = { ...at, turn: null, turnedTo: group.at, page: 0, from: null, notBefore: 0 };
  }
}

async function untilSendTime({ at, rows }: SendTimeGroup): Promise<void> {
  const left = at - Date.now();
  if (left > 0) await sleep(left, { summary: `until ${new Date(at).toISOString()}, the send time of ${rows} recipients` });
}
