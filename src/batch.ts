/**
 * Turns a look-up of many into a look-up of one: all that is asked in one turn of the event loop goes in one call.
 * A call starts after the questions it answers, so no answer is older than its question. A failure is everyone's.
 */
export function batched<K, V>(load: (keys: readonly K[]) => Promise<ReadonlyMap<K, V>>): (key: K) => Promise<V | undefined> {
  let waiting: Set<K> | null = null;
  let answer: Promise<ReadonlyMap<K, V>>;
  return async (key) => {
    if (waiting) {
      waiting.add(key);
    } else {
      const keys = (waiting = new Set([key]));
      answer = new Promise((resolve, reject) => {
        setImmediate(() => {
          waiting = null;
          load([...keys]).then(resolve, reject);
        });
      });
    }
    return (await answer).get(key);
  };
}
