import mongoose from 'mongoose';
import type { ClientSession } from 'mongoose';
import type { Context } from '../../platform/core';
import { newId } from '../../platform/core';
import { FIELD_TYPES, FieldChangeModel, FieldCountModel } from './field-model';
import type { FieldCount, FieldDelta, FieldType, FieldChange } from './field-model';
import { inTransaction } from '../../platform/mongo';
import { fieldReaders } from './hooks';
import type { FieldReaders } from './hooks';

const COMMON_DAY = '\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))';
const LEAP_DAY = '(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29';

/**
 * An ISO 8601 date that the calendar has, or date-time with or without an offset. Means the same to JavaScript and to the database, line breaks
 * included.
 */
export const ISO_DATE =
  `^(?:${COMMON_DAY}|${LEAP_DAY})` +
  '(?:T(?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:\\.\\d{1,9})?)?(?:Z|[+-](?:[01]\\d|2[0-3]):?[0-5]\\d)?)?(?![\\s\\S])';

const isoDate = new RegExp(ISO_DATE);

/** Returns the type that a field with this value counts under; null for what is no value. */
export function fieldTypeOf(value: unknown): FieldType | null {
  if (typeof value === 'string') return isoDate.test(value) ? 'date' : 'string';
  if (typeof value === 'number' || typeof value === 'boolean') return typeof value as 'number' | 'boolean';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'object' && value !== null ? 'object' : null;
}

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

/** The contacts with a custom field, and the objects that read it. */
export interface FieldUsage extends FieldReaders {
  /** Number of contacts with the field. */
  readonly contacts: number;
}

/** Counts the contacts that have a field, and lists what refers to it, newest first. */
export async function fieldUsage(ctx: Context, field: string): Promise<FieldUsage> {
  const asked = fieldReaders.named.map(async ([by, read]) => [by, await read(ctx, field)] as const);
  const [contacts, readers] = await Promise.all([fieldCount(ctx, field), Promise.all(asked)]);
  return { contacts, ...(Object.fromEntries(readers) as unknown as FieldReaders) };
}
