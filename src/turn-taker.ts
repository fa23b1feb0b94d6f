/** Long work lets others have a turn after so many milliseconds. */
const TURN_MS = 25;

/** Gives the event loop a turn whenever a piece of work has held it for long. */
export function turnTaker(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < TURN_MS) return;
    await new Promise((resolve) => setImmediate(resolve));
    since = performance.now();
  };
}
