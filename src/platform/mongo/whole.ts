import type { Document, Sort } from 'mongodb';
import mongoose from 'mongoose';
import type { Model } from 'mongoose';
import type { PageRequest, Placed, Position, Rows } from '../core';
import { NEWEST_FIRST, newestBeyond } from './page';

const { calculateObjectSize } = mongoose.mongo.BSON;

/** How a list is read from a position on: filter and sort want an index. */
interface Reading<T> {
  readonly request: PageRequest;
  readonly sort: Sort;
  readonly filterAfter: (after: Position | null) => Readonly<Record<string, unknown>>;
  readonly placeOf: (row: T) => Position;
}

/** Reads rows newest first by (createdAt, _id). */
export const newest = <T extends { readonly _id: string; readonly createdAt: Date }>(
  filter: Readonly<Record<string, unknown>>,
  request: PageRequest,
): Reading<T> => ({
  request,
  sort: NEWEST_FIRST,
  filterAfter: (after) => (after ? { $and: [filter, newestBeyond(after)] } : filter),
  placeOf: ({ createdAt, _id }) => ({ at: createdAt, id: _id }),
});

/** Of rows that may be megabytes each, a few are read to learn how long they are, and then as many at once as come to this. */
const FIRST_ROWS = 2;
const AT_ONCE_BYTES = 1_048_576;

/** Reads one row more than are asked for, and no further than its caller takes them. */
async function* pagesOf<T>(model: Model<T>, reading: Reading<T>): AsyncGenerator<readonly Placed<T>[]> {
  let after = reading.request.after;
  let longest = AT_ONCE_BYTES / FIRST_ROWS;
  for (let left = reading.request.limit + 1; left > 0;) {
    const limit = Math.min(left, Math.max(1, Math.floor(AT_ONCE_BYTES / longest)));
    const { page, more, lengths } = await readPage(model, reading, after, limit);
    yield page;
    left = more ? left - page.length : 0;
    after = page.at(-1)?.place ?? null;
    longest = Math.max(1, ...lengths);
  }
}

interface ReadPage<T> {
  readonly page: readonly Placed<T>[];
  readonly lengths: readonly number[];
  readonly more: boolean;
}

/** Ends early where rows turn out to be longer than those before. */
async function readPage<T>(
  model: Model<T>,
  { sort, filterAfter, placeOf }: Reading<T>,
  after: Position | null,
  limit: number,
): Promise<ReadPage<T>> {
  const page: Placed<T>[] = [];
  const lengths: number[] = [];
  let bytes = 0;
  for await (const row of model.collection.find<T & Document>(filterAfter(after), { sort, limit, batchSize: limit + 1 })) {
    page.push({ row, place: placeOf(row) });
    lengths.push(calculateObjectSize(row));
    bytes += lengths.at(-1) ?? 0;
    if (bytes >= AT_ONCE_BYTES) return { page, lengths, more: true };
  }
  return { page, lengths, more: page.length === limit };
}

export async function* rowsOf<T>(model: Model<T>, reading: Reading<T>): AsyncGenerator<Placed<T>> {
  for await (const page of pagesOf(model, reading)) yield* page;
}

/** Yields rows with what is looked up for them, several at a time. */
export async function* rowsWith<T, U>(
  model: Model<T>,
  reading: Reading<T>,
  lookUp: (rows: readonly T[]) => Promise<readonly U[]>,
): AsyncGenerator<Placed<U>> {
  for await (const page of pagesOf(model, reading)) {
    const found = await lookUp(page.map(({ row }) => row));
    yield* page.map(({ place }, index) => ({ row: found[index] as U, place }));
  }
}

/** Yields rows that are in memory already. */
export async function* placed<T>(rows: readonly T[], placeOf: (row: T) => Position): AsyncGenerator<Placed<T>> {
  for (const row of rows) yield await Promise.resolve({ row, place: placeOf(row) });
}

/** Yields each row as `of` makes it, in the same place. */
export async function* mapped<T, U>(rows: Rows<T>, of: (row: T) => U): AsyncGenerator<Placed<U>> {
  for await (const { row, place } of rows) yield { row: of(row), place };
}
