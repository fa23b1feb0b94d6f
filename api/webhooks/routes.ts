import { mapped } from '../../src/platform/mongo';
import * as deliveries from '../../src/sending/webhooks';
import * as webhooks from '../../src/sending/webhooks';
import { updated } from '../http/audit';
import { endpoint } from '../http/endpoint';
import { Deleted, IdParams } from '../http/pieces';
import { CreateWebhook, Delivery, DeliveryParams, DeliveryQuery, RegisteredWebhook, UpdateWebhook, Webhook } from './schemas';
import type { z } from 'zod';
import type { DeliverySummary, Shown } from '../../src/sending/webhooks';
import type { Delivery as WireDelivery, RegisteredWebhook as WireRegistered, Webhook as WireWebhook } from './schemas';

const tag = 'Webhooks';

export const webhookRoutes = [
  endpoint({
    method: 'get',
    path: '/v1/webhooks',
    operationId: 'listWebhooks',
    summary: 'List webhook endpoints',
    tag,
    response: Webhook,
    list: 'whole',
    handle: ({ ctx, page }) => Promise.resolve(mapped(webhooks.listWebhooks(ctx, page), (webhook) => toWebhook({ webhook, secret: null }))),
  }),
  endpoint({
    method: 'post',
    path: '/v1/webhooks',
    operationId: 'createWebhook',
    summary: 'Register a webhook endpoint',
    description: '`secret` is returned only here and after a rotation.',
    tag,
    status: 201,
    body: CreateWebhook,
    response: RegisteredWebhook,
    errors: ['limit_exceeded'],
    audit: ({ data }) => ['webhook.create', data.webhookId],
    handle: async ({ ctx, body }) => toRegistered(await webhooks.createWebhook(ctx, body)),
  }),
  endpoint({
    method: 'patch',
    path: '/v1/webhooks/{id}',
    operationId: 'updateWebhook',
    summary: 'Update, enable or disable a webhook endpoint, or rotate its secret',
    tag,
    params: IdParams,
    body: UpdateWebhook,
    response: Webhook,
    audit: ({ params, body }) => updated('webhook', params.id, body),
    handle: async ({ ctx, params, body }) => toWebhook(await webhooks.patchWebhook(ctx, params.id, body)),
  }),
  endpoint({
    method: 'delete',
    path: '/v1/webhooks/{id}',
    operationId: 'deleteWebhook',
    summary: 'Remove an endpoint with its deliveries',
    tag,
    params: IdParams,
    response: Deleted,
    audit: ({ params }) => ['webhook.delete', params.id],
    handle: async ({ ctx, params }) => {
      await webhooks.deleteWebhook(ctx, params.id);
      return { success: true as const };
    },
  }),
  endpoint({
    method: 'get',
    path: '/v1/webhooks/{id}/deliveries',
    operationId: 'listDeliveries',
    summary: 'List deliveries, newest first',
    tag,
    params: IdParams,
    query: DeliveryQuery,
    response: Delivery,
    list: 'cursor',
    handle: async ({ ctx, params, query, page }) => {
      const { rows, next } = await deliveries.listDeliveries(ctx, params.id, query.status, page);
      return { rows: rows.map(toDelivery), next };
    },
  }),
  endpoint({
    method: 'post',
    path: '/v1/webhooks/{id}/deliveries/{deliveryId}/replay',
    operationId: 'replayDelivery',
    summary: 'Deliver the same event again',
    tag,
    status: 202,
    params: DeliveryParams,
    response: Delivery,
    errors: ['invalid_state'],
    handle: async ({ ctx, params }) => toDelivery(await deliveries.replayDelivery(ctx, params.id, params.deliveryId)),
  }),
];

const toWebhook = ({ webhook, secret }: Shown): z.input<typeof WireWebhook> => ({
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

const toRegistered = (shown: Shown & { readonly secret: string }): z.input<typeof WireRegistered> => ({
  ...toWebhook(shown),
  secret: shown.secret,
});

const toDelivery = (delivery: DeliverySummary): z.input<typeof WireDelivery> => {
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

/** Beyond the 92. */
export const webhookExtensions = [
  endpoint({
    method: 'post',
    path: '/v1/webhooks/{id}/test',
    operationId: 'testWebhook',
    summary: 'Deliver a test event',
    description:
      'An extension of this implementation. The event is `webhook.test`, regardless of the events of the endpoint; it is signed, retried and listed like any other.',
    tag: 'Extensions',
    extension: true,
    status: 202,
    params: IdParams,
    response: Delivery,
    errors: ['invalid_state'],
    handle: async ({ ctx, params }) => toDelivery(await deliveries.deliverTestEvent(ctx, params.id)),
  }),
];
