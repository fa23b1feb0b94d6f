import { setCurrentDetails, sleep } from '@temporalio/workflow';
import type { CampaignKey } from '../src/contracts/campaign';
import { summarizedActivities } from './summarized';

/** What a workflow of the campaign was writing when it was deleted is there by then. */
const GRACE = '5 minutes';

const { removeCampaign } = summarizedActivities({
  taskQueue: 'bulk',
  startToCloseTimeout: '1 hour',
  heartbeatTimeout: '30 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/** Removes what a deleted campaign leaves, and once more what came after it. */
export async function campaignRemoval(key: CampaignKey): Promise<void> {
  await removeCampaign(key);
  setCurrentDetails('Removed; looks once more for what came late');
  await sleep(GRACE, { summary: 'until what was under way has come' });
  await removeCampaign(key);
}
