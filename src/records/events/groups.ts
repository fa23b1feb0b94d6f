import type { ClientSession } from 'mongoose';
import { chunks } from '../../platform/async';
import { databaseNow, insertRows } from '../../platform/mongo';
import { emailEventId, isGroupedName } from '../../rules/email-events';
import type { EmailEventName } from '../../rules/email-events';
import { emit, emitOnce } from './emit';
import type { NewEvent } from './emit';
import { EventGroupModel } from './group-model';
import type { EventGroup } from './group-model';
import { listeningOf } from './listeners';
import type { Event } from './model';

const groups = () => EventGroupModel.collection;

/** An event of a message, with an id that stays the same however often it is emitted. */
export type EmailEvent = NewEvent & { readonly id: string; readonly name: EmailEventName; readonly emailId: string };

/** The events of one step of a message; never empty. */
type EmailEvents = readonly EmailEvent[];

/** Fewer messages get a row for each event. */
const MIN_GROUP = 5;

const firstOf = (events: EmailEvents): EmailEvent => events[0] as EmailEvent;
const lastOf = (events: EmailEvents): EmailEvent => events.at(-1) as EmailEvent;

/** Groups messages with equal events. No contact is in a group twice, so counting what a contact got means counting groups. */
function groupAlike(messages: readonly EmailEvents[]): Iterable<readonly EmailEvents[]> {
  const kinds = new Map<string, EmailEvents[]>();
  const times = new Map<string, number>();
  for (const events of messages) {
    const { contactId } = firstOf(events);
    const kind = kindOf(events);
    const before = contactId === null ? 0 : (times.get(`${kind}/${contactId}`) ?? 0);
    times.set(`${kind}/${contactId}`, before + 1);
    const alike = kinds.get(`${kind}/${before}`);
    if (alike) alike.push(events);
    else kinds.set(`${kind}/${before}`, [events]);
  }
  return kinds.values();
}

/** Returns the key of a group. All events of a second count as one instant, so that each stays in its hour and its day. */
function kindOf(events: EmailEvents): string {
  const { projectId, data } = firstOf(events);
  const second = Math.floor(lastOf(events).at.getTime() / 1000);
  return [projectId, data?.['source'], events.map(({ name }) => name).join(), second].join('/');
}

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
  [...groupAlike(queued.map((event) => [event]))]
    .filter(({ length }) => length >= MIN_GROUP)
    .flatMap((alike) => chunks(alike.map(firstOf), MOST));

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

/**
 * How the events of a message were first stored, by the last of them. A failure is answered by a retry, and a listener may have been added or removed
 * meanwhile: events stored alone stay alone, and events that may be in a group are looked for there first.
 */
const tried = new WeakMap<EmailEvent, 'alone' | 'together'>();

/**
 * Emits the events of live messages, each for the first time: equal ones as one group where there is no listener. A retry with the same messages stores
 * nothing twice. Events of a message that was taken over meanwhile (`closeGroups`) are stored alone, under the ids that the other worker uses. Resolves to the ids of
 * the messages that are in groups.
 */
export async function emitTogether(messages: readonly EmailEvents[]): Promise<ReadonlySet<string>> {
  const toGroup: (readonly EmailEvents[])[] = [];
  const alone: EmailEvents[] = [];
  const judged = await Promise.all([...groupAlike(messages)].map(async (alike) => ({ alike, together: await mayBeGrouped(alike) })));
  for (const { alike, together } of judged) {
    if (together) toGroup.push(alike);
    else alone.push(...alike);
  }
  const earlier = await groupedEarlier(alone);
  for (const events of alone) tried.set(lastOf(events), 'alone');
  for (const events of toGroup.flat()) tried.set(lastOf(events), 'together');
  const [stored] = await Promise.all([Promise.all(toGroup.map(storeGroup)), emitOnce(without(earlier, alone))]);
  const now = new Set(stored.flatMap((ids) => [...ids]));
  await emitOnce(without(now, toGroup.flat()));
  return new Set([...earlier, ...now]);
}

async function mayBeGrouped(alike: readonly EmailEvents[]): Promise<boolean> {
  const [events = []] = alike;
  if (alike.length < MIN_GROUP || !events.every(({ name }) => isGroupedName(name))) return false;
  if (alike.some((one) => tried.get(lastOf(one)) === 'alone')) return false;
  const { hears } = await listeningOf(firstOf(events).projectId);
  return !events.some(({ name }) => hears(name));
}

/** Closes groups that an earlier try may or may not have stored. Resolves to the ids of the messages that are in one. */
async function groupedEarlier(alone: readonly EmailEvents[]): Promise<ReadonlySet<string>> {
  const doubtful = alone.filter((events) => tried.get(lastOf(events)) === 'together').map(firstOf);
  return new Set((await closeGroups(doubtful.map(({ emailId, projectId }) => ({ _id: emailId, projectId })))).keys());
}

const without = (ids: ReadonlySet<string>, messages: readonly EmailEvents[]): readonly EmailEvent[] =>
  messages.filter((events) => !ids.has(firstOf(events).emailId)).flat();

/** Resolves to the messages that are in groups now: all of them, but for those that may not come into one any more. */
async function storeGroup(alike: readonly EmailEvents[]): Promise<Iterable<string>> {
  const row = groupOf(alike, await databaseNow());
  const [known] = await insertRows(EventGroupModel, [row]);
  return known === undefined ? row.emails : (await resultsInGroups(row.emails)).keys();
}

function groupOf(alike: readonly EmailEvents[], receivedAt: Date): EventGroup {
  const firsts = alike.map(firstOf);
  const [{ projectId, emailId, data }] = firsts as [EmailEvent, ...EmailEvent[]];
  const [{ at }] = alike.map(lastOf) as [EmailEvent, ...EmailEvent[]];
  const responses = alike.map((events) => String(lastOf(events).data?.['response']));
  return {
    _id: groupId(emailId),
    projectId,
    names: (alike[0] ?? []).map(({ name }) => name).filter(isGroupedName),
    emails: firsts.map((event) => event.emailId),
    contacts: firsts.map(({ contactId }) => contactId),
    source: String(data?.['source']),
    responses: responses.every((response) => response === responses[0]) ? responses.slice(0, 1) : responses,
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
