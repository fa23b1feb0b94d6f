import { LRUCache } from 'lru-cache';
import { perCore } from '../core';
import type { Core } from '../core';

/** Shortest time between two starts of a repeatable intent: thousands of messages of one minute share one workflow. */
export const EVERY_MS = { seldom: 5_000, urgent: 500 } as const;

/** Does work of each key seldom. */
class Seldom {
  private readonly recent = new Map<string, { again: (() => void) | null }>();

  /** Does the work of a key at once, or together with what else comes for the key within a time of the last: the latest, once, at its end. */
  do(key: string, everyMs: number, work: () => void): void {
    const current = this.recent.get(key);
    if (current) {
      current.again = work;
      return;
    }
    const made: { again: (() => void) | null } = { again: null };
    this.recent.set(key, made);
    setTimeout(() => {
      this.recent.delete(key);
      if (made.again) this.do(key, everyMs, made.again);
    }, everyMs).unref();
    work();
  }
}

export const seldom = perCore(() => new Seldom());

const REMINDED_MS = 10 * 60_000;
const remindedOf = perCore(() => new LRUCache<string, true>({ max: 10_000, ttl: REMINDED_MS }));

/** Returns whether a late workflow may be signaled: every sweep finds it, and it may have its reasons. */
export function mayRemind(core: Pick<Core, 'processes'>, workflowId: string): boolean {
  const reminded = remindedOf(core);
  if (reminded.has(workflowId)) return false;
  reminded.set(workflowId, true);
  return true;
}
