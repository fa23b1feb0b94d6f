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

/** Creates what the models declare; each process does so at its start, and what exists already is left alone. */
export async function createIndexes(): Promise<void> {
  for (const model of Object.values(mongoose.models)) {
    await model.createCollection();
    await model.createIndexes();
  }
}

export const disconnectMongo = (): Promise<void> => mongoose.disconnect();
