import type { QueryFilter } from 'mongoose';
import type { Model } from './model';
import type { PageRequest, Position } from '../core';
import { beyond, newer, upTo } from './page';
import type { Hint, Order, Page } from './page';

/** A filter that an index serves in the order of the list, and a further filter for each of its rows. */
export interface Sought<T> {
  readonly indexed: QueryFilter<T>;
  /** Null: nothing. */
  readonly besides: QueryFilter<T> | null;
  /** Absent where the planner knows best. */
  readonly hint?: Hint | undefined;
}

type Filter = QueryFilter<never> | Readonly<Record<string, unknown>>;

interface Row {
  readonly _id: string;
  readonly createdAt: Date;
}

/** Rows that one page checks, portion by portion: most pages are full after the first. */
const PORTIONS = [1_000, 49_000] as const;

/** Resolves to the same as `pageWithin`, in newest-first order. */
export const newestWithin = <T extends Row>(
  model: Model<T>,
  sought: Sought<T>,
  request: PageRequest,
  projection: Readonly<Record<string, 0 | 1>> = {},
): Promise<Page<T>> => pageWithin(model, sought, request, { by: 'createdAt', direction: -1 }, projection);

/**
 * Resolves to a page of a list that an index can filter only in part. Examines at most 50,000 rows: a page that is not full may have a next
 * one, which continues where this one stopped.
 */
export async function pageWithin<T extends Row>(
  model: Model<T>,
  sought: Sought<T>,
  { limit, after }: PageRequest,
  order: Order<T>,
  projection: Readonly<Record<string, 0 | 1>> = {},
): Promise<Page<T>> {
  const { indexed, besides, hint } = sought;
  const { by, direction } = order;
  const rows: T[] = [];
  let from = after;
  for (const portion of besides === null ? [null] : PORTIONS) {
    const rest: Filter[] = [indexed, ...(besides === null ? [] : [besides]), ...(from === null ? [] : [beyond(by, direction, from)])];
    const edge = portion === null ? null : await edgeOf(model, sought, order, from, portion);
    const filter = { $and: [...rest, ...(edge === null ? [] : [upTo(by, direction, edge)])] };
    const found = await model
      .find(filter as QueryFilter<T>, projection, hinted(hint))
      .sort({ [by]: direction, _id: direction })
      .limit(limit + 1 - rows.length)
      .lean<T[]>();
    rows.push(...found);
    if (rows.length > limit) return { rows: rows.slice(0, limit), next: positionOf(rows[limit - 1], by) };
    if (edge === null) return { rows, next: null };
    from = edge;
  }
  return { rows, next: from };
}

const hinted = (hint: Hint | undefined) => (hint === undefined ? {} : { hint });

const positionOf = <T extends Row>(row: T | null | undefined, by: keyof T & string): Position | null =>
  row ? { at: row[by] as Date, id: row._id } : null;

/**
 * Resolves to the approximate position of the nth row beyond a position; null if fewer exist. Rows of the position's own instant count as
 * well, so that the index alone answers, unless there are too many of them.
 */
async function edgeOf<T extends Row>(
  model: Model<T>,
  { indexed, hint }: Sought<T>,
  { by, direction }: Order<T>,
  from: Position | null,
  nth: number,
): Promise<Position | null> {
  const nthOf = async (...rest: readonly Filter[]): Promise<Position | null> => {
    const row = await model
      .findOne({ $and: [indexed, ...rest] } as QueryFilter<T>, { _id: 1, [by]: 1 }, hinted(hint))
      .sort({ [by]: direction, _id: direction })
      .skip(nth - 1)
      .lean<T>();
    return positionOf<T>(row, by);
  };
  if (from === null) return nthOf();
  const edge = await nthOf({ [by]: { [direction === 1 ? '$gte' : '$lte']: from.at } });
  const isBeyond = edge === null || (direction === 1 ? newer(edge, from) : newer(from, edge)) < 0;
  return isBeyond ? edge : nthOf(beyond(by, direction, from));
}
