import { Context } from '@temporalio/activity';
import type { CampaignPageInput, CampaignPageResult } from '../src/contracts/campaign';
import type { PumpInput, PumpResult } from '../src/contracts/delivery';
import type { FanOutPumpInput, FanOutResult } from '../src/contracts/fan-out';
import type { WebhookRunInput, WebhookRunResult } from '../src/contracts/webhook';
import type { FanOutHost } from '../src/records/fan-out';
import type { DeliveryHost } from '../src/sending/deliver';
import type { WebhookHost } from '../src/sending/webhooks';
import { withHeartbeat } from './with-heartbeat';

const BEAT_MS = 1_000;

/** The pumps of this process; null for a queue that it does not take. */
export interface Hosts {
  /** Serves the queue `delivery`. */
  readonly delivery: DeliveryHost | null;
  /** Serves the queue `pumps`. */
  readonly fanOut: FanOutHost | null;
  /** Serves the queue `http`. */
  readonly webhooks: WebhookHost | null;
}

function required<Host>(host: Host | null, what: string): Host {
  if (!host) throw new Error(`This worker does not ${what}`);
  return host;
}

/** Returns the end of the activity, and its heartbeat with how many it has handled. */
function beating() {
  const context = Context.current();
  return { signal: context.cancellationSignal, beat: (handled: number): void => context.heartbeat(handled) };
}

export const pumpActivities = ({ delivery, fanOut, webhooks }: Hosts) => ({
  /** Sends the due mail of a shard. Safe to retry, and to run twice at once: a message is begun by the worker that claims it, by compare-and-set. */
  async pumpDelivery({ shard, now, stay = false }: PumpInput): Promise<PumpResult> {
    return required(delivery, 'deliver mail').pump({ shard, startedAt: now, stay, ...beating() });
  },

  /** Sends a page of a campaign. Safe to retry, and to run twice at once: a recipient's message is claimed by inserting its row, whose id is the recipient's own. */
  async sendCampaignPage(input: CampaignPageInput): Promise<CampaignPageResult> {
    const host = required(delivery, 'deliver mail');
    return withHeartbeat(BEAT_MS, ({ signal }) => host.campaignPage({ input, signal }));
  },

  /** Delivers the events of a shard to their consumers. Safe to retry, and to run twice at once: consumers know an event that comes again. */
  async pumpFanOut({ shard }: FanOutPumpInput): Promise<FanOutResult> {
    return required(fanOut, 'hand events on').pump({ shard, ...beating() });
  },

  /** Runs the due deliveries of a shard. Safe to retry, and to run twice at once: a delivery is made by the worker that claims it, by compare-and-set. */
  async pumpWebhooks(input: WebhookRunInput): Promise<WebhookRunResult> {
    return required(webhooks, 'call webhooks').pump({ ...input, ...beating() });
  },
});
