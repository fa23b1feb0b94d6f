import { Context } from '@temporalio/activity';
import type { Core } from '../src/platform/core';
import type { RetryCheckInput, RetryOutlook, WebhookKey, WebhookRunInput, WebhookRunResult } from '../src/contracts/webhook';
import type { WebhookHost } from '../src/sending/webhooks';
import { checkRetries, removeDeliveriesOf, restartLostRetries, wakeOverdueWebhooks } from '../src/sending/webhooks';
import { withHeartbeat } from './with-heartbeat';

const BEAT_MS = 5_000;

export const webhookActivities = (core: Core, host: WebhookHost | null) => ({
  /** Runs the due deliveries of a shard. Safe to retry, and to run twice at once: a delivery is made by the worker that claims it, by compare-and-set. */
  async pumpWebhooks(input: WebhookRunInput): Promise<WebhookRunResult> {
    if (!host) throw new Error('This worker does not call webhooks');
    const context = Context.current();
    return host.pump({ ...input, signal: context.cancellationSignal, beat: (handled) => context.heartbeat(handled) });
  },

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
    return withHeartbeat(BEAT_MS, ({ signal }) => removeDeliveriesOf(key, signal));
  },
});
