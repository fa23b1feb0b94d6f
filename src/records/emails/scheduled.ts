import type { SignalIntent, StartIntent } from '../../contracts/processes';
import { LISTED_IDS, MINUTE_MS, changedSignal, minuteOf, scheduledSendId } from '../../contracts/waiting-mail';
import type { ScheduledMinute, ScheduledMinuteInput } from '../../contracts/waiting-mail';
import { EmailModel, PRIORITY_OF } from './model';
import type { Email } from './model';
import { headsOf } from './oldest-due';

/** Returns whether a message waits for its time and is unclaimed. */
export const isScheduled = ({ status, scheduledFor, attempts }: Email): boolean =>
  status === 'queued' && scheduledFor !== null && attempts === 0;

/** Returns how search attributes name messages, and the contacts that they go to. */
const listedOf = (emails: readonly Pick<Email, '_id' | 'contactId'>[]): Pick<ScheduledMinute, 'emailIds' | 'recipientIds'> => ({
  emailIds: emails.map(({ _id }) => _id),
  recipientIds: [...new Set(emails.flatMap(({ contactId }) => contactId ?? []))],
});

const inMinute = ({ projectId, minute }: ScheduledMinuteInput) => {
  const from = new Date(minute);
  return { projectId, status: 'queued' as const, priority: PRIORITY_OF.scheduled, from, until: new Date(from.getTime() + MINUTE_MS) };
};

const RELEASED_AT_ONCE = 5_000;

/** Mail of automations waits for a window with many others: when it opens, it goes behind what people wait for. */
const RELEASED = [{ $set: { priority: { $cond: [{ $eq: ['$source', 'workflow'] }, PRIORITY_OF.bulk, PRIORITY_OF.transactional] } } }];

/**
 * Releases what of a minute is due at an instant: from then on the pumps find it. `found` is called with the shards of each chunk. Safe to repeat and to race: a
 * message that is moved, cancelled or released meanwhile is left as it is.
 */
export async function releaseDue(key: ScheduledMinuteInput, now: Date, found: (shards: readonly number[]) => void): Promise<void> {
  const { from, until, ...held } = inMinute(key);
  const by = new Date(Math.min(now.getTime(), until.getTime() - 1));
  for (let since = from; ;) {
    const filter = { ...held, scheduledFor: { $gte: since, $lte: by } };
    const due = await EmailModel.find(filter, { shard: 1, scheduledFor: 1 })
      .sort({ scheduledFor: 1, _id: 1 })
      .limit(RELEASED_AT_ONCE)
      .lean<Pick<Email, '_id' | 'shard' | 'scheduledFor'>[]>();
    const last = due.at(-1);
    if (!last) return;
    await EmailModel.collection.updateMany({ ...filter, _id: { $in: due.map(({ _id }) => _id) } }, RELEASED);
    found([...new Set(due.map(({ shard }) => shard))]);
    if (due.length < RELEASED_AT_ONCE) return;
    since = last.scheduledFor ?? since;
  }
}

/** Resolves to what of a minute is not released yet, soonest first. */
export async function waitingInMinute(key: ScheduledMinuteInput): Promise<ScheduledMinute> {
  const { from, until, ...held } = inMinute(key);
  const filter = { ...held, scheduledFor: { $gte: from, $lt: until } };
  type Waiting = Pick<Email, '_id' | 'contactId' | 'scheduledFor'>;
  const ends = (direction: 1 | -1, limit: number) =>
    EmailModel.find(filter, { contactId: 1, scheduledFor: 1 })
      .sort({ scheduledFor: direction, _id: direction })
      .limit(limit)
      .lean<Waiting[]>();
  const [waiting, soonest, [last]] = await Promise.all([EmailModel.countDocuments(filter), ends(1, LISTED_IDS), ends(-1, 1)]);
  const at = (email: Waiting | undefined): string | null => email?.scheduledFor?.toISOString() ?? null;
  return { waiting, ...listedOf(soonest), nextAt: at(soonest[0]), lastAt: at(last) };
}

/** Finds up to `limit` messages of a minute that are not released yet. */
export async function unreleasedInMinute(key: ScheduledMinuteInput, limit: number): Promise<readonly string[]> {
  const { from, until, ...held } = inMinute(key);
  const rows = await EmailModel.find({ ...held, scheduledFor: { $gte: from, $lt: until } }, { _id: 1 })
    .limit(limit)
    .lean<Pick<Email, '_id'>[]>();
  return rows.map(({ _id }) => _id);
}

/** Finds the minutes, one for each project, whose first message should have been released before an instant. */
export async function overdueMinutes(before: Date): Promise<readonly ScheduledMinuteInput[]> {
  const first = new Map<string, Date>();
  for (const { projectId, due } of await headsOf(PRIORITY_OF.scheduled, before)) {
    const known = first.get(projectId);
    if (!known || due < known) first.set(projectId, due);
  }
  return [...first].map(([projectId, due]) => ({ projectId, minute: minuteOf(due).toISOString() }));
}

type Scheduled = Pick<Email, '_id' | 'projectId' | 'contactId' | 'scheduledFor'>;

/** A message that goes out within so long is looked for at once. */
const SOON_MS = 15_000;

/** Returns one workflow for each project and minute: the first message starts it, later ones have it check again. */
export const minutesOf = (emails: readonly Scheduled[]): readonly StartIntent[] =>
  [...byMinute(emails)].map(([, { projectId, minute, emails: group }]) => {
    const soon = group.some(({ scheduledFor }) => scheduledFor !== null && scheduledFor.getTime() - Date.now() < SOON_MS);
    return {
      ...minuteIntent({ projectId, minute: minute.toISOString(), ...(soon && { soon }) }, group.slice(0, LISTED_IDS)),
      ...(soon && { urgent: true }),
    };
  });

/** Returns what starts the workflow of a minute, or has it check again. */
export const minuteIntent = (input: ScheduledMinuteInput, first: readonly Pick<Email, '_id' | 'contactId'>[] = []): StartIntent => ({
  kind: 'start',
  workflow: 'scheduledSend',
  workflowId: scheduledSendId(input.projectId, new Date(input.minute)),
  input,
  summary: `Mail of the minute from ${input.minute} on`,
  attributes: { projectId: input.projectId, ...listedOf(first), due: input.minute },
  again: true,
  orSignal: changedSignal.name,
});

/** Returns signals to the workflows of minutes that messages have left, one for each. */
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
