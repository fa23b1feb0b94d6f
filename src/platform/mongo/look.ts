import type { Model, QueryFilter } from 'mongoose';
import type { PageRequest, Position } from '../core';
import { NEWEST_FIRST, newestBeyond, newestUpTo } from './page';
import type { Page } from './page';

/** What an index finds in newest-first order, and what is asked of each of its rows besides. */
export interface Sought<T> {
  readonly indexed: QueryFilter<T>;
  /** Null: nothing. */
  readonly besides: QueryFilter<T> | null;
  readonly hint: Readonly<Record<string, 1 | -1>> | string;
}

interface Row {
  readonly _id: string;
  readonly createdAt: Date;
}

/** Rows that one page looks at, step by step: most pages are full after the first. */
const STEPS = [1_000, 49_000] as const;

/**
 * Resolves to the page of a list in newest-first order of which an index knows a part only. It looks at no more than 50,000 rows: a page that is not
 * full may have a next one, which goes on where this one has stopped to look.
 */
export async function newestWithin<T extends Row>(
  model: Model<T>,
  { indexed, besides, hint }: Sought<T>,
  { limit, after }: PageRequest,
  projection: Readonly<Record<string, 0 | 1>> = {},
): Promise<Page<T>> {
  const rows: T[] = [];
  let from = after;
  for (const step of besides === null ? [null] : STEPS) {
    const rest = from === null ? indexed : ({ $and: [indexed, newestBeyond(from)] } as QueryFilter<T>);
    const edge = step === null ? null : await positionOf(model, rest, step, hint);
    const filter = { $and: [rest, ...(besides === null ? [] : [besides]), ...(edge === null ? [] : [newestUpTo(edge)])] };
    const found = await model
      .find(filter as QueryFilter<T>, projection, { hint })
      .sort(NEWEST_FIRST)
      .limit(limit + 1 - rows.length)
      .lean<T[]>();
    rows.push(...found);
    if (rows.length > limit) return { rows: rows.slice(0, limit), next: placeOf(rows[limit - 1]) };
    if (edge === null) return { rows, next: null };
    from = edge;
  }
  return { rows, next: from };
}

const placeOf = (row: Row | undefined): Position | null => (row === undefined ? null : { at: row.createdAt, id: row._id });

/** Resolves to where the nth row stands, by the index alone; null where there are fewer. */
async function positionOf<T extends Row>(
  model: Model<T>,
  filter: QueryFilter<T>,
  nth: number,
  hint: Sought<T>['hint'],
): Promise<Position | null> {
  const row = await model
    .findOne(filter, { _id: 1, createdAt: 1 }, { hint })
    .sort(NEWEST_FIRST)
    .skip(nth - 1)
    .lean<Row>();
  return row && placeOf(row);
}
