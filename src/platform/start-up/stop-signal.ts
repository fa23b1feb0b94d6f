/**
 * Resolves at the first SIGTERM or SIGINT. A second signal changes nothing: under npm, Ctrl-C comes from the terminal and once more from npm, and
 * the second one must not end what the first one lets finish.
 */
export const stopSignal = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve());
  });
