import type { SignalIntent, StartIntent } from '../../contracts/processes';
import { LISTED_IDS, MINUTE_MS, changedSignal, minuteOf, scheduledSendId } from '../../contracts/scheduled-send';
import type { ScheduledMinute, ScheduledMinuteInput } from '../../contracts/scheduled-send';
import { EmailModel } from './model';
import type { Email } from './model';

/** Returns whether a message waits for its time and is unclaimed. */
export const isScheduled = ({ status, scheduledFor, attempts }: Email): boolean =>
  status === 'queued' && scheduledFor !== null && attempts === 0;

/** Returns how search attributes name messages, and the contacts that they go to. */
const listedOf = (emails: readonly Pick<Email, '_id' | 'contactId'>[]): Pick<ScheduledMinute, 'emailIds' | 'recipientIds'> => ({
  emailIds: emails.map(({ _id }) => _id),
  recipientIds: [...new Set(emails.flatMap(({ contactId }) => contactId ?? []))],
});

/** Resolves to what of a project waits to go out within a minute for the first time, soonest first. */
export async function waitingInMinute({ projectId, minute }: ScheduledMinuteInput): Promise<ScheduledMinute> {
  const from = new Date(minute);
  const until = new Date(from.getTime() + MINUTE_MS);
  const filter = { projectId, status: 'queued' as const, scheduledFor: { $gte: from, $lt: until }, attempts: 0 };
  const [waiting, soonest] = await Promise.all([
    EmailModel.countDocuments(filter),
    EmailModel.find(filter, { contactId: 1 })
      .sort({ scheduledFor: 1, _id: 1 })
      .limit(LISTED_IDS)
      .lean<Pick<Email, '_id' | 'contactId'>[]>(),
  ]);
  return { waiting, ...listedOf(soonest) };
}

type Scheduled = Pick<Email, '_id' | 'projectId' | 'contactId' | 'scheduledFor'>;

/** Returns one workflow for each project and minute: the first message starts it, later ones have it look again. */
export const minutesOf = (emails: readonly Scheduled[]): readonly StartIntent[] =>
  [...byMinute(emails)].map(([workflowId, { projectId, minute, emails: group }]) => ({
    kind: 'start',
    workflow: 'scheduledSend',
    workflowId,
    input: { sendAt: minute.toISOString(), shards: [], projectId },
    summary: `Mail of the minute from ${minute.toISOString()} on`,
    attributes: { projectId, ...listedOf(group.slice(0, LISTED_IDS)), due: minute.toISOString() },
    again: true,
    orSignal: changedSignal.name,
  }));

/** Has the workflows of minutes that messages are no longer in look again, each once. */
export const minutesLeft = (emails: readonly Scheduled[]): readonly SignalIntent[] =>
  [...byMinute(emails).keys()].map((workflowId) => ({
    kind: 'signal',
    workflowId,
    signal: changedSignal.name,
    id: 'cancelled',
    repeatable: true,
  }));

interface Minute {
  readonly projectId: string;
  readonly minute: Date;
  readonly emails: Scheduled[];
}

function byMinute(emails: readonly Scheduled[]): ReadonlyMap<string, Minute> {
  const minutes = new Map<string, Minute>();
  for (const email of emails) {
    const { projectId, scheduledFor } = email;
    if (!scheduledFor) continue;
    const minute = minuteOf(scheduledFor);
    const workflowId = scheduledSendId(projectId, minute);
    const known = minutes.get(workflowId);
    if (known) known.emails.push(email);
    else minutes.set(workflowId, { projectId, minute, emails: [email] });
  }
  return minutes;
}
