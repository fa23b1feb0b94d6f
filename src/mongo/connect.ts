import os from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import mongoose from 'mongoose';
import type { Logger } from '../log';
import { metrics } from '../metrics/metrics';
import { boundQueries } from './bound-queries';

/**
 * Connects mongoose to a replica set. Every write waits for the majority: what was acknowledged survives a failover.
 * `runtimeAdapters` spares the driver a dynamic import, which Jest's sandbox refuses.
 */
export async function connectMongo(uri: string, options: { readonly poolSize?: number } = {}): Promise<typeof mongoose> {
  mongoose.set('strictQuery', 'throw');
  boundQueries();
  const connected = await mongoose.connect(uri, {
    autoIndex: false,
    autoCreate: false,
    serverSelectionTimeoutMS: 5_000,
    maxPoolSize: options.poolSize ?? 50,
    writeConcern: { w: 'majority' },
    readConcern: { level: 'majority' },
    ignoreUndefined: true,
    runtimeAdapters: { os },
  });
  watchPool(connected.connection.getClient());
  return connected;
}

const watched = new WeakSet<mongoose.mongo.MongoClient>();

/** By the driver's events of its pool, which it makes in any case; those of single commands cost more, and say little more. */
function watchPool(client: mongoose.mongo.MongoClient): void {
  if (watched.has(client)) return;
  watched.add(client);
  client.on('connectionCheckedOut', ({ durationMS }) => {
    metrics.mongoInUse.inc();
    metrics.mongoCheckoutSeconds.observe(durationMS / 1_000);
  });
  client.on('connectionCheckedIn', () => metrics.mongoInUse.dec());
}

/** Whether the database answers. */
export async function mongoAnswers(): Promise<boolean> {
  const began = performance.now();
  const answer = await mongoose.connection.db?.command({ ping: 1 });
  if (answer) metrics.mongoPingSeconds.set((performance.now() - began) / 1_000);
  return answer !== undefined;
}

const RETRY_MS = 1_000;

/** Connects and creates the indexes, however long the database takes to come. Resolves to false when it was told to stop before. */
export async function connectWhenThere(uri: string, log: Logger, stopping: AbortSignal): Promise<boolean> {
  while (!stopping.aborted) {
    try {
      await connectMongo(uri);
      await createIndexes();
      return true;
    } catch (error) {
      log.warn({ failure: error instanceof Error ? error.name : 'unknown' }, 'MongoDB cannot be reached yet');
      await mongoose.disconnect();
      await wait(RETRY_MS, undefined, { signal: stopping }).catch(() => undefined);
    }
  }
  return false;
}

/** Indexes that models declared once, and that refuse what is stored now or hold what is not looked for there any more. */
const RETIRED = [
  { collection: 'event_groups', index: 'emails_1' },
  { collection: 'emails', index: 'projectId_1_to_1_createdAt_-1__id_-1' },
  { collection: 'event_names', index: 'projectId_1_lastSeenAt_-1__id_1' },
  { collection: 'events', index: 'fanOut_1_fanOutAt_1__id_1' },
  { collection: 'campaign_claims', index: 'emails_1' },
  { collection: 'campaign_links', index: 'campaignId_1_uniqueClicks_-1_clicks_-1__id_1' },
] as const;

/** Creates what the models declare and drops what they declare no more; each process does so at its start, and other indexes are left alone. */
export async function createIndexes(): Promise<void> {
  await Promise.all(Object.values(mongoose.models).map(createIndexesOf));
  for (const { collection, index } of RETIRED) {
    const rows = mongoose.connection.collection(collection);
    // To drop what is not there would make all who write wait as well.
    if (await rows.indexExists(index).catch(unlessNoCollection)) await rows.dropIndex(index).catch(unlessGone);
  }
}

/** Creates a model's collection and all its indexes in one command; mongoose itself would send one for each index. */
async function createIndexesOf(model: mongoose.Model<unknown>): Promise<void> {
  const indexes = model.schema.indexes().map(([key, { background: _ignoredByServers, ...options }]) => ({ ...options, key }));
  if (indexes.length > 0) await model.collection.createIndexes(indexes as mongoose.mongo.IndexDescription[]);
  else await model.createCollection();
}

const NAMESPACE_NOT_FOUND = 26;

/** Of a process that declares other models, in a database that is new. */
function unlessNoCollection(error: unknown): false {
  if (!(error instanceof mongoose.mongo.MongoServerError && error.code === NAMESPACE_NOT_FOUND)) throw error;
  return false;
}

const INDEX_NOT_FOUND = 27;

/** Dropped just now by another process that starts. */
function unlessGone(error: unknown): void {
  if (!(error instanceof mongoose.mongo.MongoServerError && error.code === INDEX_NOT_FOUND)) throw error;
}

export const disconnectMongo = (): Promise<void> => mongoose.disconnect();
