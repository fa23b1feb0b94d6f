import { inTransaction } from '../../platform/mongo';
import { emit, storedIds } from '../../records/events';
import type { NewEvent } from '../../records/events';
import { countMailIn, happeningsOf } from '../../records/stats';

/**
 * Stores events, some of which a lost attempt or a failed step may have stored before, and counts the new ones in the statistics: both
 * in one transaction, so that each is counted once. Throws when another process stores one of them at the same moment; repeated, it finds it.
 */
export async function emitCounted(events: readonly (NewEvent & { readonly id: string })[]): Promise<void> {
  if (events.length === 0) return;
  await inTransaction(async (session) => {
    const stored = await storedIds(session, events);
    const missing = events.filter(({ id }) => !stored.has(id));
    await emit(session, missing);
    await countMailIn(session, missing.flatMap(happeningsOf));
  });
}
