import type { ClientSession } from 'mongoose';
import { inTransaction } from '../../platform/mongo';
import { FIELD_TYPES, FieldChangeModel, FieldCountModel } from './field-model';
import type { FieldChange, FieldDelta } from './field-model';
import { summed } from './fields';

const PAGE = 1_000;

/** Sums up the changes of all projects' counts. Resolves to how many changes; safe to repeat, and to run twice at once. */
export async function sumUpFields(): Promise<number> {
  let total = 0;
  for (const projectId of await FieldChangeModel.distinct('projectId')) {
    for (let done = PAGE; done === PAGE; total += done) done = await inTransaction((session) => sumUpPage(session, projectId));
  }
  return total;
}

/** Sums up a page of changes; a change is in the sum or waits for it, never both. */
async function sumUpPage(session: ClientSession, projectId: string): Promise<number> {
  const rows = await FieldChangeModel.find({ projectId }, null, { session }).sort({ _id: 1 }).limit(PAGE).lean<FieldChange[]>();
  if (rows.length === 0) return 0;
  const fields = byField(summed(rows.flatMap(({ deltas }) => deltas)));
  const named = [...new Set(rows.flatMap(({ deltas }) => deltas.map(({ field }) => field)))];
  if (fields.size > 0) {
    const writes = [...fields].map(([field, $inc]) => ({
      updateOne: { filter: { _id: `${projectId}/${field}` }, update: { $inc, $setOnInsert: { projectId, field } }, upsert: true },
    }));
    await FieldCountModel.collection.bulkWrite(writes, { session, ordered: false });
  }
  const empty = Object.fromEntries(FIELD_TYPES.map((type) => [type, { $in: [0, null] }]));
  await FieldCountModel.deleteMany({ projectId, field: { $in: named }, ...empty }, { session });
  await FieldChangeModel.deleteMany({ _id: { $in: rows.map(({ _id }) => _id) }, projectId }, { session });
  return rows.length;
}

function byField(deltas: readonly FieldDelta[]): ReadonlyMap<string, Readonly<Record<string, number>>> {
  const fields = new Map<string, Record<string, number>>();
  for (const { field, type, by } of deltas) fields.set(field, { ...fields.get(field), [type]: by });
  return fields;
}
