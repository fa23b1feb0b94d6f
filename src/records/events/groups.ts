import type { ClientSession } from 'mongoose';
import { chunks } from '../../platform/async';
import { databaseNow, insertRows } from '../../platform/mongo';
import { emailEventId } from '../../rules/email-events';
import type { EmailEventName } from '../../rules/email-events';
import { emit } from './emit';
import type { NewEvent } from './emit';
import { EventGroupModel } from './group-model';
import type { EventGroup } from './group-model';
import { listeningOf } from './listeners';
import type { Event } from './model';

const groups = () => EventGroupModel.collection;

/** An event of a message, with an id that stays the same however often it is emitted. */
export type EmailEvent = NewEvent & { readonly id: string; readonly name: EmailEventName; readonly emailId: string };

/** Fewer messages get a row for each event. */
const MIN_GROUP = 5;

/** Groups equal events. No contact is in a group twice, so counting what a contact got means counting groups. */
function groupAlike(events: readonly EmailEvent[]): Iterable<readonly EmailEvent[]> {
  const kinds = new Map<string, EmailEvent[]>();
  const times = new Map<string, number>();
  for (const event of events) {
    const kind = kindOf(event);
    const { contactId } = event;
    const before = contactId === null ? 0 : (times.get(`${kind}/${contactId}`) ?? 0);
    times.set(`${kind}/${contactId}`, before + 1);
    const alike = kinds.get(`${kind}/${before}`);
    if (alike) alike.push(event);
    else kinds.set(`${kind}/${before}`, [event]);
  }
  return kinds.values();
}

/** Returns the key of a group. All events of a second count as one instant, so that each stays in its hour and its day. */
const kindOf = ({ projectId, data, at }: EmailEvent): string => [projectId, data?.['source'], Math.floor(at.getTime() / 1000)].join('/');

/** A page of a list reads whole groups. */
const MOST = 250;

/**
 * Emits `email.queued` for live messages of a project in the transaction of their acceptance: as groups where there is no listener.
 * Each message is queued once in its life, so that only the message has to be unique.
 */
export async function emitQueued(session: ClientSession, queued: readonly EmailEvent[]): Promise<void> {
  const [first] = queued;
  if (!first) return;
  const { hears } = await listeningOf(first.projectId);
  const groups = hears(first.name) ? [] : queuedTogether(queued);
  const together = new Set(groups.flat());
  await emit(
    session,
    queued.filter((event) => !together.has(event)),
  );
  const receivedAt = await databaseNow();
  await insertRows(
    EventGroupModel,
    groups.map((events) => queuedGroup(events, receivedAt)),
    session,
  );
}

const queuedTogether = (queued: readonly EmailEvent[]): readonly (readonly EmailEvent[])[] =>
  [...groupAlike(queued)].filter(({ length }) => length >= MIN_GROUP).flatMap((alike) => chunks(alike, MOST));

function queuedGroup(events: readonly EmailEvent[], receivedAt: Date): EventGroup {
  const [{ id, projectId, data, at }] = events as [EmailEvent, ...EmailEvent[]];
  return {
    _id: id.replace('evt_', 'evg_'),
    projectId,
    names: ['email.queued'],
    emails: events.map(({ emailId }) => emailId),
    contacts: events.map(({ contactId }) => contactId),
    source: String(data?.['source']),
    createdAt: at,
    receivedAt,
  };
}

const groupId = (emailId: string): string => `evg_${emailId.slice('em_'.length)}`;

/** What a group says of a message. */
export interface GroupedResult extends Pick<EventGroup, 'names' | 'createdAt'> {
  readonly response: string;
}

async function resultsInGroups(emailIds: readonly string[]): Promise<ReadonlyMap<string, GroupedResult>> {
  const rows = await groups()
    .find<EventGroup>({ emails: { $in: [...emailIds] }, responses: { $exists: true }, 'names.0': { $exists: true } })
    .toArray();
  return new Map(
    rows.flatMap((row) => row.emails.map((id, at) => [id, { names: row.names, createdAt: row.createdAt, response: responseOf(row, at) }])),
  );
}

/**
 * Closes groups for these messages: none can be stored afterwards. Resolves to the messages that were in one before: the next server had accepted them. The unique
 * index decides between this and a worker that is late: either its group is there, and found, or it is refused.
 */
export async function closeGroups(
  emails: readonly { readonly _id: string; readonly projectId: string }[],
): Promise<ReadonlyMap<string, GroupedResult>> {
  if (emails.length === 0) return new Map();
  const now = await databaseNow();
  const blank = { names: [], contacts: [], source: '', responses: [], createdAt: now, receivedAt: now };
  const known = await insertRows(
    EventGroupModel,
    emails.map(({ _id, projectId }): EventGroup => ({ _id: groupId(_id), projectId, emails: [_id], ...blank })),
  );
  return resultsInGroups(known.map((at) => (emails[at] as { readonly _id: string })._id));
}

const responseOf = ({ responses = [] }: EventGroup, at: number): string => (responses.length > 1 ? responses[at] : responses[0]) ?? '';

/** Returns the events that a group holds, as rows of their own. */
export const eventsIn = (group: EventGroup): Event[] =>
  group.emails.flatMap((emailId, at) =>
    group.names.map((name) => ({
      _id: emailEventId(emailId, name),
      projectId: group.projectId,
      contactId: group.contacts[at] ?? null,
      emailId,
      name,
      data: name === 'email.queued' ? { source: group.source } : { source: group.source, response: responseOf(group, at) },
      testMode: false,
      createdAt: group.createdAt,
      receivedAt: group.receivedAt,
      depth: 0,
    })),
  );
