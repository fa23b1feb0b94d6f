import type { ClientSession } from 'mongoose';
import { chunks } from '../../platform/async';
import { databaseNow, insertRows } from '../../platform/mongo';
import { MIN_GROUP, groupAlike, firstOf } from './alike';
import type { EmailEvent } from './alike';
import { emit } from './emit';
import { EventGroupModel } from './group-model';
import type { EventGroup } from './group-model';
import { listeningOf } from './listeners';

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
  const groups = hears(first.name) ? [] : groupsOf(queued);
  const together = new Set(groups.flat());
  await emit(
    session,
    queued.filter((event) => !together.has(event)),
  );
  const receivedAt = await databaseNow();
  await insertRows(
    EventGroupModel,
    groups.map((events) => groupOf(events, receivedAt)),
    session,
  );
}

const groupsOf = (queued: readonly EmailEvent[]): readonly (readonly EmailEvent[])[] =>
  [...groupAlike(queued.map((event) => [event]))]
    .filter(({ length }) => length >= MIN_GROUP)
    .flatMap((alike) => chunks(alike.map(firstOf), MOST));

function groupOf(events: readonly EmailEvent[], receivedAt: Date): EventGroup {
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
