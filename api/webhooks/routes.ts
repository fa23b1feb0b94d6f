import { timeOfId } from '../../src/platform/core';
import { mapped } from '../../src/platform/mongo';
import * as deliveries from '../../src/sending/webhooks';
import * as webhooks from '../../src/sending/webhooks';
import { updated } from '../http/audit';
import { deleted, paged } from '../http/answers';
import { endpoint, extensions, group, listEndpoint } from '../http/endpoint';
import { Deleted, IdParams } from '../http/pieces';
import {
  CreateWebhook,
  Delivery,
  DeliveryParams,
  DeliveryQuery,
  GapQuery,
  RegisteredWebhook,
  ReplayWindow,
  ReplayedWindow,
  UpdateWebhook,
  Webhook,
  WebhookGap,
  WholeDelivery,
} from './schemas';
import type { z } from 'zod';
import type { DeliverySummary, Shown } from '../../src/sending/webhooks';
import type {
  Delivery as WireDelivery,
  RegisteredWebhook as WireRegistered,
  Webhook as WireWebhook,
  WebhookGap as WireGap,
} from './schemas';

export const webhookRoutes = group('Webhooks', [
  listEndpoint('GET /v1/webhooks', {
    operationId: 'listWebhooks',
    summary: 'List webhook endpoints',
    response: Webhook,
    list: 'whole',
    handle: ({ ctx, page }) => mapped(webhooks.listWebhooks(ctx, page), (webhook) => toWebhook({ webhook, secret: null })),
  }),
  endpoint('POST /v1/webhooks', {
    operationId: 'createWebhook',
    summary: 'Register a webhook endpoint',
    description: '`secret` is returned only here and after a rotation.',
    request: { body: CreateWebhook },
    status: 201,
    response: RegisteredWebhook,
    errors: ['limit_exceeded'],
    audit: ({ data }) => ['webhook.create', data.webhookId],
    handle: async ({ ctx, body }) => toRegistered(await webhooks.createWebhook(ctx, body)),
  }),
  endpoint('PATCH /v1/webhooks/{id}', {
    operationId: 'updateWebhook',
    summary: 'Update, enable or disable a webhook endpoint, or rotate its secret',
    request: { params: IdParams, body: UpdateWebhook },
    response: Webhook,
    audit: ({ params, body }) => updated('webhook', params.id, body),
    handle: async ({ ctx, params, body }) => toWebhook(await webhooks.patchWebhook(ctx, params.id, body)),
  }),
  endpoint('DELETE /v1/webhooks/{id}', {
    operationId: 'deleteWebhook',
    summary: 'Remove an endpoint with its deliveries',
    request: { params: IdParams },
    response: Deleted,
    audit: ({ params }) => ['webhook.delete', params.id],
    handle: ({ ctx, params }) => deleted(webhooks.deleteWebhook(ctx, params.id)),
  }),
  listEndpoint('GET /v1/webhooks/{id}/deliveries', {
    operationId: 'listDeliveries',
    summary: 'List deliveries, newest first',
    request: { params: IdParams, query: DeliveryQuery },
    response: Delivery,
    list: 'cursor',
    handle: ({ ctx, params, query, page }) => paged(deliveries.listDeliveries(ctx, params.id, query.status, page), toDelivery),
  }),
  endpoint('POST /v1/webhooks/{id}/deliveries/{deliveryId}/replay', {
    operationId: 'replayDelivery',
    summary: 'Deliver the same event again',
    request: { params: DeliveryParams },
    status: 202,
    response: Delivery,
    errors: ['invalid_state'],
    handle: async ({ ctx, params }) => toDelivery(await deliveries.replayDelivery(ctx, params.id, params.deliveryId)),
  }),
]);

const toWebhook = ({ webhook, secret }: Shown): z.input<typeof WireWebhook> => {
  const { _id: webhookId, projectId, url, events, description, tag, format, enabled, disabledReason, sequence } = webhook;
  const { createdAt, updatedAt } = webhook;
  return {
    webhookId,
    projectId,
    url,
    events,
    description,
    enabled,
    disabledReason,
    createdAt,
    updatedAt,
    ...(tag && { tag }),
    ...(format && { format }),
    ...(sequence && { sequence }),
    ...(secret !== null && { secret }),
  };
};

const toRegistered = (shown: Shown & { readonly secret: string }): z.input<typeof WireRegistered> => ({
  ...toWebhook(shown),
  secret: shown.secret,
});

const toGap = ({ _id, eventId, eventName, status, attempts, sequence }: DeliverySummary): z.input<typeof WireGap> => ({
  eventId,
  name: eventName,
  at: timeOfId(_id),
  status: status === 'pending' ? 'pending' : 'failed',
  attempts,
  sequence,
  deliveryId: _id,
});

const toDelivery = ({ _id, ...delivery }: DeliverySummary): z.input<typeof WireDelivery> => ({ deliveryId: _id, ...delivery });

export const webhookExtensions = extensions('Extensions', [
  endpoint('GET /v1/webhooks/{id}/deliveries/{deliveryId}', {
    operationId: 'getDelivery',
    summary: 'Get a delivery with the body of its calls, and its attempts',
    request: { params: DeliveryParams },
    response: WholeDelivery,
    handle: async ({ ctx, params }) => {
      const { body, tried = [], ...delivery } = await deliveries.getDelivery(ctx, params.id, params.deliveryId);
      return { ...toDelivery(delivery), body, tried };
    },
  }),
  endpoint('POST /v1/webhooks/{id}/test', {
    operationId: 'testWebhook',
    summary: 'Deliver a test event',
    description: 'The event is `webhook.test`, regardless of the events of the endpoint; it is signed, retried and listed like any other.',
    request: { params: IdParams },
    status: 202,
    response: Delivery,
    errors: ['invalid_state'],
    handle: async ({ ctx, params }) => toDelivery(await deliveries.deliverTestEvent(ctx, params.id)),
  }),
  listEndpoint('GET /v1/webhooks/{id}/gaps', {
    operationId: 'listWebhookGaps',
    summary: 'List events that an endpoint did not receive, newest first',
    description: 'Lists pending and failed deliveries of the last 30 days whose event did not arrive by another attempt or replay.',
    request: { params: IdParams, query: GapQuery },
    response: WebhookGap,
    list: 'cursor',
    handle: ({ ctx, params, query, page }) => paged(webhooks.listGaps(ctx, params.id, query, page), toGap),
  }),
  endpoint('POST /v1/webhooks/{id}/replay', {
    operationId: 'replayWebhook',
    summary: 'Deliver the events of a time range again',
    description:
      'Queues up to 10,000 deliveries; more are 422 `too_big`. Pending and erased deliveries stay as they are, so repeating the request adds none.',
    request: { params: IdParams, body: ReplayWindow },
    status: 202,
    response: ReplayedWindow,
    errors: ['invalid_state'],
    audit: ({ params, data }) => (data.replayed > 0 ? ['webhook.replay', params.id] : null),
    handle: async ({ ctx, params, body }) => ({ replayed: await webhooks.replayWindow(ctx, params.id, body) }),
  }),
]);
