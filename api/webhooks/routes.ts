import { endpoint } from '../http/endpoint';
import { Deleted, IdParams, NoBody } from '../http/pieces';
import { CreateWebhook, Delivery, DeliveryParams, DeliveryQuery, UpdateWebhook, Webhook } from './schemas';

const tag = 'Webhooks';

export const webhookRoutes = [
  endpoint({
    method: 'get',
    path: '/v1/webhooks',
    operationId: 'listWebhooks',
    summary: 'List webhook endpoints',
    tag,
    response: Webhook,
    list: 'plain',
  }),
  endpoint({
    method: 'post',
    path: '/v1/webhooks',
    operationId: 'createWebhook',
    summary: 'Register a webhook endpoint',
    description: '`secret` is shown here and after a rotation only.',
    tag,
    status: 201,
    body: CreateWebhook,
    response: Webhook,
  }),
  endpoint({
    method: 'patch',
    path: '/v1/webhooks/{id}',
    operationId: 'updateWebhook',
    summary: 'Update a webhook endpoint, switch it on or off, or rotate its secret',
    tag,
    params: IdParams,
    body: UpdateWebhook,
    response: Webhook,
  }),
  endpoint({
    method: 'delete',
    path: '/v1/webhooks/{id}',
    operationId: 'deleteWebhook',
    summary: 'Remove an endpoint with its deliveries',
    tag,
    params: IdParams,
    response: Deleted,
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
  }),
  endpoint({
    method: 'post',
    path: '/v1/webhooks/{id}/deliveries/{deliveryId}/replay',
    operationId: 'replayDelivery',
    summary: 'Deliver the same event again',
    tag,
    status: 202,
    params: DeliveryParams,
    body: NoBody,
    response: Delivery,
  }),
];
