import { AppError } from '../core';
import type { Core } from '../core';

/**
 * Fails with `unavailable` when `work` takes longer than `limitMs`. The MongoDB driver can wait forever on a socket that closed between its
 * checkout and the write, so a caller that must not hang limits its wait. The work itself continues, and its result is dropped.
 */
export async function withinLimit<T>(limitMs: number, work: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new AppError('unavailable', 'The request took too long; try again', [], { headers: { 'Retry-After': '2' } })),
      limitMs,
    );
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}

const ANSWER_MS = 20_000;

/** Waits for the database as long as a run may, and rejects then: the run ends, and its workflow tries again. */
export const answer = <T>(work: () => Promise<T>): Promise<T> => withinLimit(ANSWER_MS, work);

/** Work after a commit ends long before this; work that does not is stuck. */
const AFTERWARDS_MS = 10_000;

/**
 * Does work after a commit that a workflow or a sweep would do in any case. A failure is only logged: the caller's answer says that what
 * was committed is done, and does not ask for it again.
 */
export async function afterwards({ log }: Pick<Core, 'log'>, left: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await withinLimit(AFTERWARDS_MS, work);
  } catch (error) {
    log.warn({ err: error }, left);
  }
}
