import type { Sort } from 'mongodb';
import mongoose from 'mongoose';
import type { Model } from './model';
import type { PageRequest, Positioned, Position, Rows } from '../core';
import { NEWEST_FIRST, newestBeyond } from './page';
import { yielder } from '../async';

export interface OfProjects {
  readonly $in: string[];
}

/**
 * Returns the condition that rows belong to the projects of `rows`. Ids alone find the rows; the projects name the shards that have them
 * (docs/design/sharding.md).
 */
export const ofProjects = (rows: readonly { readonly projectId: string }[]): OfProjects => ({
  $in: [...new Set(rows.map(({ projectId }) => projectId))],
});

/** Returns the filter for rows by their ids that names the shards that have them. */
export const sameRows = (rows: readonly { readonly _id: string; readonly projectId: string }[]) => ({
  _id: { $in: rows.map(({ _id }) => _id) },
  projectId: ofProjects(rows),
});

/** Returns options for a query that finds up to `rows` rows: all come with the first answer. By default, it holds 101, and the rest takes another call. */
export const inOneAnswer = (rows: number): { readonly batchSize: number } => ({ batchSize: rows + 1 });

const { deserialize } = mongoose.mongo.BSON;

/** Parameters for reading a list from a position on: filter and sort need an index. */
interface Reading<T> {
  readonly request: PageRequest;
  readonly sort: Sort;
  /** Members of a row that are read, including its position; all of them if absent. */
  readonly projection?: Readonly<Record<string, 1>>;
  readonly filterAfter: (after: Position | null) => Readonly<Record<string, unknown>>;
  readonly positionOf: (row: T) => Position;
}

/** Reads rows newest first by (createdAt, _id). */
export const newest = <T extends { readonly _id: string; readonly createdAt: Date }>(
  filter: Readonly<Record<string, unknown>>,
  request: PageRequest,
): Reading<T> => ({
  request,
  sort: NEWEST_FIRST,
  filterAfter: (after) => (after ? { $and: [filter, newestBeyond(after)] } : filter),
  positionOf: ({ createdAt, _id }) => ({ at: createdAt, id: _id }),
});

/** Rows may be megabytes each: a few are read to learn their size, then as many at once as add up to `AT_ONCE_BYTES`. */
const FIRST_ROWS = 2;
const AT_ONCE_BYTES = 1_048_576;

/** A list that is read a page at a time: one row more than are asked for, and no further than its caller takes them. */
class Walk<T> {
  private after: Position | null;
  private left: number;
  private longest = AT_ONCE_BYTES / FIRST_ROWS;

  constructor(
    private readonly model: Model<T>,
    private readonly reading: Reading<T>,
  ) {
    this.after = reading.request.after;
    this.left = reading.request.limit + 1;
  }

  /** Reads some rows as the database has them, to be taken apart before the next ones are read; none at the end. */
  async page(): Promise<readonly Buffer[]> {
    const limit = Math.min(this.left, Math.max(1, Math.floor(AT_ONCE_BYTES / this.longest)));
    if (limit === 0) return [];
    const { sort, projection, filterAfter } = this.reading;
    const page: Buffer[] = [];
    let bytes = 0;
    const options = { sort, limit, batchSize: limit + 1, raw: true, ...(projection && { projection }) };
    const rows = this.model.collection.find(filterAfter(this.after), options);
    // Ends early where rows turn out to be longer than those before.
    for await (const row of rows as unknown as AsyncIterable<Buffer>) {
      page.push(row);
      bytes += row.length;
      if (bytes >= AT_ONCE_BYTES) break;
    }
    const isLast = page.length < limit && bytes < AT_ONCE_BYTES;
    this.left = isLast ? 0 : this.left - page.length;
    this.longest = Math.max(1, ...page.map(({ length }) => length));
    return page;
  }

  async room(bytes: number): Promise<void> {
    await this.reading.request.room?.(bytes);
  }

  take(bytes: Buffer): Positioned<T> {
    // Looking for what is not UTF-8 would cost more than all else that is done with a long text, and the database holds only what was encoded as such.
    const row = deserialize(bytes, { validation: { utf8: false } }) as T;
    this.after = this.reading.positionOf(row);
    return { row, position: this.after };
  }
}

/** Reads all rows of a query, page by page, each with its position in the order. */
export async function* rowsOf<T>(model: Model<T>, reading: Reading<T>): AsyncGenerator<Positioned<T>> {
  const walk = new Walk(model, reading);
  for (let page = await walk.page(); page.length > 0; page = await walk.page()) {
    for (const bytes of page) {
      await walk.room(bytes.length);
      yield walk.take(bytes);
    }
  }
}

/** Yields rows with what is looked up for them, several at a time. */
export async function* rowsWith<T, U>(
  model: Model<T>,
  reading: Reading<T>,
  lookUp: (rows: readonly T[]) => Promise<readonly U[]>,
): AsyncGenerator<Positioned<U>> {
  const walk = new Walk(model, reading);
  for (let page = await walk.page(); page.length > 0; page = await walk.page()) {
    await walk.room(page.reduce((sum, { length }) => sum + length, 0));
    const taken = page.map((bytes) => walk.take(bytes));
    const found = await lookUp(taken.map(({ row }) => row));
    yield* taken.map(({ position }, index) => ({ row: found[index] as U, position }));
  }
}

/** Yields rows that are in memory already. */
export async function* positioned<T>(rows: readonly T[], positionOf: (row: T) => Position): AsyncGenerator<Positioned<T>> {
  for (const row of rows) yield await Promise.resolve({ row, position: positionOf(row) });
}

/** Yields the result of `of` for each row, with the row's position. */
export async function* mapped<T, U>(rows: Rows<T>, of: (row: T) => U): AsyncGenerator<Positioned<U>> {
  for await (const { row, position } of rows) yield { row: of(row), position };
}

interface Row {
  readonly _id: string;
  readonly name: string;
  readonly createdAt: Date;
}

type Named = Pick<Row, '_id' | 'name'>;

interface Wanted<T, K extends keyof T> {
  readonly filter: Readonly<Record<string, unknown>>;
  /** Members of a row that are read to decide whether it is wanted. */
  readonly members: readonly (K & string)[];
  readonly isWanted: (row: Pick<T, K>) => boolean;
}

const ALL = { limit: Number.POSITIVE_INFINITY, after: null } as const;

/**
 * Finds rows by more than a query can express, newest first. Rows may be megabytes each and slow to check: about 1 MiB of them is read at a
 * time, one is decoded at a time, and the event loop runs between two.
 */
export async function findNamed<T extends Row, K extends keyof T>(
  model: Model<T>,
  { filter, members, isWanted }: Wanted<T, K>,
): Promise<readonly Named[]> {
  const projection = Object.fromEntries([...members, 'name', 'createdAt'].map((member) => [member, 1 as const]));
  const yieldWhenDue = yielder();
  const found: Named[] = [];
  for await (const { row } of rowsOf<T>(model, { ...newest<T>(filter, ALL), projection })) {
    if (isWanted(row)) found.push({ _id: row._id, name: row.name });
    await yieldWhenDue();
  }
  return found;
}
