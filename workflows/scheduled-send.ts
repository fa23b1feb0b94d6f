import { proxyActivities, setCurrentDetails, sleep } from '@temporalio/workflow';
import type { Activities } from '../activities';
import type { ScheduledSendInput } from '../src/contracts/scheduled-send';

const { wakeShards } = proxyActivities<Activities>({
  taskQueue: 'orchestration',
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '30 seconds' },
});

/**
 * Waits for the instant that a caller chose, then wakes the pumps, which take what is due. Cancelling a message is a compare-and-set on its
 * document: a pump finds it cancelled and leaves it.
 */
export async function scheduledSend({ sendAt, shards }: ScheduledSendInput): Promise<void> {
  setCurrentDetails(`Waits until ${sendAt}`);
  await sleep(Math.max(0, Date.parse(sendAt) - Date.now()));
  await wakeShards(shards);
}
