import { findClaimed, giveBack } from '../../records/emails';
import type { Claims } from '../../records/emails';
import { metrics } from '../../platform/metrics';

/**
 * Takes over what a worker had on the wire: all of it is in doubt, and goes back into the queue. Should the worker live and be late, its events have the ids that
 * the next attempt uses. Killed in the middle, some messages are back and the others are taken over the next time. Resolves to the shards to wake.
 */
export async function takeOver(claims: Claims): Promise<readonly number[]> {
  const claimed = await findClaimed(claims);
  if (claimed.length === 0) return [];
  metrics.inDoubt.inc({ cause: 'worker_lost' }, claimed.length);
  await giveBack(
    claims,
    claimed.map(({ _id }) => _id),
  );
  return [...new Set(claimed.map(({ shard }) => shard))];
}
