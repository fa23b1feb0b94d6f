import { scheduledMinuteOf } from '../../contracts/scheduled-send';
import type { ScheduledMinuteInput } from '../../contracts/scheduled-send';
import type { Core } from '../../platform/core';
import { unreleasedInMinute, minuteIntent, overdueMinutes } from '../../records/emails';

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
