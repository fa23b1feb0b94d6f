import os from 'node:os';
import mongoose from 'mongoose';

/**
 * Connects mongoose to a replica set. Every write waits for the majority: what was acknowledged survives a failover.
 * `runtimeAdapters` spares the driver a dynamic import, which Jest's sandbox refuses.
 */
export async function connectMongo(uri: string, options: { readonly poolSize?: number } = {}): Promise<typeof mongoose> {
  mongoose.set('strictQuery', 'throw');
  return mongoose.connect(uri, {
    autoIndex: false,
    autoCreate: false,
    serverSelectionTimeoutMS: 5_000,
    maxPoolSize: options.poolSize ?? 50,
    writeConcern: { w: 'majority' },
    readConcern: { level: 'majority' },
    ignoreUndefined: true,
    runtimeAdapters: { os },
  });
}

/** Indexes that models declared once, and that refuse what is stored now. */
const RETIRED = [{ collection: 'event_groups', index: 'emails_1' }] as const;

/** Creates what the models declare and drops what they declare no more; each process does so at its start, and other indexes are left alone. */
export async function createIndexes(): Promise<void> {
  for (const model of Object.values(mongoose.models)) {
    await model.createCollection();
    await model.createIndexes();
  }
  for (const { collection, index } of RETIRED) {
    const rows = mongoose.connection.collection(collection);
    // To drop what is not there would make all who write wait as well.
    if (await rows.indexExists(index)) await rows.dropIndex(index).catch(unlessGone);
  }
}

const INDEX_NOT_FOUND = 27;

/** Dropped just now by another process that starts. */
function unlessGone(error: unknown): void {
  if (!(error instanceof mongoose.mongo.MongoServerError && error.code === INDEX_NOT_FOUND)) throw error;
}

export const disconnectMongo = (): Promise<void> => mongoose.disconnect();
