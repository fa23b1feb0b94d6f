import { sleep } from '@temporalio/workflow';
import type { CampaignCursor, CampaignKey, SendTimeGroup } from '../src/contracts/campaign';
import { activitiesOfCampaigns, sendPages } from './campaign-pages';
import type { Stage, StageOutcome } from './campaign-pages';
import type { CampaignState } from './campaign-state';

const { nextCampaignTurn } = activitiesOfCampaigns;

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
    const group: SendTimeGroup | null = at.turn ?? (await nextCampaignTurn({ ...key, from, to, after: at.turnedTo ?? null }));
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
