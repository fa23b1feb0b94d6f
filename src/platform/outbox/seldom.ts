import { LRUCache } from 'lru-cache';

/** What is wanted so often at most goes to Temporal: messages of one minute come in thousands, and their workflow is one. */
const EVERY_MS = 5_000;

const recent = new Map<string, { again: (() => void) | null }>();

/** Does the work of a key at once, or together with what else comes for the key within five seconds of the last time: the latest, once, at their end. */
export function seldom(key: string, work: () => void): void {
  const current = recent.get(key);
  if (current) {
    current.again = work;
    return;
  }
  const made: { again: (() => void) | null } = { again: null };
  recent.set(key, made);
  setTimeout(() => {
    recent.delete(key);
    if (made.again) seldom(key, made.again);
  }, EVERY_MS).unref();
  work();
}

const REMINDED_MS = 10 * 60_000;
const reminded = new LRUCache<string, true>({ max: 10_000, ttl: REMINDED_MS });

/** Returns whether a workflow that is late may be signalled: every sweep finds it, and it may have its reasons. */
export function mayRemind(workflowId: string): boolean {
  if (reminded.has(workflowId)) return false;
  reminded.set(workflowId, true);
  return true;
}
