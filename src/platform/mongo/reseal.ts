import type { Document, Filter } from 'mongodb';
import type { Model } from './model';
import { SealedError } from '../secrets';

const BATCH = 200;
/** Limit for the names of values that cannot be opened. */
const NAMED = 10;

/** The result of resealing a collection. */
export interface Resealed {
  readonly rows: number;
  /** Rows that were brought under the newest secret now; the others were there already, or cannot be opened. */
  readonly resealed: number;
  readonly unreadable: number;
  /** The first of those that cannot be opened. */
  readonly unreadableIds: readonly string[];
}

interface Row {
  readonly _id: string;
}

/** A row's sealed values as they were read, and the new ones. */
export interface Renewal<R> {
  readonly was: Partial<R>;
  readonly set: Partial<R>;
}

/** The fields of a collection that hold sealed values. */
interface Sealed<R> {
  readonly fields: readonly (keyof R & string)[];
  /** Which rows have some; all of them without it. */
  readonly where?: Filter<Document>;
}

interface Pass extends Resealed {
  /** Rows that were changed by somebody else between reading and writing. */
  readonly missed: number;
}

/**
 * Brings the sealed values of all rows under the newest secret. `renewalOf` is null where they are; it throws `SealedError` where no secret opens them, and
 * the row stays as it is. Rows that were changed meanwhile are checked again. It may end at any moment and begin again: every row is readable at each of
 * them, and what is done already is found done.
 */
export async function resealRows<R extends Row>(
  model: Model<R>,
  sealed: Sealed<R>,
  renewalOf: (row: R) => Renewal<R> | null,
): Promise<Resealed> {
  let resealed = 0;
  for (;;) {
    const { missed, ...pass } = await onePass(model, sealed, renewalOf);
    resealed += pass.resealed;
    if (missed === 0) return { ...pass, resealed };
  }
}

async function onePass<R extends Row>(model: Model<R>, sealed: Sealed<R>, renewalOf: (row: R) => Renewal<R> | null): Promise<Pass> {
  const unreadableIds: string[] = [];
  let [rows, resealed, missed, unreadable] = [0, 0, 0, 0];
  const write = async (batch: ReadonlyMap<string, Renewal<R>>): Promise<void> => {
    const { matchedCount } = await model.collection.bulkWrite(
      [...batch].map(([_id, { was, set }]) => ({ updateOne: { filter: { _id, ...was } as never, update: { $set: set as never } } })),
      { ordered: false },
    );
    resealed += matchedCount;
    missed += batch.size - matchedCount;
  };
  let batch = new Map<string, Renewal<R>>();
  const projection = Object.fromEntries(['projectId', ...sealed.fields].map((field) => [field, 1]));
  for await (const row of model.collection.find(sealed.where ?? {}, { projection, sort: { _id: 1 } }) as unknown as AsyncIterable<R>) {
    rows += 1;
    const renewal = opened(() => renewalOf(row));
    if (renewal === 'unreadable') {
      if (unreadable < NAMED) unreadableIds.push(row._id);
      unreadable += 1;
    } else if (renewal) batch.set(row._id, renewal);
    if (batch.size < BATCH) continue;
    await write(batch);
    batch = new Map();
  }
  if (batch.size > 0) await write(batch);
  return { rows, resealed, missed, unreadable, unreadableIds };
}

function opened<T>(open: () => T): T | 'unreadable' {
  try {
    return open();
  } catch (error) {
    if (error instanceof SealedError) return 'unreadable';
    throw error;
  }
}
