import type { QueryFilter } from 'mongoose';
import type { Model } from './model';
import type { PageRequest, Position, Positioned } from '../core';
import type { Document, Filter } from 'mongodb';
import { asciiDomain } from '../../rules/ascii-domain';
import { escapePattern } from '../../rules/conditions/text';

/** Builds a condition that a string contains `text`, ignoring case, in any normal form of Unicode. `text` is never read as a pattern. */
export const containing = (text: string): { readonly $regex: string; readonly $options: 'i' } => ({
  $regex: escapePattern(text.normalize('NFC')),
  $options: 'i',
});

/** Builds a condition that an address contains `text`, which may contain an internationalized domain in Unicode. */
export const containingAddress = (text: string): ReturnType<typeof containing> => containing(asciiDomain(text));

/** A part of a list, and where the next one begins. */
export interface Page<T> {
  readonly rows: readonly T[];
  /** The position of the last row when there are more. */
  readonly next: Position | null;
}

/** The order of a list: by an instant, then by `_id`. */
export interface Order<T> {
  readonly by: keyof T & string;
  readonly direction: 1 | -1;
}

interface Row {
  readonly _id: string;
}

/** An index, by its keys or its name. */
export type Hint = Readonly<Record<string, 1 | -1>> | string;

/** Resolves to the page of a list in newest-first order by (createdAt, _id). The filter's equality members and then these two want an index. */
export const newestFirst = <T extends Row & { readonly createdAt: Date }>(
  model: Model<T>,
  filter: QueryFilter<T>,
  request: PageRequest,
  projection: Readonly<Record<string, 0 | 1>> = {},
  hint?: Hint,
): Promise<Page<T>> => page(model, filter, request, { by: 'createdAt', direction: -1 }, projection, hint);

/**
 * Resolves to a page of a list that is ordered by (`order.by`, _id). It continues from a position, not from a count, so rows that are added
 * or removed elsewhere neither hide nor repeat one. Pass `hint` where the planner, which checks by the first rows, may choose a worse
 * index.
 */
export async function page<T extends Row>(
  model: Model<T>,
  filter: QueryFilter<T>,
  { limit, after }: PageRequest,
  { by, direction }: Order<T>,
  projection: Readonly<Record<string, 0 | 1>> = {},
  hint?: Hint,
): Promise<Page<T>> {
  const found = await model
    .find(
      (after ? { $and: [filter, beyond(by, direction, after)] } : filter) as QueryFilter<T>,
      projection,
      hint === undefined ? {} : { hint },
    )
    .sort({ [by]: direction, _id: direction })
    .limit(limit + 1)
    .lean<T[]>();
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return { rows, next: found.length > limit && last ? { at: last[by] as Date, id: last._id } : null };
}

/** Returns the filter for the rows beyond a position. The first member bounds the index scan, which the `$or` alone would not. */
export function beyond(
  by: string,
  direction: 1 | -1,
  { at, id }: { readonly at: Date | string; readonly id: string },
): Record<string, unknown> {
  const [past, pastOrAt] = direction === 1 ? ['$gt', '$gte'] : ['$lt', '$lte'];
  return { [by]: { [pastOrAt]: at }, $or: [{ [by]: { [past]: at } }, { _id: { [past]: id } }] };
}

export const NEWEST_FIRST = { createdAt: -1, _id: -1 } as const;

/** Returns what comes after a position in newest-first order. */
export const newestBeyond = (after: Position): Record<string, unknown> => beyond('createdAt', -1, after);

/** Returns the filter for the rows up to a position, and the row at it. */
export function upTo(by: string, direction: 1 | -1, { at, id }: Position): Record<string, unknown> {
  const [before, beforeOrAt] = direction === 1 ? ['$lt', '$lte'] : ['$gt', '$gte'];
  return { [by]: { [beforeOrAt]: at }, $or: [{ [by]: { [before]: at } }, { _id: { [beforeOrAt]: id } }] };
}

/** Compares as the database does: the newer instant first, then the greater id by its bytes. */
export const newer = (a: Position, b: Position): number => b.at.getTime() - a.at.getTime() || (a.id < b.id ? 1 : -1);

/**
 * Merges pages of several lists, which continue from the same position, into one in newest-first order. Where a page that is not full has a
 * next one, nothing beyond that is shown yet.
 */
export function mergedNewest<T>(pages: readonly Page<T>[], limit: number, positionOf: (row: T) => Position): Page<T> {
  const stop = pages.flatMap(({ next }) => next ?? []).sort(newer)[0] ?? null;
  const positioned = pages
    .flatMap(({ rows }) => rows.map((row) => ({ row, position: positionOf(row) })))
    .filter(({ position }) => stop === null || newer(position, stop) <= 0)
    .sort((a, b) => newer(a.position, b.position));
  const last = positioned.length > limit ? positioned[limit - 1] : undefined;
  return { rows: positioned.slice(0, limit).map(({ row }) => row), next: last?.position ?? stop };
}

/**
 * Deletes what the filter finds, at most `limit` rows, each only if it still matches. Resolves to how many were found: fewer than `limit`
 * means that none are left.
 */
export async function removePage<T>(
  { collection }: Model<T>,
  filter: Filter<Document>,
  limit: number,
  hint?: Readonly<Record<string, 1 | -1>> | string,
): Promise<number> {
  const page = await collection.find(filter, { projection: { _id: 1 }, limit, ...(hint && { hint }) }).toArray();
  if (page.length > 0) await collection.deleteMany({ $and: [{ _id: { $in: page.map(({ _id }) => _id) } }, filter] });
  return page.length;
}

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
