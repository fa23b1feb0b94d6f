import { condition } from '@temporalio/workflow';
import type { CampaignCursor, CampaignKey, CampaignPlan, RolloutChecked } from '../src/contracts/campaign';
import { LONGEST_PAUSE_MS, activitiesOfCampaigns, historyIsLong } from './campaign-pages';
import { enter } from './campaign-state';
import type { CampaignState } from './campaign-state';

const { checkRollout } = activitiesOfCampaigns;

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
    const checked = await checkRollout({ campaignId, projectId, step, now: Date.now() });
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
