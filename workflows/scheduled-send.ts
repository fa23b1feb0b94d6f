import { defineSearchAttributeKey } from '@temporalio/common';
import { condition, continueAsNew, setCurrentDetails, setHandler, sleep, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import { MINUTE_MS, changedSignal } from '../src/contracts/scheduled-send';
import type { ScheduledMinuteInput, ScheduledSendInput } from '../src/contracts/scheduled-send';
import { summarizedActivities } from './summarized';

const { wakeShards, scheduledMinute } = summarizedActivities({
  taskQueue: 'orchestration',
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '30 seconds' },
});

const EMAIL_ID = defineSearchAttributeKey('EmailId', 'KEYWORD_LIST');
const RECIPIENT_ID = defineSearchAttributeKey('RecipientId', 'KEYWORD_LIST');
/** Changes of so long a time are looked at together. */
const TOGETHER_MS = 2_000;
/** Mail that is late is looked at again after so long. */
const LATE_MS = 60_000;
const HISTORY_LIMIT = 500;

/**
 * Stands for what a project sends within one minute, until all of it is on its way: it names the messages that wait, and the contacts
 * that they go to, by the search attributes `EmailId` and `RecipientId`.
 * It ends when none waits any more, at the end of the minute or when the last one was cancelled. The pumps have timers of their own for what is due.
 */
export async function scheduledSend({ sendAt, shards, projectId }: ScheduledSendInput): Promise<void> {
  if (projectId !== undefined) return untilGone({ projectId, minute: sendAt });
  setCurrentDetails(`Waits until ${sendAt}`);
  await sleep(Math.max(0, Date.parse(sendAt) - Date.now()), { summary: 'until the message is due' });
  await wakeShards(shards);
}

async function untilGone(key: ScheduledMinuteInput): Promise<void> {
  const over = Date.parse(key.minute) + MINUTE_MS;
  let changed = false;
  setHandler(changedSignal, () => {
    changed = true;
  });
  setCurrentDetails(`Mail that goes out from ${key.minute} on`);
  for (let lookAt = over; ; lookAt = Math.max(over, Date.now() + LATE_MS)) {
    await condition(() => changed, Math.max(1, lookAt - Date.now()), { summary: 'until the minute is over' });
    if (changed) await sleep(TOGETHER_MS, { summary: 'until the change is settled' });
    changed = false;
    const { waiting, emailIds, recipientIds = [] } = await scheduledMinute(key);
    if (waiting === 0 && !changed) return;
    upsertSearchAttributes([
      { key: EMAIL_ID, value: [...emailIds] },
      { key: RECIPIENT_ID, value: [...recipientIds] },
    ]);
    setCurrentDetails(`${waiting} messages go out from ${key.minute} on`);
    if (!changed && workflowInfo().historyLength > HISTORY_LIMIT) {
      await continueAsNew<typeof scheduledSend>({ sendAt: key.minute, shards: [], projectId: key.projectId });
    }
  }
}
