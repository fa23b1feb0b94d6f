import type { QueryFilter } from 'mongoose';
import type { Model } from './model';
import type { PageRequest, Position } from '../core';
import { NEWEST_FIRST, newer, newestBeyond, newestUpTo } from './page';
import type { Hint, Page } from './page';

/** A filter that an index serves in newest-first order, and a further filter for each of its rows. */
export interface Sought<T> {
  readonly indexed: QueryFilter<T>;
  /** Null: nothing. */
  readonly besides: QueryFilter<T> | null;
  readonly hint: Hint;
}

type Filter = QueryFilter<never> | Readonly<Record<string, unknown>>;

interface Row {
  readonly _id: string;
  readonly createdAt: Date;
}

/** Rows that one page checks, portion by portion: most pages are full after the first. */
const PORTIONS = [1_000, 49_000] as const;

/**
 * Resolves to a page in newest-first order of a list that an index can filter only in part. Examines at most 50,000 rows: a page that is
 * not full may have a next one, which continues where this one stopped.
 */
export async function newestWithin<T extends Row>(
  model: Model<T>,
  sought: Sought<T>,
  { limit, after }: PageRequest,
  projection: Readonly<Record<string, 0 | 1>> = {},
): Promise<Page<T>> {
  const { indexed, besides, hint } = sought;
  const rows: T[] = [];
  let from = after;
  for (const portion of besides === null ? [null] : PORTIONS) {
    const rest: Filter[] = [indexed, ...(besides === null ? [] : [besides]), ...(from === null ? [] : [newestBeyond(from)])];
    const edge = portion === null ? null : await edgeOf(model, sought, from, portion);
    const filter = { $and: [...rest, ...(edge === null ? [] : [newestUpTo(edge)])] };
    const found = await model
      .find(filter as QueryFilter<T>, projection, { hint })
      .sort(NEWEST_FIRST)
      .limit(limit + 1 - rows.length)
      .lean<T[]>();
    rows.push(...found);
    if (rows.length > limit) return { rows: rows.slice(0, limit), next: positionOf(rows[limit - 1]) };
    if (edge === null) return { rows, next: null };
    from = edge;
  }
  return { rows, next: from };
}

const positionOf = (row: Row | undefined): Position | null => (row === undefined ? null : { at: row.createdAt, id: row._id });

/**
 * Resolves to the approximate position of the nth row beyond a position; null if fewer exist. Rows of the position's own instant count as
 * well, so that the index alone answers, unless there are too many of them.
 */
async function edgeOf<T extends Row>(
  model: Model<T>,
  { indexed, hint }: Sought<T>,
  from: Position | null,
  nth: number,
): Promise<Position | null> {
  const nthOf = async (...beyond: readonly Filter[]): Promise<Position | null> => {
    const row = await model
      .findOne({ $and: [indexed, ...beyond] } as QueryFilter<T>, { _id: 1, createdAt: 1 }, { hint })
      .sort(NEWEST_FIRST)
      .skip(nth - 1)
      .lean<Row>();
    return row && positionOf(row);
  };
  if (from === null) return nthOf();
  const edge = await nthOf({ createdAt: { $lte: from.at } });
  return edge === null || newer(from, edge) < 0 ? edge : nthOf(newestBeyond(from));
}
