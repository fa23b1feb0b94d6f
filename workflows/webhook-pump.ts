import { condition, continueAsNew, setCurrentDetails, setHandler, workflowInfo } from '@temporalio/workflow';
import { wakeSignal, webhookProgressQuery } from '../src/contracts/webhook';
import type { WebhookProgress, WebhookPumpInput } from '../src/contracts/webhook';
import { toOwnQueue } from './own-queue';
import { summarizedActivities } from './summarized';

/** A pump that fails waits for the database or for a worker: it is tried for ever, and soon again. */
const { pumpWebhooks } = summarizedActivities({
  taskQueue: 'http',
  startToCloseTimeout: '1 hour',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '5 seconds' },
});

const HISTORY_LIMIT = 2_000;

/** Makes the deliveries of one shard for ever, first attempts and later ones: as long as something is due, then sleeps until the next one is due or somebody wakes it. */
export async function webhookPump({ shard }: WebhookPumpInput): Promise<void> {
  let woken = false;
  let handled = 0;
  let state: WebhookProgress['state'] = 'delivering';
  let nextDueAt: number | null = null;
  const dueText = (): string | null => (nextDueAt === null ? null : new Date(nextDueAt).toISOString());
  setHandler(wakeSignal, () => {
    woken = true;
  });
  setHandler(webhookProgressQuery, () => ({ handled, state, nextDueAt: dueText() }));

  for (;;) {
    await toOwnQueue<typeof webhookPump>('webhook-pump.queue', { shard });
    woken = false;
    state = 'delivering';
    setCurrentDetails(`Shard ${shard}: delivering what is due`);
    const result = await pumpWebhooks({ shard, now: Date.now() });
    handled += result.handled;
    nextDueAt = result.nextDueAt;
    const { continueAsNewSuggested, historyLength } = workflowInfo();
    if (continueAsNewSuggested || historyLength > HISTORY_LIMIT) await continueAsNew<typeof webhookPump>({ shard });
    state = 'waiting';
    setCurrentDetails(`Shard ${shard}: ${handled} attempts made; next due ${dueText() ?? 'when an event comes'}`);
    if (nextDueAt === null) await condition(() => woken);
    else if (nextDueAt > Date.now()) await condition(() => woken, nextDueAt - Date.now(), { summary: 'until the next delivery is due' });
  }
}
