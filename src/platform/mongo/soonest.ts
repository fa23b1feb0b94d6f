import type { QueryFilter } from 'mongoose';
import type { PageRequest, Positioned } from '../core';
import type { Model } from './model';
import { beyond } from './page';

/** The instant that rows are ordered by: a path of members. */
interface Instants {
  readonly by: string;
  /** It is stored as ISO 8601 text. */
  readonly isText?: true;
}

/** Resolves to rows of the future, the soonest first, after a position. Wants an index of the filter's equality members, then the instant and `_id`. */
export async function soonest<T extends { readonly _id: string }>(
  model: Model<T>,
  filter: Readonly<Record<string, unknown>>,
  { by, isText }: Instants,
  { limit, after }: PageRequest,
  now: Date,
  projection: Readonly<Record<string, 1>>,
): Promise<readonly Positioned<T>[]> {
  const stored = (at: Date): Date | string => (isText ? at.toISOString() : at);
  const ahead = { [by]: { $gt: stored(now) } };
  const conditions = [filter, ahead, ...(after ? [beyond(by, 1, { at: stored(after.at), id: after.id })] : [])];
  const rows = await model
    .find({ $and: conditions } as QueryFilter<T>, { ...projection, [by]: 1 })
    .sort({ [by]: 1, _id: 1 })
    .limit(limit)
    .lean<T[]>();
  return rows.map((row) => ({ row, position: { at: new Date(valueAt(row, by)), id: row._id } }));
}

const valueAt = (row: object, path: string): Date | string =>
  path.split('.').reduce<unknown>((value, name) => (value as Readonly<Record<string, unknown>>)[name], row) as Date | string;
