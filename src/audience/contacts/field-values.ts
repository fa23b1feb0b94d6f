import mongoose from 'mongoose';
import type { QueryFilter } from 'mongoose';
import type { Document } from 'mongodb';
import type { Context } from '../../platform/core';
import { containing, inTransaction } from '../../platform/mongo';
import { fieldCount, countFields, fieldCounts } from './fields';
import { ContactModel } from './model';
import type { Contact } from './model';
import { emit } from '../../records/events';

/** The longest wait for an exact count. */
const EXACT_MS = 4_000;
const SAMPLE = 50_000;
const ALONG_LIST = { projectId: 1, createdAt: -1, _id: -1 } as const;
const BY_ID = { projectId: 1, _id: 1 } as const;

const MAX_TIME_EXPIRED = 50;

export interface ValuesRequest {
  readonly field: string;
  readonly limit: number;
  /** Part of the value's text, in any case. */
  readonly search?: string | undefined;
}

export interface FieldValue {
  readonly value: unknown;
  readonly count: number;
}

/**
 * Resolves to the values of a field, the most frequent first. Counts every contact where that takes less than four seconds, and else estimates from a sample
 * of 50,000 contacts (docs/contacts.md, Custom fields).
 */
export async function listFieldValues(ctx: Context, request: ValuesRequest): Promise<readonly FieldValue[]> {
  try {
    return await countValues(ctx, request);
  } catch (error) {
    if (!(error instanceof mongoose.mongo.MongoServerError && error.code === MAX_TIME_EXPIRED)) throw error;
    return estimateValues(ctx, request);
  }
}

/** Counts every contact, in bounded time. */
async function countValues({ projectId }: Context, { field, limit, search }: ValuesRequest): Promise<readonly FieldValue[]> {
  const having = { $match: { projectId, [`data.${field}`]: { $exists: true } } };
  return ContactModel.collection
    .aggregate<FieldValue>([having, ...mostFrequent(field, limit, search)], { hint: ALONG_LIST, maxTimeMS: EXACT_MS, allowDiskUse: true })
    .toArray();
}

/** Resolves to a sample of contacts, extrapolated to all that have the field. Ids derive from keyed hashes, so the first ones are as good as any. */
export async function estimateValues(ctx: Context, { field, limit, search }: ValuesRequest): Promise<readonly FieldValue[]> {
  const sample = [{ $match: { projectId: ctx.projectId } }, { $sort: { _id: 1 } }, { $limit: SAMPLE }];
  const having = { $match: { [`data.${field}`]: { $exists: true } } };
  const [[answer], total] = await Promise.all([
    ContactModel.collection
      .aggregate<{ readonly values: readonly FieldValue[]; readonly all: readonly { readonly count: number }[] }>(
        [...sample, having, { $facet: { values: mostFrequent(field, limit, search), all: [{ $count: 'count' }] } }],
        { hint: BY_ID, allowDiskUse: true },
      )
      .toArray(),
    fieldCount(ctx, field),
  ]);
  const sampled = answer?.all[0]?.count ?? 0;
  const factor = sampled > 0 ? Math.max(1, total / sampled) : 1;
  return (answer?.values ?? []).map(({ value, count }) => ({ value, count: Math.round(count * factor) }));
}

const mostFrequent = (field: string, limit: number, search: string | undefined): Document[] => [
  ...(search ? [{ $match: { $expr: { $regexMatch: { input: textOf(`$data.${field}`), ...patternOf(search) } } } }] : []),
  { $group: { _id: `$data.${field}`, count: { $sum: 1 } } },
  { $sort: { count: -1, _id: 1 } },
  { $limit: limit },
  { $project: { _id: 0, value: '$_id', count: 1 } },
];

const patternOf = (search: string): Document => {
  const { $regex, $options } = containing(search);
  return { regex: { $literal: $regex }, options: $options };
};

/** Returns what is searched: a text itself, a number or boolean as JSON writes it, the elements of an array one to a line; objects have none. */
const textOf = (path: string): Document => ({
  $cond: [
    { $isArray: path },
    { $reduce: { input: path, initialValue: '', in: { $concat: ['$$value', '\n', plainText('$$this')] } } },
    plainText(path),
  ],
});

const plainText = (path: string): Document => ({ $convert: { input: path, to: 'string', onError: '', onNull: '' } });

const CHUNK = 500;

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
