import type { Core } from '../src/platform/core';
import type { ScheduledMinute, ScheduledMinuteInput } from '../src/contracts/waiting-mail';
import type { DomainCheckInput, DomainCheckResult } from '../src/contracts/domain-verification';
import type { RetryCheckInput, RetryOutlook, WebhookKey } from '../src/contracts/webhook';
import { refreshTroubledReputations } from '../src/records/billing';
import { tallyEvents } from '../src/records/events';
import { wakeOverdueFanOut } from '../src/records/fan-out';
import { listDeferred, wakeOverdueShards } from '../src/sending/deliver';
import { checkInBackground, restartForgottenChecks } from '../src/sending/domains';
import { startForgottenRamps } from '../src/sending/ramps';
import { cancelMinute, releaseMinute, startForgottenMinutes } from '../src/sending/scheduled';
import { checkRetries, removeDeliveriesOf, restartLostRetries, wakeOverdueWebhooks } from '../src/sending/webhooks';
import { sweepOutbox } from '../src/platform/outbox';
import { sweepProcesses } from '../src/upkeep/recovery';
import { withHeartbeat } from './with-heartbeat';

const CHECK_BEAT_MS = 1_000;
const REMOVAL_BEAT_MS = 5_000;

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

  /** Wakes pumps with overdue events. Safe to retry: waking an awake pump does nothing. */
  async sweepFanOut(): Promise<number> {
    return wakeOverdueFanOut(core);
  },

  /** Adds events to the counters by name, and mail to its hours. Safe to retry, and to run twice at once: what was counted is noted with the counts. */
  async sweepEventCounts(): Promise<number> {
    return tallyEvents();
  },

  /** Checks a domain's records. Safe to retry: what a check finds is stored as of the same instant. Null when the domain was deleted. */
  async checkDomain(input: DomainCheckInput): Promise<DomainCheckResult | null> {
    return withHeartbeat(CHECK_BEAT_MS, () => checkInBackground(core, input));
  },

  /** Starts the checks of domains whose workflow is missing. Safe to retry: a workflow that runs already is not started again. */
  sweepDomains: (): Promise<number> => restartForgottenChecks(core, new Date()),

  /** Reads how many deliveries wait for another attempt, and wakes the pump. Safe to retry: it reads, and wakes. */
  async lookAtWebhookRetries(input: RetryCheckInput): Promise<RetryOutlook | null> {
    return checkRetries(core, input);
  },

  /**
   * Wakes pumps and retry workflows with overdue deliveries. Safe to retry: waking an awake pump does nothing, and a running workflow
   * checks again.
   */
  async sweepWebhooks(): Promise<number> {
    return (await wakeOverdueWebhooks(core)) + (await restartLostRetries(core));
  },

  /** Removes a page of a deleted endpoint's deliveries. Safe to retry: what is gone is gone. */
  async removeDeliveries(key: WebhookKey): Promise<void> {
    return withHeartbeat(REMOVAL_BEAT_MS, ({ signal }) => removeDeliveriesOf(key, signal));
  },
});
