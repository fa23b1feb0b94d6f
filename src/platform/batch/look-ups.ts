import { Batcher, iteration } from './batcher';

/** A look-up that does not come back holds the one after it up no longer. */
const PATIENCE_MS = 20;

/**
 * Turns a look-up of many into a look-up of one: what is asked while a call is under way, and in the iteration of the event loop after it, goes in the next
 * call. A call starts after the questions it answers, so no answer is older than its question. A failure is everyone's.
 */
export function batched<K, V>(load: (keys: readonly K[]) => Promise<ReadonlyMap<K, V>>): (key: K) => Promise<V | undefined> {
  const calls = new Batcher(load, { sequence: new PatientSequence() });
  return async (key) => (await calls.add(key)).get(key);
}

/** Runs look-ups one after another, as long as each ends soon. Who asks again because of an answer is in the next one. */
class PatientSequence {
  private last: Promise<void> | null = null;

  async run<T>(_keys: readonly string[], work: () => Promise<T>): Promise<T> {
    const before = this.last;
    const done = before ? iterationAfter(before).then(work) : work();
    const ended = done.then(
      () => undefined,
      () => undefined,
    );
    this.last = ended;
    try {
      return await done;
    } finally {
      if (this.last === ended) this.last = null;
    }
  }
}

async function iterationAfter(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise((resolve) => (timer = setTimeout(resolve, PATIENCE_MS)));
  await Promise.race([work, patience]);
  clearTimeout(timer);
  await iteration();
}
