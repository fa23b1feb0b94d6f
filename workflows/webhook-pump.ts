import { wakeSignal, webhookProgressQuery } from '../src/contracts/webhook';
import type { WebhookPumpInput } from '../src/contracts/webhook';
import { pumpShard } from './shard-pump';
import { summarizedActivities } from './summarized';

/** A pump that fails waits for the database or for a worker: it is retried forever, and soon. */
const { pumpWebhooks } = summarizedActivities({
  taskQueue: 'http',
  startToCloseTimeout: '1 hour',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '5 seconds' },
});

/** Runs the deliveries of one shard forever, first attempts and retries. */
export const webhookPump = (input: WebhookPumpInput): Promise<void> =>
  pumpShard(
    {
      wake: wakeSignal,
      query: webhookProgressQuery,
      progress: (standing) => standing,
      working: 'delivering',
      run: (shard) => pumpWebhooks({ shard, now: Date.now() }),
      says: {
        working: () => 'delivering what is due',
        waiting: (handled, nextDueAt) => `${handled} attempts made; next due ${nextDueAt ?? 'when an event comes'}`,
        timer: 'until the next delivery is due',
      },
    },
    input,
  );
