import { Context } from '@temporalio/activity';
import type { PumpInput, PumpResult } from '../src/contracts/delivery';
import type { DeliveryHost } from '../src/delivery/host';

export const deliveryActivities = (host: DeliveryHost | null) => ({
  /** Safe to retry, and to run twice at once: a message is begun by whoever claims it, by compare-and-set. */
  async pumpDelivery({ shard, now }: PumpInput): Promise<PumpResult> {
    if (!host) throw new Error('This worker does not deliver mail');
    const context = Context.current();
    return host.pump({ shard, startedAt: now, signal: context.cancellationSignal, beat: (handled) => context.heartbeat(handled) });
  },
});
