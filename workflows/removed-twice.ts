import { setCurrentDetails, sleep } from '@temporalio/workflow';
import type { ActivityOptions } from '@temporalio/workflow';

/** How the activity that removes is run. */
export const REMOVAL: ActivityOptions = {
  taskQueue: 'bulk',
  startToCloseTimeout: '1 hour',
  heartbeatTimeout: '30 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
};

/** Writes that were in flight when the thing was deleted have arrived by then. */
const GRACE = '5 minutes';

/** Removes what a deleted thing leaves, and once more what came after it. */
export async function removedTwice(remove: () => Promise<void>): Promise<void> {
  await remove();
  setCurrentDetails('Removed; looks once more for what came late');
  await sleep(GRACE, { summary: 'until what was under way has come' });
  await remove();
}
