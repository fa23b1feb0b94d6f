import { scheduledMinuteOf } from '../../contracts/waiting-mail';
import type { ScheduledMinute, ScheduledMinuteInput } from '../../contracts/waiting-mail';
import type { Core } from '../../platform/core';
import { wakeDelivery } from '../../platform/wake-ups';
import { unreleasedInMinute, releaseDue, waitingInMinute, minuteIntent, overdueMinutes } from '../../records/emails';
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

/** Mail that is later than this waits for a lost workflow, or for one that is late itself. */
const LATE_MS = 5_000;
/** Longer than the time between two sweeps, so that none is missed. */
const ENDED_WITHIN_MS = 60_000;

/**
 * Starts the workflows of minutes that were ended in Temporal while messages wait, and of those that are late. Resolves to how many.
 *
 * | lost                                       | found                                   | happens                                  |
 * |--------------------------------------------|-----------------------------------------|------------------------------------------|
 * | workflow terminated by hand                | closed in Temporal within the minute    | started again by the next sweep          |
 * | the same while no worker ran, or Temporal's store | messages that are due and not released | started again when the first is 5 s late |
 */
export async function startForgottenMinutes({ processes, log }: Pick<Core, 'processes' | 'log'>, now: Date): Promise<number> {
  // What is late is known without Temporal's list of workflows.
  const ids = await processes.endedEarly('scheduledSend', new Date(now.getTime() - ENDED_WITHIN_MS)).catch((error: unknown) => {
    log.warn({ err: error }, 'Temporal could not list the workflows of scheduled mail that ended early');
    return [];
  });
  const ended = await endedMinutes(ids);
  const wanted = new Map([...ended, ...(await overdueMinutes(new Date(now.getTime() - LATE_MS)))].map((key) => [JSON.stringify(key), key]));
  await Promise.all([...wanted.values()].map((key) => processes.start(minuteIntent({ ...key, soon: true }))));
  return wanted.size;
}

async function endedMinutes(workflowIds: readonly string[]): Promise<readonly ScheduledMinuteInput[]> {
  const minutes = workflowIds.flatMap((id) => scheduledMinuteOf(id) ?? []);
  const held = await Promise.all(minutes.map((key) => unreleasedInMinute(key, 1)));
  return minutes.filter((_, index) => held[index]?.length);
}
