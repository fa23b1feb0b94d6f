import { sleep } from '@temporalio/workflow';
import type { CampaignCursor, CampaignKey, CampaignTurn } from '../src/contracts/campaign';
import { activitiesOfCampaigns, sendPages } from './campaign-pages';
import type { Stage, StageOutcome } from './campaign-pages';
import type { CampaignState } from './campaign-state';

const { nextCampaignTurn } = activitiesOfCampaigns;

/**
 * Sends a stage of a campaign whose recipients have turns: waits for the next turn, sends to all who have it, and looks for the next one. A recipient whose window
 * is closed again when it is looked at, as after a pause, has moved to a later turn by then.
 */
export async function sendInTurns(
  { campaignId, projectId }: CampaignKey,
  state: CampaignState,
  cursor: CampaignCursor,
  stage: Stage,
): Promise<StageOutcome> {
  const key = { campaignId, projectId };
  let at = cursor;
  for (;;) {
    const { from, to } = stage;
    const turn: CampaignTurn | null = at.turn ?? (await nextCampaignTurn({ ...key, from, to, after: at.turnedTo ?? null }));
    if (turn === null) return 'done';
    await untilTurn(turn);
    at = { ...at, turn };
    const outcome = await sendPages(key, state, at, { ...stage, rows: turn.rows, turn: turn.at });
    if (outcome !== 'done') return outcome;
    at = { ...at, turn: null, turnedTo: turn.at, page: 0, from: null, notBefore: 0 };
  }
}

async function untilTurn({ at, rows }: CampaignTurn): Promise<void> {
  const left = at - Date.now();
  if (left > 0) await sleep(left, { summary: `until ${new Date(at).toISOString()}, the turn of ${rows} recipients` });
}
