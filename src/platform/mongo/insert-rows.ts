import mongoose from 'mongoose';
import type { Document } from 'mongodb';
import type { ClientSession } from 'mongoose';
import type { Model } from './model';

const { calculateObjectSize } = mongoose.mongo.BSON;

interface Failure {
  readonly code?: number;
  readonly errmsg?: string;
}

interface Reply {
  readonly writeErrors?: readonly (Failure & { readonly index: number })[];
  readonly writeConcernError?: Failure;
}

const DUPLICATE = 11000;
/** Limits for one command: a group that users send can be larger than the server takes. */
const MOST = 100_000;
const MOST_BYTES = 15 * 1_048_576;

/**
 * Inserts rows with ids of their own in one command, or in as few as their size allows, at a fraction of what `insertMany` costs this process. Resolves to
 * the positions of those whose `_id` was there already; within a transaction that is a failure. Any other failure is thrown; outside a transaction the rows
 * before and after it may be stored.
 */
export async function insertRows<T>(model: Model<T>, rows: readonly T[], session?: ClientSession): Promise<readonly number[]> {
  const known: number[] = [];
  for (const [from, to] of portions(rows)) {
    const reply = await insert(model, rows.slice(from, to), session);
    for (const index of knownOf(reply, session !== undefined)) known.push(from + index);
  }
  return known;
}

/** Returns the positions of rows that existed before. Throws any other failure. */
function knownOf({ writeErrors = [], writeConcernError }: Reply, isInTransaction: boolean): readonly number[] {
  const fatal = writeErrors.find(({ code }) => isInTransaction || code !== DUPLICATE) ?? writeConcernError;
  if (fatal) throw new mongoose.mongo.MongoServerError({ message: fatal.errmsg ?? 'A row was not stored', code: fatal.code });
  return writeErrors.map(({ index }) => index);
}

/** Maximum size of a value: three bytes for a character, sixteen for anything else, plus its name and its frame. */
const BYTES_A_CHARACTER = 3;
const BYTES_A_MEMBER = 64;

/** Bounds the BSON size of a value from above, far quicker than measuring it. */
function sizeBound(value: unknown): number {
  if (typeof value === 'string') return BYTES_A_MEMBER + BYTES_A_CHARACTER * value.length;
  if (typeof value !== 'object' || value === null || value instanceof Date) return BYTES_A_MEMBER;
  if (ArrayBuffer.isView(value)) return BYTES_A_MEMBER + value.byteLength;
  let size = BYTES_A_MEMBER;
  for (const name in value) size += BYTES_A_CHARACTER * name.length + sizeBound((value as Record<string, unknown>)[name]);
  return size;
}

/** Yields where each command's rows begin and end. */
function* portions(rows: readonly unknown[]): Generator<readonly [from: number, to: number]> {
  if (rows.length <= MOST && rows.reduce<number>((sum, row) => sum + sizeBound(row), 0) <= MOST_BYTES) {
    if (rows.length > 0) yield [0, rows.length];
    return;
  }
  let from = 0;
  let bytes = 0;
  for (const [at, row] of rows.entries()) {
    const size = calculateObjectSize(row as Document, { ignoreUndefined: true });
    if (at > from && (bytes + size > MOST_BYTES || at - from === MOST)) {
      yield [from, at];
      from = at;
      bytes = 0;
    }
    bytes += size;
  }
  if (from < rows.length) yield [from, rows.length];
}

async function insert<T>(
  { db: { db }, collection }: Model<T>,
  documents: readonly T[],
  session: ClientSession | undefined,
): Promise<Reply> {
  if (!db) throw new mongoose.Error('Not connected');
  const command = { insert: collection.collectionName, documents, ordered: session !== undefined };
  if (session) return db.command(command, { session, ignoreUndefined: true });
  return db.command({ ...command, writeConcern: { w: 'majority' } }, { ignoreUndefined: true });
}
