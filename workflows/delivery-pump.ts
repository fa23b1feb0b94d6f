import { ActivityFailure, isCancellation } from '@temporalio/workflow';
import { deliveryProgressQuery, wakeSignal } from '../src/contracts/delivery';
import type { DeliveryPumpInput, PumpResult } from '../src/contracts/delivery';
import { pumpShard } from './shard-pump';
import { summarizedActivities } from './summarized';

/** A pump that fails waits for the database or for a worker: it is retried forever, and soon. */
const anywhere = summarizedActivities({
  taskQueue: 'delivery',
  startToCloseTimeout: '1 hour',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '5 seconds' },
});

// With the worker of this task queue, which may be gone.
const only = (taskQueue: string) =>
  summarizedActivities({
    taskQueue,
    scheduleToStartTimeout: '3 seconds',
    startToCloseTimeout: '1 hour',
    heartbeatTimeout: '10 seconds',
    retry: { maximumAttempts: 1 },
  });

/** Runs the pump where the last run left it; anywhere when that worker does not take it. */
async function run(shard: number, moveTo: string | undefined): Promise<PumpResult> {
  const now = Date.now();
  if (moveTo === undefined) return anywhere.pumpDelivery({ shard, now });
  try {
    return await only(moveTo).pumpDelivery({ shard, now });
  } catch (error) {
    if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
    return anywhere.pumpDelivery({ shard, now: Date.now(), stay: true });
  }
}

/** Delivers the mail of one shard forever. */
export const deliveryPump = (input: DeliveryPumpInput): Promise<void> =>
  pumpShard(
    {
      wake: wakeSignal,
      query: deliveryProgressQuery,
      progress: (standing) => standing,
      working: 'delivering',
      run,
      says: {
        working: (moveTo) => `delivering what is due${moveTo === undefined ? '' : ` at ${moveTo}`}`,
        waiting: (handled, nextDueAt) => `${handled} handled; next due ${nextDueAt ?? 'when mail is accepted'}`,
        timer: 'until the next message is due',
      },
    },
    input,
  );
