import mongoose from 'mongoose';
import type { ClientSession, Model } from 'mongoose';

interface WriteError {
  readonly index: number;
  readonly code: number;
  readonly errmsg?: string;
}

const DUPLICATE = 11000;
/** The server takes so many in one command. */
const MOST = 100_000;

/**
 * Inserts rows with ids of their own in one command, at a fraction of what `insertMany` costs this process. Resolves to the positions of those whose
 * `_id` was there already. Any other failure is thrown; outside a transaction the rows before and after it may be stored.
 */
export async function insertRows<T>(model: Model<T>, rows: readonly T[], session?: ClientSession): Promise<readonly number[]> {
  if (rows.length === 0) return [];
  if (rows.length > MOST) throw new RangeError(`More than ${MOST} rows in one command`);
  const db = model.db.db;
  if (!db) throw new mongoose.Error('Not connected');
  const reply = await db.command(
    {
      insert: model.collection.collectionName,
      documents: rows as unknown as mongoose.mongo.Document[],
      ordered: session !== undefined,
      ...(!session && { writeConcern: { w: 'majority' } }),
    },
    { ...(session && { session }), ignoreUndefined: true },
  );
  const failures = (reply['writeErrors'] ?? []) as readonly WriteError[];
  const [other] = failures.filter(({ code }) => session !== undefined || code !== DUPLICATE);
  if (other) throw new mongoose.mongo.MongoServerError({ message: other.errmsg ?? 'A row was not stored', code: other.code });
  const concern = reply['writeConcernError'] as { errmsg?: string; code?: number } | undefined;
  if (concern)
    throw new mongoose.mongo.MongoServerError({ message: concern.errmsg ?? 'The majority did not store the rows', code: concern.code });
  return failures.map(({ index }) => index);
}
