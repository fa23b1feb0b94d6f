import { settleLostReservations } from '../../records/billing/reservations';
import type { Core } from '../../platform/core/context';
import { DELIVERY_SHARDS, deliveryPumpId } from '../../contracts/delivery';
import { chargedTo } from '../../records/emails/claimed';
import { overdueShards } from '../../records/emails/ledger';
import { livingWorkers } from './lease';
import { listeningPumps } from '../../platform/wake-ups/service';

/** A message that is due for so long has not been noticed. */
const OVERDUE_MS = 3_000;

/** Wakes the pumps of shards with overdue mail that no pump looks at. Resolves to how many. */
export async function wakeOverdueShards(core: Pick<Core, 'processes'>, now: Date): Promise<number> {
  const [overdue, listening] = await Promise.all([overdueShards(DELIVERY_SHARDS, new Date(now.getTime() - OVERDUE_MS)), listeningPumps()]);
  const forgotten = overdue.filter((shard) => !listening.has(deliveryPumpId(shard)));
  await Promise.all(forgotten.map((shard) => core.processes.wakeDelivery(shard)));
  return forgotten.length;
}

/** Gives back the credits that lost workers had taken for campaign messages and not used. Resolves to how many reservations were settled. */
export const settleReservationsOfLost = (): Promise<number> =>
  settleLostReservations(livingWorkers, ({ _id, emailIds }) => chargedTo(_id, emailIds));
