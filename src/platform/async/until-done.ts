import type { Logger } from '../log';
import { answer } from './time-limit';

const RETRY_MS = [50, 200, 500, 1_000];

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Tries until it succeeds: what was sent outlives an outage of the database. Logs each failure as `trouble`. */
export async function untilDone<T>({ log }: { readonly log: Logger }, trouble: string, work: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await answer(work);
    } catch (error) {
      log.warn({ err: error, tries }, trouble);
      await pause(RETRY_MS[Math.min(tries, RETRY_MS.length - 1)] ?? 1_000);
    }
  }
}
