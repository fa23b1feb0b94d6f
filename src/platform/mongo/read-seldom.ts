import { perDatabase } from './per-database';

/** A reading that all of a process share. */
export interface SeldomRead<T> {
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
