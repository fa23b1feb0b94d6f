import mongoose from 'mongoose';

/**
 * Declares what a process has one of for the database that it is connected to: a cache of its rows, a queue of writes to it. It is made when it is first asked
 * for, belongs to the connection's client, and goes with it.
 */
export function perDatabase<Own extends object>(make: () => Own): () => Own {
  const made = new WeakMap<object, Own>();
  return () => {
    // Before the first connection there is no client, though the driver's types promise one.
    const owner = (mongoose.connection.getClient() as object | null) ?? mongoose.connection;
    let own = made.get(owner);
    if (own === undefined) made.set(owner, (own = make()));
    return own;
  };
}

/** A reading that all of a process share. */
interface SeldomRead<T> {
  readonly current: () => Promise<T>;
  /** Discards the value: the next call reads it again. */
  readonly forget: () => void;
}

/** Reads what changes seldom and is asked for all the time: for the whole process once in `everyMs` at most. A reading that failed is not kept. */
export function readSeldom<T>(everyMs: number, read: () => PromiseLike<T>): SeldomRead<T> {
  const kept = perDatabase((): { last: { readonly at: number; readonly value: Promise<T> } | null } => ({ last: null }));
  const current = (): Promise<T> => {
    const own = kept();
    if (own.last && performance.now() - own.last.at < everyMs) return own.last.value;
    // A query of mongoose begins with its first `then`, and accepts no second one.
    const reading = { at: performance.now(), value: Promise.resolve(read()) };
    own.last = reading;
    reading.value.catch(() => {
      if (own.last === reading) own.last = null;
    });
    return reading.value;
  };
  return { current, forget: () => void (kept().last = null) };
}
