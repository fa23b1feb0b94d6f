import { setCurrentDetails, sleep } from '@temporalio/workflow';
import type { CampaignAbInput, Variant } from '../src/contracts/campaign';
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
