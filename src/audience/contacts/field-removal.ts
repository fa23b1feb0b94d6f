import type { QueryFilter } from 'mongoose';
import type { Context } from '../../platform/core';
import { emit } from '../../records/events';
import { inTransaction } from '../../platform/mongo';
import { countFields, fieldCounts } from './fields';
import { ContactModel } from './model';
import type { Contact } from './model';

const CHUNK = 500;
const BY_ID = { projectId: 1, _id: 1 } as const;

/**
 * Removes a custom field from every contact, for good. Resolves to how many contacts had it. Goes through them `CHUNK` at a time, so that a call
 * that is cut off has done a part, and the next one does the rest.
 */
export async function removeField(ctx: Context, field: string): Promise<number> {
  const having = { projectId: ctx.projectId, [`data.${field}`]: { $exists: true } } as QueryFilter<Contact>;
  const cursor = ContactModel.collection.find<{ _id: string }>(having as never, { projection: { _id: 1 }, hint: BY_ID }).batchSize(CHUNK);
  let removed = 0;
  let ids: string[] = [];
  for await (const { _id } of cursor) {
    ids.push(_id);
    if (ids.length < CHUNK) continue;
    removed += await removeFrom(ctx, field, having, ids);
    ids = [];
  }
  return removed + (await removeFrom(ctx, field, having, ids));
}

function removeFrom(ctx: Context, field: string, having: QueryFilter<Contact>, ids: readonly string[]): Promise<number> {
  const { projectId, testMode } = ctx;
  if (ids.length === 0) return Promise.resolve(0);
  return inTransaction(async (session) => {
    const at = new Date();
    const filter = { ...having, _id: { $in: [...ids] } };
    const found = await ContactModel.find(filter, { [`data.${field}`]: 1 }, { session }).lean<Pick<Contact, '_id' | 'data'>[]>();
    if (found.length === 0) return 0;
    const changing = { _id: { $in: found.map(({ _id }) => _id) }, projectId };
    await ContactModel.collection.updateMany(changing, { $unset: { [`data.${field}`]: '' }, $set: { updatedAt: at } }, { session });
    const deltas = found.flatMap(({ data }) => fieldCounts(data, null));
    await countFields(session, projectId, deltas);
    const data = { source: 'api', changed: [`data.${field}`] };
    const events = found.map(({ _id }) => ({ projectId, name: 'contact.updated', contactId: _id, data, testMode, at }));
    await emit(session, events);
    return found.length;
  });
}
