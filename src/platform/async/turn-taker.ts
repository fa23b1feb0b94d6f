/** Long work yields to the event loop after so many milliseconds. */
const TURN_MS = 25;

/** Returns a function that yields to the event loop once work has held it for long; null while it has not. */
export function turnTaker(): () => Promise<void> | null {
  let since = performance.now();
  const yieldNow = async (): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve));
    since = performance.now();
  };
  return () => (performance.now() - since < TURN_MS ? null : yieldNow());
}
