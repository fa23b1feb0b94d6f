import os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import type { Db } from 'mongodb';
import { argumentOf, findProcesses } from './os-processes';

const REPLICA_SET = 'rs0';

export interface Command {
  readonly command: string;
  readonly args: readonly string[];
  /** Added to the environment. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface MongodOptions {
  readonly binary: string;
  readonly dbPath: string;
  readonly port: number;
}

/** Returns a sixteenth of the machine's memory, at most one GiB: the rest is for the other processes and for what else its owner runs. */
const cacheGiB = (): string => Math.min(1, Math.max(0.25, os.totalmem() / 16 / 2 ** 30)).toFixed(2);

/**
 * Time that the rows of a lost process's transaction stay locked, plus up to half as long until MongoDB notices: meanwhile a project may be
 * unable to send. MongoDB's default of 60 adds up to a minute and a half.
 */
const TRANSACTION_SECONDS = 30;

/** A slow command is logged with its filter, and that may hold an address: so none is slow. */
const SLOW_MS = 3_600_000;

/** Returns how a mongod that serves one machine is started: loopback only, a replica set of one, a small cache. */
export const mongodCommand = ({ binary, dbPath, port }: MongodOptions): Command => ({
  command: binary,
  args: [
    '--dbpath',
    dbPath,
    '--port',
    String(port),
    '--bind_ip',
    '127.0.0.1',
    '--replSet',
    REPLICA_SET,
    '--nounixsocket',
    '--quiet',
    '--wiredTigerCacheSizeGB',
    cacheGiB(),
    '--setParameter',
    'diagnosticDataCollectionEnabled=false',
    '--setParameter',
    `transactionLifetimeLimitSeconds=${TRANSACTION_SECONDS}`,
    '--slowms',
    String(SLOW_MS),
  ],
});

/** Returns the connection string of a database on the mongod at `port`. */
export const mongoUriAt = (port: number, database = 'lettermill'): string =>
  `mongodb://127.0.0.1:${port}/${database}?replicaSet=${REPLICA_SET}`;

/** Resolves to the mongod that serves `dbPath` now, started by whomever, or null. */
export function runningMongod(dbPath: string): { readonly pid: number; readonly port: number } | null {
  const [seen] = findProcesses('mongod', '--dbpath', dbPath);
  return seen ? { pid: seen.pid, port: Number(argumentOf(seen, '--port')) } : null;
}

interface ReplicaConfig {
  readonly members: readonly { readonly host: string }[];
}

/** Begins a new replica set, or gives a set whose data has another port the new one. */
async function mendReplicaSet(admin: Db, host: string): Promise<void> {
  try {
    const { config } = (await admin.command({ replSetGetConfig: 1 })) as unknown as { config: ReplicaConfig };
    if (config.members[0]?.host === host) return;
    await admin.command({ replSetReconfig: { ...config, members: config.members.map((member) => ({ ...member, host })) }, force: true });
  } catch (error) {
    if (!(error instanceof Error && 'codeName' in error && error.codeName === 'NotYetInitialized')) throw error;
    await admin.command({ replSetInitiate: { _id: REPLICA_SET, members: [{ _id: 0, host }] } });
  }
}

async function becomePrimary(port: number): Promise<boolean> {
  const client = new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
    serverSelectionTimeoutMS: 500,
    socketTimeoutMS: 5000,
    runtimeAdapters: { os },
  });
  try {
    const admin = client.db('admin');
    for (let attempt = 0; attempt < 100; attempt++) {
      const hello = await admin.command({ hello: 1 });
      if (hello.isWritablePrimary === true) return true;
      if (attempt % 20 === 0) await mendReplicaSet(admin, `127.0.0.1:${port}`);
      await sleep(25);
    }
    return false;
  } catch {
    return false;
  } finally {
    await client.close();
  }
}

/** Resolves when the mongod at `port` takes writes; begins its replica set if need be. Rejects when that takes longer than `withinMs`. */
export async function mongodReady(port: number, withinMs = 120_000): Promise<void> {
  for (const deadline = Date.now() + withinMs; !(await becomePrimary(port)); await sleep(50)) {
    if (Date.now() > deadline) throw new Error(`mongod at port ${port} is not ready after ${withinMs / 1000} s`);
  }
}
