import type { Core } from '../src/context';
import { refreshTroubledReputations } from '../src/billing/service';
import { settleReservationsOfLost, wakeOverdueShards } from '../src/delivery/sweep';
import { sweepOutbox } from '../src/outbox/service';

export const orchestrationActivities = (core: Core) => ({
  /** Safe to retry: waking an awake pump does nothing. */
  async wakeShards(shards: readonly number[]): Promise<void> {
    await Promise.all(shards.map((shard) => core.processes.wakeDelivery(shard)));
  },

  /** Safe to retry: a workflow that runs already is not started again. */
  async sweepOutbox(): Promise<number> {
    return sweepOutbox(core, new Date());
  },

  /** Safe to retry, as `wakeShards`. */
  async sweepDelivery(): Promise<number> {
    return (await wakeOverdueShards(core, new Date())) + (await settleReservationsOfLost());
  },

  /** Safe to retry: a state is computed anew from the counts. */
  async sweepReputation(): Promise<number> {
    return refreshTroubledReputations(new Date());
  },
});
