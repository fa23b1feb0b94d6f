/** Long work lets others have a turn after so many milliseconds. */
const TURN_MS = 25;

/** Gives the event loop a turn whenever a piece of work has held it for long; null when it has not. */
export function turnTaker(): () => Promise<void> | null {
  let since = performance.now();
  const turn = async (): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve));
    since = performance.now();
  };
  return () => (performance.now() - since < TURN_MS ? null : turn());
}
