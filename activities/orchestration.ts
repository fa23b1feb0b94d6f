import type { Core } from '../src/platform/core';
import type { ScheduledMinute, ScheduledMinuteInput } from '../src/contracts/scheduled-send';
import { refreshTroubledReputations } from '../src/records/billing';
import { listDeferred, wakeOverdueShards } from '../src/sending/deliver';
import { startForgottenRamps } from '../src/sending/ramps';
import { cancelMinute, releaseMinute, startForgottenMinutes } from '../src/sending/scheduled';
import { sweepOutbox } from '../src/platform/outbox';
import { sweepProcesses } from '../src/upkeep/recovery';

export const orchestrationActivities = (core: Core) => ({
  /** Releases what of a minute is due. Resolves to what still waits. Safe to retry, and to run twice at once: what is released already stays so. */
  releaseScheduled({ now, ...key }: ScheduledMinuteInput & { readonly now: number }): Promise<ScheduledMinute> {
    return releaseMinute(core, key, new Date(now));
  },

  /** Cancels what of a minute is not released. Resolves to how many messages. Safe to retry: what is cancelled stays so. */
  cancelScheduledMinute(key: ScheduledMinuteInput): Promise<number> {
    return cancelMinute(core, key);
  },

  /** Sends forgotten intents of the outbox to Temporal. Safe to retry: a workflow that runs already is not started again. */
  async sweepOutbox(): Promise<number> {
    const now = new Date();
    const [wanted, lasting] = await Promise.allSettled([sweepOutbox(core, now), sweepProcesses(core, now)]);
    if (wanted.status === 'rejected') throw wanted.reason;
    if (lasting.status === 'rejected') throw lasting.reason;
    return wanted.value + lasting.value;
  },

  /** Wakes pumps with overdue mail, starts the workflows of minutes and ramps that lack one, and lists what waits for another attempt. Safe to retry: waking an awake pump does nothing. */
  async sweepDelivery(): Promise<number> {
    const now = new Date();
    const woken = await wakeOverdueShards(core, now);
    return woken + (await startForgottenMinutes(core, now)) + (await startForgottenRamps(core, now)) + (await listDeferred(core));
  },

  /** Recomputes reputations that time may have mended. Safe to retry: a state is computed again from the counts. */
  async sweepReputation(): Promise<number> {
    return refreshTroubledReputations(new Date());
  },
});
