/** Long work yields to the event loop after this many milliseconds. */
const HOLD_MS = 25;

/** Returns a function that yields to the event loop once work has held it for long; null while it has not. */
export function yielder(): () => Promise<void> | null {
  let since = performance.now();
  const yieldNow = async (): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve));
    since = performance.now();
  };
  return () => (performance.now() - since < HOLD_MS ? null : yieldNow());
}
