import { findClaimed, giveBack } from '../../records/emails';
import type { Claims, Email, Outcome } from '../../records/emails';
import { closeGroups } from '../../records/events';
import type { GroupedResult } from '../../records/events';
import { metrics } from '../../platform/metrics';
import { acceptedOutcome } from './outcome';
import { settleCounted } from './counts';

/**
 * Takes over what a worker had on the wire. A message in a group of events was accepted by the next server, and only its record is missing; all else is
 * in doubt, and goes back into the queue. The groups are closed: should the worker live and be late, it emits the events of each message alone, under the
 * ids that the next attempt uses.
 *
 * | killed                   | found                                  | happens                            |
 * |--------------------------|----------------------------------------|------------------------------------|
 * | before the groups closed | `sending`                              | taken over the next time           |
 * | after it                 | `sending`, closed or in a group        | the same; closing twice is harmless |
 * | after the settlement     | some settled, the others `sending`     | the others are taken over           |
 *
 * Resolves to the shards to wake.
 */
export async function takeOver(claims: Claims): Promise<readonly number[]> {
  const claimed = await findClaimed(claims);
  if (claimed.length === 0) return [];
  const grouped = await closeGroups(claimed.filter(({ attempts }) => attempts === 1));
  const accepted = claimed.filter(({ _id }) => grouped.has(_id)).map((email) => outcomeOf(email, grouped.get(email._id) as GroupedResult));
  const inDoubt = claimed.filter(({ _id }) => !grouped.has(_id));
  await settleCounted(accepted);
  if (inDoubt.length > 0) metrics.inDoubt.inc({ cause: 'worker_lost' }, inDoubt.length);
  await giveBack(
    claims,
    inDoubt.map(({ _id }) => _id),
  );
  return [...new Set(inDoubt.map(({ shard }) => shard))];
}

function outcomeOf(email: Email, { names, response, createdAt }: GroupedResult): Outcome {
  const rules = { acceptedIsDelivered: names.includes('email.delivered') };
  return acceptedOutcome(email, response, rules, createdAt);
}
