import type { z } from 'zod';
import type { DeliverySummary, Shown } from '../../src/sending/webhooks';
import type { Delivery as WireDelivery, RegisteredWebhook as WireRegistered, Webhook as WireWebhook } from './schemas';

export const toWebhook = ({ webhook, secret }: Shown): z.input<typeof WireWebhook> => ({
  webhookId: webhook._id,
  projectId: webhook.projectId,
  url: webhook.url,
  events: webhook.events,
  description: webhook.description,
  ...(webhook.tag && { tag: webhook.tag }),
  enabled: webhook.enabled,
  disabledReason: webhook.disabledReason,
  ...(secret !== null && { secret }),
  createdAt: webhook.createdAt.toISOString(),
  updatedAt: webhook.updatedAt.toISOString(),
});

export const toRegistered = (shown: Shown & { readonly secret: string }): z.input<typeof WireRegistered> => ({
  ...toWebhook(shown),
  secret: shown.secret,
});

export const toDelivery = (delivery: DeliverySummary): z.input<typeof WireDelivery> => {
  const { _id, webhookId, eventId, eventName, status, attempts, responseStatus, responseBody, error, latencyMs, replayOf } = delivery;
  return {
    deliveryId: _id,
    ...{ webhookId, eventId, eventName, status, attempts, responseStatus, responseBody, error, latencyMs },
    nextAttemptAt: delivery.nextAttemptAt?.toISOString() ?? null,
    replayOf,
    createdAt: delivery.createdAt.toISOString(),
    completedAt: delivery.completedAt?.toISOString() ?? null,
  };
};
