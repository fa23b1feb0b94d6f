import { setCurrentDetails, sleep } from '@temporalio/workflow';
import type { WebhookKey } from '../src/contracts/webhook';
import { summarizedActivities } from './summarized';

/** What was being recorded for the endpoint when it was deleted is there by then. */
const GRACE = '5 minutes';

const { removeDeliveries } = summarizedActivities({
  taskQueue: 'bulk',
  startToCloseTimeout: '1 hour',
  heartbeatTimeout: '30 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/** Removes the deliveries of a deleted endpoint, and once more what came after it. */
export async function webhookRemoval(key: WebhookKey): Promise<void> {
  await removeDeliveries(key);
  setCurrentDetails('Removed; looks once more for what came late');
  await sleep(GRACE, { summary: 'until what was under way has come' });
  await removeDeliveries(key);
}
