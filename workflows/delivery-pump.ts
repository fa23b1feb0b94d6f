import { condition, continueAsNew, proxyActivities, setCurrentDetails, setHandler, workflowInfo } from '@temporalio/workflow';
import type { Activities } from '../activities';
import { deliveryProgressQuery, wakeSignal } from '../src/contracts/delivery';
import type { DeliveryPumpInput } from '../src/contracts/delivery';
import { toOwnQueue } from './own-queue';

/** A pump that fails waits for the database or for a worker: it is tried for ever, and soon again. */
const { pumpDelivery } = proxyActivities<Activities>({
  taskQueue: 'delivery',
  startToCloseTimeout: '1 hour',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '5 seconds' },
});

const HISTORY_LIMIT = 2_000;

/** Delivers the mail of one shard for ever: as long as something is due, then sleeps until the next message is due or somebody wakes it. */
export async function deliveryPump({ shard }: DeliveryPumpInput): Promise<void> {
  let woken = false;
  let handled = 0;
  let state: 'delivering' | 'waiting' = 'delivering';
  let nextDueAt: number | null = null;
  const dueText = (): string | null => (nextDueAt === null ? null : new Date(nextDueAt).toISOString());
  setHandler(wakeSignal, () => {
    woken = true;
  });
  setHandler(deliveryProgressQuery, () => ({ handled, state, nextDueAt: dueText() }));

  for (;;) {
    await toOwnQueue<typeof deliveryPump>('delivery-pump.queue', { shard });
    woken = false;
    state = 'delivering';
    setCurrentDetails(`Shard ${shard}: delivering what is due`);
    const result = await pumpDelivery({ shard, now: Date.now() });
    handled += result.handled;
    nextDueAt = result.nextDueAt;
    const { continueAsNewSuggested, historyLength } = workflowInfo();
    if (continueAsNewSuggested || historyLength > HISTORY_LIMIT) await continueAsNew<typeof deliveryPump>({ shard });
    state = 'waiting';
    setCurrentDetails(`Shard ${shard}: ${handled} handled; next due ${dueText() ?? 'when mail is accepted'}`);
    if (nextDueAt === null) await condition(() => woken);
    else if (nextDueAt > Date.now()) await condition(() => woken, nextDueAt - Date.now());
  }
}
