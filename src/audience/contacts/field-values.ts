import mongoose from 'mongoose';
import type { Document } from 'mongodb';
import type { Context } from '../../platform/core';
import { containing } from '../../platform/mongo';
import { fieldCount } from './fields';
import { ContactModel } from './model';

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
