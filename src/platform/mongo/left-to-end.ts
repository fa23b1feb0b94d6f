import type { ClientSession } from 'mongoose';

type Write<T> = (session: ClientSession, items: readonly T[]) => Promise<unknown>;

const left = new WeakMap<ClientSession, Map<Write<never>, unknown[]>>();

/**
 * Leaves writes to the end of the session's transaction: works that share one, and write the same way, share one command. `write` gets all
 * items that were left to it, in order.
 */
export function leaveToEnd<T>(session: ClientSession, write: Write<T>, items: readonly T[]): void {
  const writes = left.get(session) ?? new Map<Write<never>, unknown[]>();
  left.set(session, writes);
  writes.set(write, [...(writes.get(write) ?? []), ...items]);
}

/** Writes what was left so far; a transaction does so before it commits, and a reader of such rows before it reads. */
export async function writeLeft(session: ClientSession): Promise<void> {
  const writes = left.get(session);
  left.delete(session);
  for (const [write, items] of writes ?? []) await write(session, items as never[]);
}
