import mongoose from 'mongoose';
import type { ClientSession } from 'mongoose';
import type { Context } from '../../platform/core';
import { newId } from '../../platform/core';
import { FIELD_TYPES, FieldChangeModel, FieldCountModel } from './field-model';
import type { FieldCount, FieldDelta, FieldType } from './field-model';
import { fieldTypeOf } from './field-type';

export type { FieldDelta } from './field-model';

type Data = Readonly<Record<string, unknown>>;

/** Returns what a change of a contact's `data` does to the counts of fields. */
export function fieldCounts(before: Data | null, after: Data | null): readonly FieldDelta[] {
  if (before === after) return [];
  const fields = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...fields].flatMap((field) => {
    const [from, to] = [typeIn(before, field), typeIn(after, field)];
    if (from === to) return [];
    return [...(from ? [{ field, type: from, by: -1 }] : []), ...(to ? [{ field, type: to, by: 1 }] : [])];
  });
}

const typeIn = (data: Data | null, field: string): FieldType | null =>
  data && Object.hasOwn(data, field) ? fieldTypeOf(data[field]) : null;

/** Adds to the counts of a project's fields, in the transaction of the change that they count. */
export async function countFields(session: ClientSession, projectId: string, deltas: readonly FieldDelta[]): Promise<void> {
  const sums = summed(deltas);
  if (sums.length === 0) return;
  await FieldChangeModel.collection.insertOne({ _id: newId('fc'), projectId, deltas: sums }, { session });
}

/** Sums deltas up to one for each field and type, without zeros. */
export function summed(deltas: readonly FieldDelta[]): readonly FieldDelta[] {
  const sums = new Map<string, FieldDelta>();
  for (const delta of deltas) {
    const key = `${delta.field}/${delta.type}`;
    sums.set(key, { ...delta, by: delta.by + (sums.get(key)?.by ?? 0) });
  }
  return [...sums.values()].filter(({ by }) => by !== 0);
}

const SNAPSHOT = { readConcern: { level: 'snapshot' } } as const;

/** Runs reads that all see the database as of one instant. Each of them has to ask for the read concern `snapshot`. */
export async function atOneInstant<T>(read: (session: ClientSession) => Promise<T>): Promise<T> {
  const session = await mongoose.startSession({ snapshot: true });
  try {
    return await read(session);
  } finally {
    await session.endSession();
  }
}

/** Resolves to how many contacts have a project's fields, or one of them: what is summed up and what is not yet, as the session sees it. */
export async function readCounts(session: ClientSession, projectId: string, field?: string): Promise<readonly FieldDelta[]> {
  const ofField = field === undefined ? {} : { field };
  // A transaction has the read concern of its beginning.
  const options = session.inTransaction() ? { session } : { session, ...SNAPSHOT };
  const counts = await FieldCountModel.collection.find<FieldCount>({ projectId, ...ofField }, options).toArray();
  const changes = await FieldChangeModel.collection
    .aggregate<FieldDelta>(
      [
        { $match: { projectId } },
        { $unwind: '$deltas' },
        { $replaceRoot: { newRoot: '$deltas' } },
        { $match: ofField },
        { $group: { _id: { field: '$field', type: '$type' }, by: { $sum: '$by' } } },
        { $project: { _id: 0, field: '$_id.field', type: '$_id.type', by: 1 } },
      ],
      options,
    )
    .toArray();
  return summed([
    ...counts.flatMap((count) => FIELD_TYPES.map((type) => ({ field: count.field, type, by: count[type] ?? 0 }))),
    ...changes,
  ]);
}

/** A custom field, as far as its values have the same type. */
export interface FieldSummary {
  readonly field: string;
  /** The type of all values, or `mixed`. */
  readonly type: FieldType | 'mixed';
  /** Contacts that have the field. */
  readonly count: number;
}

/** Resolves to the custom fields that contacts of the project have, by name; those that come after `after`. */
export async function listFields({ projectId }: Context, after = ''): Promise<readonly FieldSummary[]> {
  const counts = await atOneInstant((session) => readCounts(session, projectId));
  const byField = new Map<string, FieldSummary>();
  for (const { field, type, by } of counts.filter((each) => each.by > 0 && each.field > after)) {
    const known = byField.get(field);
    byField.set(field, { field, type: known ? 'mixed' : type, count: by + (known?.count ?? 0) });
  }
  return [...byField.values()].sort((a, b) => (a.field < b.field ? -1 : 1));
}

/** Resolves to how many contacts have a field. */
export async function fieldCount({ projectId }: Context, field: string): Promise<number> {
  const counts = await atOneInstant((session) => readCounts(session, projectId, field));
  return counts.reduce((sum, { by }) => sum + Math.max(0, by), 0);
}
