import mongoose from 'mongoose';
import type { Model } from './model';
import { bounded } from './bound-queries';
import { inOneAnswer } from './of-projects';

const { MongoNetworkError } = mongoose.mongo;

interface Wanted {
  readonly filter: object;
  readonly sort?: Readonly<Record<string, 1 | -1>>;
  readonly hint?: string;
  /** Upper limit for the rows that exist or that are needed. */
  readonly limit: number;
}

interface Answer {
  readonly cursor: { readonly id: number | object; readonly firstBatch: readonly Buffer[] };
}

/**
 * Finds rows and resolves to them as the database sent them (BSON), for a `RowReader`. They come in one answer of which nothing but the frame is decoded; a
 * cursor of the driver takes each row apart first, also where it is to hand over bytes.
 */
export async function findBytes<T>(model: Model<T>, wanted: Wanted): Promise<readonly Buffer[]> {
  return (await inOne(model, wanted)) ?? byCursor(model, wanted);
}

/** Resolves to null when the rows do not fit into one answer, or when a connection broke: a cursor reads again. */
async function inOne<T>({ db: { db }, collection }: Model<T>, { filter, ...how }: Wanted): Promise<readonly Buffer[] | null> {
  if (!db) throw new mongoose.Error('Not connected');
  const { collectionName } = collection;
  const command = {
    find: collectionName,
    filter,
    ...how,
    ...inOneAnswer(how.limit),
    ...bounded(undefined, false),
    readConcern: { level: 'majority' },
  };
  try {
    const { cursor } = (await db.command(command, { fieldsAsRaw: { firstBatch: true } })) as unknown as Answer;
    if (Number(cursor.id) === 0) return cursor.firstBatch;
    await db.command({ killCursors: collectionName, cursors: [cursor.id] });
    return null;
  } catch (error) {
    if (error instanceof MongoNetworkError) return null;
    throw error;
  }
}

async function byCursor<T>({ collection }: Model<T>, { filter, ...how }: Wanted): Promise<readonly Buffer[]> {
  const rows = collection.find(filter, { ...how, raw: true, ...inOneAnswer(how.limit) });
  return (await rows.toArray()) as unknown as Buffer[];
}
