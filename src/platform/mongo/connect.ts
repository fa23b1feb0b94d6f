import os from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import mongoose from 'mongoose';
import type { Logger } from '../log';
import { metrics } from '../metrics';
import type { mongo } from 'mongoose';
import type { MongoClient, MongoClientOptions } from 'mongodb';
import { badConfiguration } from '../config';
import { describeFailure } from '../log';
import { certificateIn, privateKeyIn, readNamed } from '../secrets';
import { requestScope } from '../core';
import { perDatabase } from './per-database';

interface Options {
  readonly maxTimeMS?: number;
  readonly signal?: AbortSignal;
  readonly session?: { inTransaction(): boolean };
}

/** A request that writes continues after its client left, so its queries get a short time limit instead of being aborted. */
const LEAST_MS = 5_000;

// In a transaction the server's limit alone holds: a cut connection would leave it open.
const mayBeCut = ({ signal, session }: Options): boolean => signal === undefined && !session?.inTransaction();

/** The limit of queries that are made outside of requests' scopes. */
const others = perDatabase((): { limitMs: number | null } => ({ limitMs: null }));

/**
 * Limits the queries of this connection that are made outside of requests' scopes, in a process where all queries serve requests. `null`: they have no limit.
 */
export function boundOthers(limitMs: number | null): void {
  others().limitMs = limitMs;
}

/** Returns what ends a query with its request. */
export function bounded(options: Options | undefined, takesSignal: boolean): Options | undefined {
  const scope = requestScope();
  if (!scope) return boundAlone(options, others().limitMs);
  const { deadline, signal } = scope;
  const leftMs = Math.max(signal ? 1 : LEAST_MS, Math.ceil(deadline - performance.now()));
  const maxTimeMS = Math.min(options?.maxTimeMS ?? leftMs, leftMs);
  return { ...options, maxTimeMS, ...(takesSignal && signal && mayBeCut(options ?? {}) && { signal }) };
}

const boundAlone = (options: Options | undefined, limitMs: number | null): Options | undefined =>
  limitMs === null ? options : { ...options, maxTimeMS: options?.maxTimeMS ?? limitMs };

type Query = (this: unknown, what: unknown, options?: Options) => unknown;
type Distinct = (this: unknown, key: unknown, filter?: unknown, options?: Options) => unknown;

const bound = new WeakSet<object>();

/**
 * Gives every query that a request makes a `maxTimeMS`, and queries of read-only requests an abort signal, at the one place that all of them pass:
 * the driver's `find`, `aggregate` and `distinct`. (`findOne` and `countDocuments` are made of the first two; mongoose calls these.)
 */
function boundQueries(): void {
  const driver = mongoose.mongo.Collection.prototype as unknown as { find: Query; aggregate: Query; distinct: Distinct };
  if (bound.has(driver)) return;
  bound.add(driver);
  const { find, aggregate, distinct } = driver;
  driver.find = function (filter, options) {
    return find.call(this, filter, bounded(options, true));
  };
  driver.aggregate = function (pipeline, options) {
    return aggregate.call(this, pipeline, bounded(options, true));
  };
  driver.distinct = function (key, filter = {}, options?) {
    return distinct.call(this, key, filter, bounded(options, false) ?? {});
  };
}

const SETTING = 'MONGODB_URI';

/**
 * Throws a message when MONGODB_URI can never connect: an unknown option, options that exclude each other, a file that cannot be read. The
 * driver would retry forever without an error.
 */
export function requireMongoUri(uri: string): void {
  const { options } = clientOf(uri);
  const { tls, tlsCAFile, tlsCertificateKeyFile, tlsCertificateKeyFilePassword } = options as MongoClientOptions;
  if (!tls && (tlsCAFile ?? tlsCertificateKeyFile) !== undefined)
    throw badConfiguration(`${SETTING} names files for TLS and lacks tls=true`);
  if (tlsCAFile !== undefined) certificateIn(`${SETTING} (tlsCAFile)`, read('tlsCAFile', tlsCAFile));
  if (tlsCertificateKeyFile === undefined) return;
  const pem = read('tlsCertificateKeyFile', tlsCertificateKeyFile);
  const setting = `${SETTING} (tlsCertificateKeyFile)`;
  const key = privateKeyIn(setting, pem, tlsCertificateKeyFilePassword);
  if (!certificateIn(setting, pem).checkPrivateKey(key)) throw badConfiguration(`${setting} holds a key that is not its certificate's`);
}

/** Names the database of MONGODB_URI and its hosts for a person; nothing of the credentials. Throws as `requireMongoUri`. */
export function databaseIn(uri: string): string {
  const { dbName, hosts, srvHost } = clientOf(uri).options;
  return `${dbName} at ${srvHost ?? hosts.map(String).join(',')}`;
}

const read = (option: string, file: string): Buffer => readNamed({ setting: `${SETTING} (${option})`, file });

/** Lets the driver parse a URI, without connecting. What it says may quote what it was given, a password included. */
function clientOf(uri: string): MongoClient {
  try {
    return new mongoose.mongo.MongoClient(uri, { runtimeAdapters: { os } });
  } catch (error) {
    throw badConfiguration(`${SETTING}: ${String(describeFailure(error)['message'])}`);
  }
}

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
