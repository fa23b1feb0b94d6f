import type { ClientSession } from 'mongoose';
import type { Context } from '../../platform/core/context';
import { AppError } from '../../platform/core/errors';
import { databaseNow } from '../../platform/mongo/clock';
import { inTransaction } from '../../platform/mongo/transaction';
import { compareSoon } from '../../audience/segments/usage';
import { EventModel } from '../../records/events/model';
import type { Event } from '../../records/events/model';
import { uncount } from '../../records/events/tally';
import { triggersOf } from '../../records/events/triggers';

/** Few enough for a short transaction. */
const CHUNK = 2_000;

/**
 * Deletes what was received of one of the caller's names until now; what is not handed on yet is not handed on. Segments that ask about it are compared
 * anew soon. Resolves to how many.
 * Throws `in_use` while an automation, in whatever state, has it as its trigger. Killed in the middle, the rest is there and can be deleted.
 */
export async function removeEvents(ctx: Context, name: string): Promise<number> {
  const [trigger] = await triggersOf(ctx.projectId, name);
  if (trigger) throw new AppError('in_use', 'A workflow has this event as its trigger');
  const until = await databaseNow();
  let removed = 0;
  for (let chunk = CHUNK; chunk === CHUNK; removed += chunk) {
    chunk = await inTransaction((session) => removeChunk(session, ctx.projectId, name, until));
  }
  return removed;
}

async function removeChunk(session: ClientSession, projectId: string, name: string, until: Date): Promise<number> {
  const rows = await EventModel.collection
    .find<Pick<Event, '_id' | 'receivedAt'>>({ projectId, name, receivedAt: { $lte: until } } as never, {
      session,
      projection: { receivedAt: 1 },
      limit: CHUNK,
    })
    .toArray();
  if (rows.length === 0) return 0;
  await EventModel.collection.deleteMany({ _id: { $in: rows.map(({ _id }) => _id) }, projectId } as never, { session });
  await uncount(session, projectId, name, rows);
  await compareSoon(session, projectId, name);
  return rows.length;
}
