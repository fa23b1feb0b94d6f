import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from '../log';

/** Rejects with the first error that nothing handles, be it of a promise; later ones change nothing, since the process is to end. */
export const unhandledError = (): Promise<never> => new Promise((_, reject) => process.on('uncaughtException', reject));

/** The steps by which a process stops receiving work. */
export interface Leave {
  /** Tells them to send nothing more. */
  readonly say: () => void;
  /** Time that it continues to work after a signal, until every client has noticed. */
  readonly seconds: number;
}

/**
 * Resolves when the process is to stop: with the first SIGTERM or SIGINT, plus the time of `leave`. A second signal changes nothing: under
 * npm, Ctrl-C arrives from the terminal and again from npm, and the second one must not interrupt what the first one lets finish. An
 * unhandled error is logged and ends the process in the same way, but at once and with exit code 1.
 */
export function stopSignal(log: Pick<Logger, 'fatal' | 'info'>, leave?: Leave): Promise<void> {
  const signaled = new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve());
  });
  const left = signaled.then(async () => {
    leave?.say();
    if (!leave?.seconds) return;
    log.info({ seconds: leave.seconds }, 'no longer ready; continuing until the process stops');
    await wait(leave.seconds * 1_000);
  });
  const failed = unhandledError().catch((error: unknown) => {
    log.fatal({ err: error }, 'Unhandled error; the process ends');
    process.exitCode = 1;
    leave?.say();
  });
  return Promise.race([left, failed]);
}
