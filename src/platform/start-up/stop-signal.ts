import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from '../log';

/** Rejects with the first error that nothing handles, be it of a promise; later ones change nothing, since the process is to end. */
export const unhandledError = (): Promise<never> => new Promise((_, reject) => process.on('uncaughtException', reject));

/** How a process takes leave of those who send it work. */
export interface Leave {
  /** Tells them to send nothing more. */
  readonly say: () => void;
  /** How long it works on after a signal, until all of them have heard it. */
  readonly seconds: number;
}

/**
 * Resolves when the process is to stop: with the first SIGTERM or SIGINT, and the time of `leave` after it. A second signal changes nothing: under npm, Ctrl-C comes
 * from the terminal and once more from npm, and the second one must not end what the first one lets finish. An error that nothing handles is logged, and ends the
 * process in the same way, but at once and with exit code 1.
 */
export function stopSignal(log: Pick<Logger, 'fatal' | 'info'>, leave?: Leave): Promise<void> {
  const signaled = new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve());
  });
  const left = signaled.then(async () => {
    leave?.say();
    if (!leave?.seconds) return;
    log.info({ seconds: leave.seconds }, 'not ready any more; works on until it stops');
    await wait(leave.seconds * 1_000);
  });
  const failed = unhandledError().catch((error: unknown) => {
    log.fatal({ err: error }, 'Nothing handles this error; the process ends');
    process.exitCode = 1;
    leave?.say();
  });
  return Promise.race([left, failed]);
}
