import type { z } from 'zod';
import { invalid, notFound } from '../../../src/platform/core';
import { eventsHere, resendName } from '../../../src/rules/resend-names';
import type { Delivery as WireDelivery, RegisteredWebhook as WireRegistered, Webhook as WireWebhook } from '../../webhooks/schemas';
import type { Foreign } from '../kit/declare';
import { entriesOf, membersOf } from '../kit/members';
import type { Members } from '../kit/members';
import { findRow, perform } from '../kit/operations';
import { absent, byId, pagedList, resend, wholeList } from './declare';

type Webhook = z.output<typeof WireWebhook>;
type Delivery = z.output<typeof WireDelivery>;

/** Returns the events here that stand for Resend's. Throws `validation_error` for one that does not happen here. */
const namesHere = (events: unknown): readonly string[] =>
  entriesOf(events, 'events').flatMap((name, index) => {
    const here = typeof name === 'string' ? eventsHere(name) : undefined;
    if (!here) throw invalid(`events.${index}`, 'invalid_enum_value', `${String(name).slice(0, 60)} does not happen here`);
    return here;
  });

function fieldsOf(given: Members): Members {
  const { endpoint, events, status } = given;
  if (status !== undefined && status !== 'enabled' && status !== 'disabled')
    throw invalid('status', 'invalid_enum_value', 'Must be one of enabled, disabled');
  return {
    ...(endpoint !== undefined && { url: endpoint }),
    ...(events !== undefined && { events: namesHere(events) }),
    ...(status !== undefined && { enabled: status === 'enabled' }),
  };
}

const view = ({ webhookId, url, events, enabled, createdAt }: Webhook) => ({
  id: webhookId,
  endpoint: url,
  created_at: createdAt,
  status: enabled ? 'enabled' : 'disabled',
  events: [...new Set(events.map(resendName))],
});

async function find(request: Foreign): Promise<Webhook> {
  const found = await findRow<Webhook>('listWebhooks', request, ({ webhookId }) => webhookId === request.params['id']);
  if (!found) throw notFound('Webhook');
  return found;
}

const STATUSES: Readonly<Record<Delivery['status'], string>> = { pending: 'pending', succeeded: 'success', failed: 'failed' };

export const webhookRoutes = [
  resend('POST /webhooks', 'createWebhook', async (request) => {
    const body = { ...fieldsOf(membersOf(request.body)), format: 'resend' };
    const { webhookId, secret } = await perform<z.output<typeof WireRegistered>>('createWebhook', request, { body });
    return { object: 'webhook', id: webhookId, signing_secret: secret };
  }),
  resend('GET /webhooks', 'listWebhooks', (request) =>
    wholeList<Webhook>(request, { operationId: 'listWebhooks', idOf: ({ webhookId }) => webhookId, show: view }),
  ),
  // The secret is shown when it is made, and never again.
  resend('GET /webhooks/{id}', 'listWebhooks', async (request) => ({
    object: 'webhook',
    ...view(await find(request)),
    signing_secret: null,
  })),
  resend('PATCH /webhooks/{id}', 'updateWebhook', async (request) => {
    await perform('updateWebhook', request, { ...byId(request), body: fieldsOf(membersOf(request.body)) });
    return { object: 'webhook', id: request.params['id'] };
  }),
  resend('POST /webhooks/{id}/signing-secret/rotate', 'updateWebhook', async (request) => {
    const { secret } = await perform<Webhook>('updateWebhook', request, { ...byId(request), body: { rotateSecret: true } });
    return { object: 'webhook', id: request.params['id'], signing_secret: secret };
  }),
  resend('DELETE /webhooks/{id}', 'deleteWebhook', async (request) => {
    await perform('deleteWebhook', request, byId(request));
    return { object: 'webhook', id: request.params['id'], deleted: true };
  }),
  resend('GET /webhooks/{id}/events', 'listDeliveries', (request) =>
    pagedList<Delivery>(request, {
      operationId: 'listDeliveries',
      asked: byId(request),
      idOf: ({ deliveryId }) => deliveryId,
      show: ({ deliveryId, eventName, createdAt, status }) => ({
        id: deliveryId,
        type: resendName(eventName),
        created_at: createdAt,
        status: STATUSES[status],
      }),
    }),
  ),
  resend('POST /webhooks/{id}/events/{eventId}/replay', 'replayDelivery', async (request) => {
    const { id, eventId } = request.params;
    const { deliveryId } = await perform<Delivery>('replayDelivery', request, { params: { id, deliveryId: eventId } });
    return { object: 'webhook_event', id: deliveryId };
  }),
  absent('GET /webhooks/{id}/events/{eventId}', 'GET /v1/webhooks/{id}/deliveries shows the answers of the endpoint.'),
  absent('GET /webhooks/{id}/events/{eventId}/attempts', 'GET /v1/webhooks/{id}/deliveries shows the answers of the endpoint.'),
];
