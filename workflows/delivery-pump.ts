import {
  ActivityFailure,
  condition,
  continueAsNew,
  isCancellation,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { deliveryProgressQuery, wakeSignal } from '../src/contracts/delivery';
import type { DeliveryPumpInput, PumpResult } from '../src/contracts/delivery';
import { toOwnQueue } from './own-queue';
import { summarizedActivities } from './summarized';

/** A pump that fails waits for the database or for a worker: it is tried for ever, and soon again. */
const anywhere = summarizedActivities({
  taskQueue: 'delivery',
  startToCloseTimeout: '1 hour',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '5 seconds' },
});

/** With the worker of this task queue, which may be gone. */
const only = (taskQueue: string) =>
  summarizedActivities({
    taskQueue,
    scheduleToStartTimeout: '3 seconds',
    startToCloseTimeout: '1 hour',
    heartbeatTimeout: '10 seconds',
    retry: { maximumAttempts: 1 },
  });

const HISTORY_LIMIT = 2_000;

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

/** Delivers the mail of one shard for ever: as long as something is due, then sleeps until the next message is due or somebody wakes it. */
export async function deliveryPump({ shard }: DeliveryPumpInput): Promise<void> {
  let woken = false;
  let handled = 0;
  let state: 'delivering' | 'waiting' = 'delivering';
  let nextDueAt: number | null = null;
  let moveTo: string | undefined;
  const dueText = (): string | null => (nextDueAt === null ? null : new Date(nextDueAt).toISOString());
  setHandler(wakeSignal, () => {
    woken = true;
  });
  setHandler(deliveryProgressQuery, () => ({ handled, state, nextDueAt: dueText() }));

  for (;;) {
    await toOwnQueue<typeof deliveryPump>('delivery-pump.queue', { shard });
    woken = false;
    state = 'delivering';
    setCurrentDetails(`Shard ${shard}: delivering what is due${moveTo === undefined ? '' : ` at ${moveTo}`}`);
    const result = await run(shard, moveTo);
    ({ nextDueAt, moveTo } = { moveTo: undefined, ...result });
    handled += result.handled;
    const { continueAsNewSuggested, historyLength } = workflowInfo();
    if (continueAsNewSuggested || historyLength > HISTORY_LIMIT) await continueAsNew<typeof deliveryPump>({ shard });
    if (moveTo !== undefined) continue;
    state = 'waiting';
    setCurrentDetails(`Shard ${shard}: ${handled} handled; next due ${dueText() ?? 'when mail is accepted'}`);
    if (nextDueAt === null) await condition(() => woken);
    else if (nextDueAt > Date.now()) await condition(() => woken, nextDueAt - Date.now(), { summary: 'until the next message is due' });
  }
}
