import type { Logger } from '../log';

/** Rejects with the first error that nothing handles, be it of a promise; later ones change nothing, since the process is to end. */
export const unhandledError = (): Promise<never> => new Promise((_, reject) => process.on('uncaughtException', reject));

/**
 * Resolves at the first SIGTERM or SIGINT. A second signal changes nothing: under npm, Ctrl-C comes from the terminal and once more from npm, and
 * the second one must not end what the first one lets finish. An error that nothing handles is logged, and ends the process in the same way, with exit code 1.
 */
export function stopSignal(log: Pick<Logger, 'fatal'>): Promise<void> {
  const signaled = new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve());
  });
  const failed = unhandledError().catch((error: unknown) => {
    log.fatal({ err: error }, 'Nothing handles this error; the process ends');
    process.exitCode = 1;
  });
  return Promise.race([signaled, failed]);
}
