import type { ClientSession } from 'mongoose';
import { EventModel, FEED_INDEX } from './model';
import type { Event } from './model';
import { uncount, talliedUpTo } from './tally';
import { removePage } from '../../platform/mongo';

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

/** Matches events before an instant, except those that are not counted by name yet. */
async function receivedBefore(before: Date): Promise<{ readonly $lt: Date }> {
  const counted = await talliedUpTo();
  return { $lt: counted < before ? counted : before };
}

/** Deletes a page of a project's events that came before an instant; what is still to be delivered stays. What was counted of them stays counted. */
export const removeOldEvents = async (projectId: string, before: Date, limit: number): Promise<number> =>
  removePage(EventModel, { projectId, receivedAt: await receivedBefore(before), fanOut: { $exists: false } }, limit, FEED_INDEX);
