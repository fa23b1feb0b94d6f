import { condition } from '@temporalio/workflow';
import type { CampaignKey } from '../src/contracts/campaign';
import { activitiesOfCampaigns, historyIsLong } from './campaign-pages';
import type { CampaignState } from './campaign-state';

const { checkProviders } = activitiesOfCampaigns;

const SOONEST_MS = 1_000;
/** After this long, holds are checked whatever was planned: they may have been ended. */
const LONGEST_MS = 3_600_000;

/**
 * Waits while providers refuse the campaign's mail and all other recipients are done: checks in growing distances whether they would take it, until a hold has
 * ended or lets a message through as its probe. A person who resumes the campaign ends the wait.
 */
export async function untilProvidersTake({ campaignId, projectId }: CampaignKey, state: CampaignState): Promise<void> {
  for (let nextAt = state.laterAt; nextAt !== null && !historyIsLong();) {
    const { resumes } = state;
    const left = Math.min(LONGEST_MS, Math.max(SOONEST_MS, nextAt - Date.now()));
    await condition(() => state.resumes !== resumes, left, { summary: waitsFor(state) });
    nextAt = (await checkProviders({ campaignId, projectId, now: Date.now() })).nextAt;
  }
}

const waitsFor = ({ refused }: CampaignState): string =>
  `until these providers are checked again, which refuse the mail: ${Object.keys(refused ?? {}).join(', ')}`.slice(0, 200);
