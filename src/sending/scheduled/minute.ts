import type { ScheduledMinute, ScheduledMinuteInput } from '../../contracts/scheduled-send';
import type { Core } from '../../platform/core';
import { wakeDelivery } from '../../platform/wake-ups';
import { unreleasedInMinute, releaseDue, waitingInMinute } from '../../records/emails';
import { cancelScheduled } from '../accept';

const CANCELLED_AT_ONCE = 500;

/** Releases what of a minute is due and wakes the pumps for it. Resolves to what still waits. Safe to repeat and to race. */
export async function releaseMinute(core: Core, key: ScheduledMinuteInput, now: Date): Promise<ScheduledMinute> {
  await releaseDue(key, now, (shards) => {
    for (const shard of shards) wakeDelivery(core, shard);
  });
  return waitingInMinute(key);
}

/** Cancels what of a minute is not released, as `DELETE /v1/emails/{id}` does. Resolves to how many messages. Safe to repeat. */
export async function cancelMinute(core: Core, key: ScheduledMinuteInput): Promise<number> {
  let cancelled = 0;
  for (;;) {
    const ids = await unreleasedInMinute(key, CANCELLED_AT_ONCE);
    if (ids.length === 0) return cancelled;
    cancelled += await cancelScheduled(core, key.projectId, ids);
  }
}
