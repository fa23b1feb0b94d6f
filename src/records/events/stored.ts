import type { ClientSession } from 'mongoose';
import { inOneAnswer } from '../../platform/mongo';
import { EventModel } from './model';

/** Resolves to which of the events have rows of their own. */
export async function storedIds(session: ClientSession, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await EventModel.collection
    .find({ _id: { $in: [...ids] } }, { session, projection: { _id: 1 }, ...inOneAnswer(ids.length) })
    .toArray();
  return new Set(rows.map(({ _id }) => _id));
}
