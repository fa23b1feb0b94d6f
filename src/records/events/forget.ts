import type { ClientSession } from 'mongoose';
import { EventModel } from './model';
import type { Event } from './model';
import { uncount } from './tally';

/** Deletes up to `limit` events of a name that were received until an instant, and takes them out of the counts of names. Resolves to how many it was. */
export async function forgetEvents(
  session: ClientSession,
  { projectId, name, until }: { readonly projectId: string; readonly name: string; readonly until: Date },
  limit: number,
): Promise<number> {
  const filter = { projectId, name, receivedAt: { $lte: until } };
  const rows = await EventModel.collection
    .find<Pick<Event, '_id' | 'receivedAt'>>(filter, { session, projection: { receivedAt: 1 }, limit })
    .toArray();
  if (rows.length === 0) return 0;
  await EventModel.collection.deleteMany({ _id: { $in: rows.map(({ _id }) => _id) }, projectId }, { session });
  await uncount(session, projectId, name, rows);
  return rows.length;
}
