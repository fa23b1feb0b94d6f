import os from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import mongoose from 'mongoose';
import type { Logger } from '../log';
import { metrics } from '../metrics';
import { boundQueries } from './bound-queries';
import type { mongo } from 'mongoose';

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

const watched = new WeakSet<mongo.MongoClient>();

interface Checked {
  readonly address: string;
  readonly connectionId: number | '<monitor>';
}

const connectionOf = ({ address, connectionId }: Checked): string => `${address} ${connectionId}`;

/**
 * Measures commands by the driver's pool events, which it emits in any case: a command has a connection from when it is sent until its
 * answer is read. Command events carry commands and answers, and would make each cost a sixth more.
 */
function watchPool(client: mongo.MongoClient): void {
  if (watched.has(client)) return;
  watched.add(client);
  const since = new Map<string, number>();
  client.on('connectionCheckedOut', (event) => {
    since.set(connectionOf(event), performance.now());
    metrics.mongoInUse.set(since.size);
    metrics.mongoCheckoutSeconds.observe(event.durationMS / 1_000);
  });
  client.on('connectionCheckedIn', (event) => {
    const connection = connectionOf(event);
    const began = since.get(connection);
    if (began === undefined) return;
    since.delete(connection);
    metrics.mongoInUse.set(since.size);
    metrics.mongoCommandSeconds.observe((performance.now() - began) / 1_000);
  });
}

/** Resolves to whether the database answers. */
export async function mongoAnswers(): Promise<boolean> {
  const began = performance.now();
  const answer = await mongoose.connection.db?.command({ ping: 1 });
  if (answer) metrics.mongoPingSeconds.set((performance.now() - began) / 1_000);
  return answer !== undefined;
}

const RETRY_MS = 1_000;

/** Connects, and waits for a database that is not up yet. Resolves to false when it is stopped before. */
export async function connectWhenThere(uri: string, log: Logger, stopping: AbortSignal): Promise<boolean> {
  while (!stopping.aborted) {
    try {
      await connectMongo(uri);
      return true;
    } catch (error) {
      log.warn({ failure: error instanceof Error ? error.name : 'unknown' }, 'MongoDB is not reachable yet');
      await mongoose.disconnect();
      await wait(RETRY_MS, undefined, { signal: stopping }).catch(() => undefined);
    }
  }
  return false;
}

export const disconnectMongo = (): Promise<void> => mongoose.disconnect();
