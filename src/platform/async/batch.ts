import { outsideRequests } from '../core';

/** A call that does not come back holds the one after it up no longer. */
const PATIENCE_MS = 20;

/**
 * Turns a look-up of many into a look-up of one: what is asked while a call is under way, and in the iteration of the event loop after it, goes in the next call.
 * A call starts after the questions it answers, so no answer is older than its question. A failure is everyone's.
 */
export function batched<K, V>(load: (keys: readonly K[]) => Promise<ReadonlyMap<K, V>>): (key: K) => Promise<V | undefined> {
  let waiting: { readonly keys: Set<K>; readonly answer: Promise<ReadonlyMap<K, V>> } | null = null;
  let last: Promise<unknown> | null = null;

  function begin(): { readonly keys: Set<K>; readonly answer: Promise<ReadonlyMap<K, V>> } {
    const keys = new Set<K>();
    const answer = iterationAfter(last).then(() => {
      waiting = null;
      return outsideRequests(() => load([...keys]));
    });
    const over = answer
      .catch(() => undefined)
      .then(() => {
        if (last === over) last = null;
      });
    last = over;
    return { keys, answer };
  }

  return async (key) => {
    waiting ??= begin();
    waiting.keys.add(key);
    return (await waiting.answer).get(key);
  };
}

async function iterationAfter(work: Promise<unknown> | null): Promise<void> {
  if (work) {
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise((resolve) => (timer = setTimeout(resolve, PATIENCE_MS)));
    await Promise.race([work, patience]);
    clearTimeout(timer);
  }
  await new Promise((resolve) => setImmediate(resolve));
}

/**
 * Turns many writes into few: what comes while one is under way goes together in the next. Resolves when what was given is written; a failure is
 * everyone's whose share it was.
 */
export function gathered<T>(write: (items: readonly T[]) => Promise<void>): (items: readonly T[]) => Promise<void> {
  let waiting: { readonly items: T[]; readonly done: Promise<void> } | null = null;
  let last: Promise<void> = Promise.resolve();
  return (given) => {
    if (given.length === 0) return Promise.resolve();
    if (!waiting) {
      const items: T[] = [];
      const done = last.then(() => {
        waiting = null;
        return write(items);
      });
      last = done.catch(() => undefined);
      waiting = { items, done };
    }
    for (const item of given) waiting.items.push(item);
    return waiting.done;
  };
}

/** Gathers items whose write no caller waits for, and writes them together. */
export interface Collector<T> {
  readonly add: (items: readonly T[]) => void;
  /** Resolves when all that was added is written, or could not be. */
  readonly flush: () => Promise<void>;
}

/** Combines many fire-and-forget writes into one every `everyMs`. A failed write is reported to `failed` and lost. */
export function collected<T>(
  write: (items: readonly T[]) => Promise<void>,
  everyMs: number,
  failed: (error: unknown) => void,
): Collector<T> {
  let waiting: T[] = [];
  let timer: NodeJS.Timeout | undefined;
  let last: Promise<void> = Promise.resolve();
  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const items = waiting;
    waiting = [];
    if (items.length > 0) last = last.then(() => write(items)).catch(failed);
    return last;
  };
  return {
    add: (items) => {
      for (const item of items) waiting.push(item);
      if (waiting.length > 0) timer ??= setTimeout(() => void flush(), everyMs);
    },
    flush,
  };
}
