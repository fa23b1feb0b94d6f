import type { Core } from '../../platform/core';
import { DELIVERY_SHARDS, deliveryPumpId } from '../../contracts/delivery';
import { overdueShards } from '../../records/emails';
import { wakeForgotten } from '../../platform/pumps';

/** Wakes the pumps of shards with overdue mail that no pump watches. Resolves to how many. */
export const wakeOverdueShards = ({ processes }: Pick<Core, 'processes'>, now: Date): Promise<number> =>
  wakeForgotten(
    deliveryPumpId,
    (since) => overdueShards(DELIVERY_SHARDS, since),
    (shard) => processes.wakeDelivery(shard),
    now,
  );
