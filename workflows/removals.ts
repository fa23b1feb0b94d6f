import { setCurrentDetails, sleep } from '@temporalio/workflow';
import type { CampaignKey } from '../src/contracts/campaign';
import type { WebhookKey } from '../src/contracts/webhook';
import { summarizedActivities } from './summarized';

const { removeCampaign, removeDeliveries } = summarizedActivities({
  taskQueue: 'bulk',
  startToCloseTimeout: '1 hour',
  heartbeatTimeout: '30 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/** Writes that were in flight when the thing was deleted have arrived by then. */
const GRACE = '5 minutes';

async function removedTwice(remove: () => Promise<void>): Promise<void> {
  await remove();
  setCurrentDetails('Removed; then checks again for late writes');
  await sleep(GRACE, { summary: 'until work in progress has ended' });
  await remove();
}

/** Removes the data of a deleted campaign, and then again what was written late. */
export const campaignRemoval = (key: CampaignKey): Promise<void> => removedTwice(() => removeCampaign(key));

/** Removes the deliveries of a deleted endpoint, and then again what was written late. */
export const webhookRemoval = (key: WebhookKey): Promise<void> => removedTwice(() => removeDeliveries(key));
