import type { ClientSession } from 'mongoose';
import { unlessLate } from '../async';
import { batched } from '../batch';
import { AppError } from '../core';
import { perDatabase } from '../mongo';
import { IdempotencyModel } from './model';
import type { IdempotencyRow } from './model';

/** Identifies a request: the caller's key, and a hash of the canonical JSON of the body as received. */
export interface IdempotencyKey {
  readonly key: string;
  readonly fingerprint: string;
}

/** Time that a second request waits for the first one with the same key. */
const IN_PROGRESS_MS = 10_000;

interface Running {
  readonly fingerprint: string;
  readonly done: Promise<unknown>;
}

/** Requests under way, by their key. */
const runningNow = perDatabase(() => new Map<string, Running>());

/** Resolves to the stored answers of some requests, by id. */
export async function storedAnswers(ids: readonly string[], session?: ClientSession): Promise<ReadonlyMap<string, IdempotencyRow>> {
  if (ids.length === 0) return new Map();
  const rows = await IdempotencyModel.collection.find<IdempotencyRow>({ _id: { $in: [...ids] } }, session ? { session } : {}).toArray();
  return new Map(rows.map((row) => [row._id, row]));
}

const answersById = perDatabase(() => ({ of: batched((ids: readonly string[]) => storedAnswers(ids)) }));

/** Resolves to the stored answer of a request, as of no earlier than the call. Requests of one moment share a query. */
export const storedAnswer = (id: string): Promise<IdempotencyRow | undefined> => answersById().of(id);

/** Stores answers in the transaction of the work that they describe. */
export async function storeAnswers(session: ClientSession, rows: readonly IdempotencyRow[]): Promise<void> {
  if (rows.length > 0) await IdempotencyModel.collection.insertMany(rows, { session });
}

/** Returns a 409 for a key that came with another body before. */
export const keyReused = (): AppError => new AppError('idempotency_key_reused', 'This Idempotency-Key was used with another body');

/**
 * Lets requests of one key through one after another within this process; between processes the transaction decides: the later one
 * finds the answer of the earlier one. Throws `idempotency_key_reused`, and `idempotency_in_progress` after ten seconds.
 */
export async function oneAtATime<T>(id: string, fingerprint: string, work: () => Promise<T>): Promise<T> {
  const running = runningNow();
  const deadline = Date.now() + IN_PROGRESS_MS;
  for (let first = running.get(id); first; first = running.get(id)) {
    if (first.fingerprint !== fingerprint) throw new AppError('idempotency_key_reused', 'This Idempotency-Key is in use with another body');
    await unlessLate(Math.max(0, deadline - Date.now()), first.done, stillRunning);
  }
  const done = work();
  running.set(id, { fingerprint, done: done.catch(() => undefined) });
  try {
    return await done;
  } finally {
    running.delete(id);
  }
}

function stillRunning(): never {
  const options = { headers: { 'Retry-After': '1' } };
  throw new AppError('idempotency_in_progress', 'The first request with this Idempotency-Key is still running', [], options);
}
