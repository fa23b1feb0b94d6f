import type { ClientSession } from 'mongoose';
import { inOneAnswer, ofProjects } from '../../platform/mongo';
import { EventModel } from './model';

interface NamedEvent {
  readonly id: string;
  readonly projectId: string;
}

/** Resolves to which of the events have rows of their own. */
export async function storedIds(session: ClientSession, events: readonly NamedEvent[]): Promise<ReadonlySet<string>> {
  const rows = await EventModel.collection
    .find(
      { _id: { $in: events.map(({ id }) => id) }, projectId: ofProjects(events) },
      { session, projection: { _id: 1 }, hint: '_id_', ...inOneAnswer(events.length) },
    )
    .toArray();
  return new Set(rows.map(({ _id }) => _id));
}
