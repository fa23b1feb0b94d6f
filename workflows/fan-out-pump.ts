import { condition, continueAsNew, setCurrentDetails, setHandler, workflowInfo } from '@temporalio/workflow';
import { fanOutProgressQuery, wakeSignal } from '../src/contracts/fan-out';
import type { FanOutProgress, FanOutPumpInput } from '../src/contracts/fan-out';
import { toOwnQueue } from './own-queue';
import { summarizedActivities } from './summarized';

/** A pump that fails waits for the database or for a worker: it is tried for ever, and soon again. */
const { pumpFanOut } = summarizedActivities({
  taskQueue: 'pumps',
  startToCloseTimeout: '1 hour',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '5 seconds' },
});

const HISTORY_LIMIT = 2_000;

/** Hands the events of one shard on for ever: as long as there are any, then sleeps until somebody wakes it. */
export async function fanOutPump({ shard }: FanOutPumpInput): Promise<void> {
  let woken = false;
  let handled = 0;
  let state: FanOutProgress['state'] = 'handing on';
  setHandler(wakeSignal, () => {
    woken = true;
  });
  setHandler(fanOutProgressQuery, () => ({ handled, state }));

  for (;;) {
    await toOwnQueue<typeof fanOutPump>('fan-out-pump.queue', { shard });
    woken = false;
    state = 'handing on';
    setCurrentDetails(`Shard ${shard}: handing events on`);
    const result = await pumpFanOut({ shard });
    handled += result.handled;
    const { continueAsNewSuggested, historyLength } = workflowInfo();
    if (continueAsNewSuggested || historyLength > HISTORY_LIMIT) await continueAsNew<typeof fanOutPump>({ shard });
    if (result.more) continue;
    state = 'waiting';
    setCurrentDetails(`Shard ${shard}: ${handled} handed on; waits for the next event`);
    await condition(() => woken);
  }
}
