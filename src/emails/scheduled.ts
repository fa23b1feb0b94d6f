import type { SignalIntent } from '../contracts/processes';
import { LISTED_IDS, MINUTE_MS, changedSignal, minuteOf, scheduledSendId } from '../contracts/scheduled-send';
import type { ScheduledMinute, ScheduledMinuteInput } from '../contracts/scheduled-send';
import { EmailModel } from './model';
import type { Email } from './model';

/** What of a project waits to go out within a minute for the first time, soonest first. */
export async function waitingInMinute({ projectId, minute }: ScheduledMinuteInput): Promise<ScheduledMinute> {
  const from = new Date(minute);
  const until = new Date(from.getTime() + MINUTE_MS);
  const filter = { projectId, status: 'queued' as const, scheduledFor: { $gte: from, $lt: until }, attempts: 0 };
  const [waiting, soonest] = await Promise.all([
    EmailModel.countDocuments(filter),
    EmailModel.find(filter, { _id: 1 }).sort({ scheduledFor: 1, _id: 1 }).limit(LISTED_IDS).lean<Pick<Email, '_id'>[]>(),
  ]);
  return { waiting, emailIds: soonest.map(({ _id }) => _id) };
}

/** Has the workflow of a cancelled message's minute look again. */
export const cancelledInMinute = (projectId: string, scheduledFor: Date): SignalIntent => ({
  kind: 'signal',
  workflowId: scheduledSendId(projectId, minuteOf(scheduledFor)),
  signal: changedSignal.name,
  id: 'cancelled',
  repeatable: true,
});
