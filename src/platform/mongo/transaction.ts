import mongoose from 'mongoose';
import type { ClientSession } from 'mongoose';
import { pause } from '../async';
import { metrics } from '../metrics';
import { Batcher, Sequence } from '../batch';
import { perDatabase } from './per-database';

const { MongoBulkWriteError, MongoError, MongoNetworkError } = mongoose.mongo;

// When several connections break together, the driver labels only the first error, and a bulk write wraps any error in its own.
const isBroken = (error: unknown): boolean =>
  error instanceof MongoNetworkError ||
  (error instanceof MongoBulkWriteError && (error.errorResponse as unknown) instanceof MongoNetworkError);

/** Returns whether a transaction that failed so may succeed when it is made again. */
export const isTransient = (error: unknown): boolean =>
  error instanceof MongoError &&
  !error.hasErrorLabel('UnknownTransactionCommitResult') &&
  (error.hasErrorLabel('TransientTransactionError') || error.code === 11000 || isBroken(error));

const afterwards = new WeakMap<ClientSession, Set<() => void>>();

/** Calls `notify` once when the transaction of the session has committed; an aborted one calls nothing. */
export function afterCommit(session: ClientSession, notify: () => void): void {
  const waiting = afterwards.get(session);
  if (waiting) waiting.add(notify);
  else afterwards.set(session, new Set([notify]));
}

/**
 * Runs `work` in one transaction (snapshot reads, majority commit) and repeats it whole when another writer came in between; also when two
 * transactions insert the same `_id`, since the second finds the row when it checks again, and when a connection broke. Gives up after `limitMs` with the last error.
 */
export async function inTransaction<T>(work: (session: ClientSession) => Promise<T>, limitMs = 8_000): Promise<T> {
  const deadline = Date.now() + limitMs;
  const began = performance.now();
  const ended = (result: 'committed' | 'failed'): void =>
    metrics.transactionSeconds.observe({ result }, (performance.now() - began) / 1_000);
  for (let attempt = 0; ; attempt++) {
    if (attempt > 0) metrics.transactionRetries.inc();
    const session = await mongoose.startSession();
    try {
      session.startTransaction({ readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority' } });
      const result = await work(session);
      await writeLeft(session);
      await commit(session, deadline);
      ended('committed');
      for (const notify of afterwards.get(session) ?? []) notify();
      return result;
    } catch (error) {
      if (session.inTransaction()) await session.abortTransaction().catch(() => undefined);
      if (!isTransient(error) || Date.now() > deadline) {
        ended('failed');
        throw error;
      }
      await pause(Math.min(200, 2 ** attempt) * Math.random());
    } finally {
      await session.endSession();
    }
  }
}

/** Commits, and repeats a commit whose answer was lost: committing twice is harmless, running the work twice is not. */
async function commit(session: ClientSession, deadline: number): Promise<void> {
  for (;;) {
    try {
      await session.commitTransaction();
      return;
    } catch (error) {
      const unknown = error instanceof MongoError && error.hasErrorLabel('UnknownTransactionCommitResult');
      if (!(unknown || isBroken(error)) || Date.now() > deadline) throw error;
      await pause(50);
    }
  }
}

type Write<T> = (session: ClientSession, items: readonly T[]) => Promise<unknown>;

const left = new WeakMap<ClientSession, Map<Write<never>, unknown[]>>();

/**
 * Leaves what is to be written to the end of the session's transaction: works that share one and use the same `write` cost one command together.
 * `write` gets all that was left to it, in order.
 */
export function leaveToEnd<T>(session: ClientSession, write: Write<T>, items: readonly T[]): void {
  const writes = left.get(session) ?? new Map<Write<never>, unknown[]>();
  left.set(session, writes);
  writes.set(write, [...(writes.get(write) ?? []), ...items]);
}

/** Writes what was left so far; a transaction does so before it commits, and a reader of such rows before it reads. */
export async function writeLeft(session: ClientSession): Promise<void> {
  const writes = left.get(session);
  left.delete(session);
  for (const [write, items] of writes ?? []) await write(session, items as never[]);
}

/** Returns whether a write failed because a row with that id, or that unique value, exists: if two create it at once, the other one succeeded. */
export const isDuplicate = (error: unknown): boolean => error instanceof mongoose.mongo.MongoServerError && error.code === 11000;

/** Sequences of the work that writes the same rows, for each database. */
const writers = perDatabase(() => new Sequence());

/**
 * Runs work with the same key one after another within this process. Transactions that collide are repeated, and many writers of one document
 * would spend their time on that. Between processes, the database still decides.
 */
export const inSequence = <T>(key: string, work: () => Promise<T>): Promise<T> => writers().run([key], work);

/** Does works in one transaction; resolves to what came of each, in their order. */
type Commit<Work, Result> = (session: ClientSession, works: readonly Work[]) => Promise<readonly Result[]>;

interface Asked<Work> {
  readonly keys: readonly string[];
  readonly work: Work;
}

type Ended<Work, Result> = ReadonlyMap<Asked<Work>, PromiseSettledResult<Result>>;

/** A transaction stays short, and what is repeated after a conflict is little. */
const MOST = 50;

/**
 * Commits works in shared transactions: a work joins those that came for the same keys while the previous transaction ran. `keys` names the
 * rows that they write, the most contended first; all writes of these rows run in sequence. If one work fails, each is tried separately, so
 * that only its own caller sees the failure. Resolves when the work is committed.
 */
export function together<Work, Result>(commit: Commit<Work, Result>): (keys: readonly string[], work: Work) => Promise<Result> {
  const works = new Batcher((asked: readonly Asked<Work>[]) => commitAll(asked, commit), {
    keys: ({ keys }) => keys,
    sequence: { run: (keys, work) => writers().run(keys, work) },
    most: MOST,
  });
  return async (keys, work) => {
    const asked = { keys, work };
    const ended = (await works.add(asked)).get(asked) as PromiseSettledResult<Result>;
    if (ended.status === 'rejected') throw ended.reason;
    return ended.value;
  };
}

async function commitAll<Work, Result>(asked: readonly Asked<Work>[], commit: Commit<Work, Result>): Promise<Ended<Work, Result>> {
  const works = asked.map(({ work }) => work);
  try {
    const results = await inTransaction((session) => commit(session, works));
    return new Map(asked.map((one, index) => [one, { status: 'fulfilled', value: results[index] as Result }]));
  } catch (reason) {
    // A database that is away is away for each of them.
    if (asked.length === 1 || isTransient(reason)) return new Map(asked.map((one) => [one, { status: 'rejected', reason }]));
    const ended = new Map<Asked<Work>, PromiseSettledResult<Result>>();
    for (const one of asked) for (const [key, each] of await commitAll([one], commit)) ended.set(key, each);
    return ended;
  }
}
