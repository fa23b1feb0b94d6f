import type { Context } from '../../platform/core/context';
import { webhookShardOf } from '../../contracts/webhook';
import { invalidState, notFound } from '../../platform/core/errors';
import { newId } from '../../platform/core/ids';
import { databaseNow } from '../../platform/mongo/clock';
import { newestFirst } from '../../platform/mongo/page';
import type { Page } from '../../platform/mongo/page';
import { inTransaction } from '../../platform/mongo/transaction';
import type { PageRequest } from '../../platform/core/paging';
import { wakeWebhooks } from '../../platform/wake-ups/service';
import { DeliveryModel } from './delivery-model';
import type { Delivery, DeliveryStatus } from './delivery-model';
import { WebhookModel } from './model';
import { arrival, held, newDelivery } from './queue';

/** What a delivery shows of itself. */
export type DeliverySummary = Omit<Delivery, 'body'>;

/** A page of an endpoint's deliveries, newest first. Throws `not_found`. */
export async function listDeliveries(
  { projectId }: Context,
  webhookId: string,
  status: DeliveryStatus | undefined,
  request: PageRequest,
): Promise<Page<DeliverySummary>> {
  if (!(await WebhookModel.exists({ _id: webhookId, projectId }))) throw notFound('Webhook');
  return newestFirst(DeliveryModel, { projectId, webhookId, ...(status && { status }) }, request, { body: 0 });
}

/** A page of the deliveries that tell of a contact, newest first, with what was sent. */
export const deliveriesTellingOf = ({ projectId }: Context, contactId: string, request: PageRequest): Promise<Page<Delivery>> =>
  newestFirst(DeliveryModel, { projectId, contactId }, request);

/**
 * Tells an endpoint of the same event again, in the same bytes: a new delivery. Throws `not_found`, and `invalid_state` where the endpoint is off or the body
 * was erased.
 */
export async function replayDelivery(ctx: Context, webhookId: string, deliveryId: string): Promise<DeliverySummary> {
  const { core, projectId } = ctx;
  const now = await databaseNow();
  const replay = await inTransaction(async (session) => {
    const webhook = await held(session, ctx, webhookId);
    const original = await DeliveryModel.findOne({ _id: deliveryId, webhookId, projectId }, null, { session }).lean<Delivery>();
    if (!original) throw notFound('Delivery');
    if (!webhook.enabled) throw invalidState('This endpoint is switched off');
    const { eventId, eventName, contactId, body } = original;
    if (body === null) throw invalidState('What was delivered is erased: its contact was deleted');
    const row = newDelivery({ _id: newId('whd'), projectId, webhookId, eventId, eventName, contactId, body, replayOf: deliveryId }, now);
    await DeliveryModel.collection.insertOne(row as never, { session });
    await WebhookModel.collection.updateOne({ _id: webhookId as never, projectId }, arrival(now), { session });
    return row;
  });
  wakeWebhooks(core, webhookShardOf(webhookId));
  return replay;
}
