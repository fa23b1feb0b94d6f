import { setCurrentDetails, sleep } from '@temporalio/workflow';
import type { ActivityOptions } from '@temporalio/workflow';

/** Options of the activity that removes. */
export const REMOVAL: ActivityOptions = {
  taskQueue: 'bulk',
  startToCloseTimeout: '1 hour',
  heartbeatTimeout: '30 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
};

/** Writes that were in flight when the thing was deleted have arrived by then. */
const GRACE = '5 minutes';

/** Removes the data of a deleted object, and then again what was written late. */
export async function removedTwice(remove: () => Promise<void>): Promise<void> {
  await remove();
  setCurrentDetails('Removed; then checks again for late writes');
  await sleep(GRACE, { summary: 'until work in progress has ended' });
  await remove();
}
