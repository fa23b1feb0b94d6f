import { Context } from '@temporalio/activity';
import type { CampaignPageInput, CampaignPageResult } from '../src/contracts/campaign';
import type { PumpInput, PumpResult } from '../src/contracts/delivery';
import type { DeliveryHost } from '../src/sending/deliver';
import { withHeartbeat } from './with-heartbeat';

const BEAT_MS = 1_000;

export const deliveryActivities = (host: DeliveryHost | null) => ({
  /** Sends the due mail of a shard. Safe to retry, and to run twice at once: a message is begun by the worker that claims it, by compare-and-set. */
  async pumpDelivery({ shard, now, stay = false }: PumpInput): Promise<PumpResult> {
    if (!host) throw new Error('This worker does not deliver mail');
    const context = Context.current();
    const beat = (handled: number): void => context.heartbeat(handled);
    return host.pump({ shard, startedAt: now, stay, signal: context.cancellationSignal, beat });
  },

  /** Sends a page of a campaign. Safe to retry, and to run twice at once: a recipient's message is claimed by inserting its row, whose id is the recipient's own. */
  async sendCampaignPage(input: CampaignPageInput): Promise<CampaignPageResult> {
    if (!host) throw new Error('This worker does not deliver mail');
    return withHeartbeat(BEAT_MS, ({ signal }) => host.campaignPage({ input, signal }));
  },
});
