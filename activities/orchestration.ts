import type { Core } from '../src/platform/core';
import type { ScheduledMinute, ScheduledMinuteInput } from '../src/contracts/scheduled-send';
import { refreshTroubledReputations } from '../src/records/billing';
import { releaseReservationsOfLost, wakeOverdueShards } from '../src/sending/deliver';
import { waitingInMinute } from '../src/records/emails';
import { sweepOutbox } from '../src/platform/outbox';
import { sweepProcesses } from '../src/upkeep/recovery';
import { wakeDelivery } from '../src/platform/wake-ups';

export const orchestrationActivities = (core: Core) => ({
  /** Wakes pumps; called by workflows of the first release. Safe to retry: waking an awake pump does nothing. */
  wakeShards(shards: readonly number[]): Promise<void> {
    for (const shard of shards) wakeDelivery(core, shard);
    return Promise.resolve();
  },

  /** Reads what is due within a minute. Safe to retry: it only reads. */
  async scheduledMinute(key: ScheduledMinuteInput): Promise<ScheduledMinute> {
    return waitingInMinute(key);
  },

  /** Sends forgotten intents of the outbox to Temporal. Safe to retry: a workflow that runs already is not started again. */
  async sweepOutbox(): Promise<number> {
    const now = new Date();
    const [wanted, lasting] = await Promise.allSettled([sweepOutbox(core, now), sweepProcesses(core, now)]);
    if (wanted.status === 'rejected') throw wanted.reason;
    if (lasting.status === 'rejected') throw lasting.reason;
    return wanted.value + lasting.value;
  },

  /** Wakes pumps with overdue mail. Safe to retry, as `wakeShards`. */
  async sweepDelivery(): Promise<number> {
    return (await wakeOverdueShards(core, new Date())) + (await releaseReservationsOfLost());
  },

  /** Recomputes reputations that time may have mended. Safe to retry: a state is computed again from the counts. */
  async sweepReputation(): Promise<number> {
    return refreshTroubledReputations(new Date());
  },
});
