import type { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Has a storage of Temporal's SDK hold a value only until the function that it is for waits for something, which is as long as the SDK and our activities ask
 * for it. To hold it longer, Node would follow each promise of the process from the first use on (docs/decisions/0069).
 */
export function spareHooks<T>(storage: AsyncLocalStorage<T>): void {
  let held: T | undefined;
  const run = <R, A extends unknown[]>(value: T, work: (...args: A) => R, ...args: A): R => {
    const before = held;
    held = value;
    try {
      return work(...args);
    } finally {
      held = before;
    }
  };
  Object.assign(storage, { run, getStore: () => held });
}
