import type { Core } from '../core';
import { withinLimit } from './time-limit';

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
