import { perDatabase } from './per-database';

/** The last work of each key that is under way. */
const lastOf = perDatabase(() => new Map<string, Promise<unknown>>());

/**
 * Runs works with the same key one after another within this process. MongoDB repeats transactions that collide, and many writers of one document would spend their time on retries. Between processes the database still decides.
 */
export async function inSequence<T>(key: string, work: () => Promise<T>): Promise<T> {
  const last = lastOf();
  const before = last.get(key) ?? Promise.resolve();
  const done = before.then(work);
  const ended = done.then(
    () => undefined,
    () => undefined,
  );
  last.set(key, ended);
  try {
    return await done;
  } finally {
    if (last.get(key) === ended) last.delete(key);
  }
}
