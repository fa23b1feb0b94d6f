import { releaseLostReservations } from '../../records/billing';
import type { Core } from '../../platform/core';
import { DELIVERY_SHARDS, deliveryPumpId } from '../../contracts/delivery';
import { chargedTo, overdueShards } from '../../records/emails';
import { livingWorkers } from './lease';
import { wakeForgotten } from '../../platform/pumps';

/** Wakes the pumps of shards with overdue mail that no pump watches. Resolves to how many. */
export const wakeOverdueShards = ({ processes }: Pick<Core, 'processes'>, now: Date): Promise<number> =>
  wakeForgotten(
    deliveryPumpId,
    (since) => overdueShards(DELIVERY_SHARDS, since),
    (shard) => processes.wakeDelivery(shard),
    now,
  );

/** Gives back the credits that lost workers had taken for campaign messages and not used. Resolves to how many reservations were ended. */
export const releaseReservationsOfLost = (): Promise<number> =>
  releaseLostReservations(livingWorkers, ({ _id, emailIds }) => chargedTo(_id, emailIds));
