import type { ClientSession } from 'mongoose';
import { invalidState, newId, notFound, invalid, timePrefix } from '../../platform/core';
import type { Context, PageRequest } from '../../platform/core';
import { webhookShardOf } from '../../contracts/webhook';
import { databaseNow, inTransaction, newestFirst, containing, removePage } from '../../platform/mongo';
import type { Page } from '../../platform/mongo';
import { wakeWebhooks } from '../../platform/wake-ups';
import { bodyOf } from './body';
import { DeliveryModel, STATUS_INDEX, KEPT_DAYS } from './delivery-model';
import type { Delivery, DeliveryStatus } from './delivery-model';
import { WebhookModel } from './model';
import type { Webhook } from './model';
import { arrival, lockedWebhook, newDelivery } from './queue';
import { resendBodyOf } from './resend-body';

const deliveries = () => DeliveryModel.collection;

/** A delivery without its body and its single attempts. */
export type DeliverySummary = Omit<Delivery, 'body' | 'tried'>;

/** Lists a page of an endpoint's deliveries, newest first. Throws `not_found`. */
export async function listDeliveries(
  { projectId }: Context,
  webhookId: string,
  status: DeliveryStatus | undefined,
  request: PageRequest,
): Promise<Page<DeliverySummary>> {
  if (!(await WebhookModel.exists({ _id: webhookId, projectId }))) throw notFound('Webhook');
  return newestFirst(DeliveryModel, { projectId, webhookId, ...(status && { status }) }, request, { body: 0, tried: 0 });
}

/** Throws `not_found`. */
export async function getDelivery({ projectId }: Context, webhookId: string, deliveryId: string): Promise<Delivery> {
  const delivery = await DeliveryModel.findOne({ _id: deliveryId, webhookId, projectId }).lean<Delivery>();
  if (!delivery) throw notFound('Delivery');
  return delivery;
}

/** Lists a page of the deliveries with data of a contact, newest first, with their bodies. */
export const deliveriesTellingOf = ({ projectId }: Context, contactId: string, request: PageRequest): Promise<Page<Delivery>> =>
  newestFirst(DeliveryModel, { projectId, contactId }, request);

type Sent = Pick<Delivery, 'eventId' | 'eventName' | 'contactId' | 'body' | 'replayOf'> & {
  /** Null for an event that has no number yet. */
  readonly sequence: number | null;
};

/** Stores a new delivery to an enabled endpoint, and wakes its pump. */
async function deliverAnew(
  ctx: Context,
  webhookId: string,
  sentOf: (now: Date, session: ClientSession, webhook: Webhook) => Promise<Sent> | Sent,
): Promise<DeliverySummary> {
  const { core, projectId } = ctx;
  const now = await databaseNow();
  const delivery = await inTransaction(async (session) => {
    const webhook = await lockedWebhook(session, ctx, webhookId);
    const sent = await sentOf(now, session, webhook);
    if (!webhook.enabled) throw invalidState('This endpoint is disabled');
    const sequence = sent.sequence ?? (webhook.sequence ?? 0) + 1;
    const row = { ...newDelivery({ _id: newId('whd'), projectId, webhookId, ...sent }, now), sequence };
    await DeliveryModel.collection.insertOne(row, { session });
    const update = sent.sequence === null ? { ...arrival(now), $set: { sequence } } : arrival(now);
    await WebhookModel.collection.updateOne({ _id: webhookId, projectId }, update, { session });
    return row;
  });
  wakeWebhooks(core, webhookShardOf(webhookId));
  return delivery;
}

/**
 * Delivers an event to an endpoint again, in the same bytes, as a new delivery. Throws `not_found`, and `invalid_state` where the endpoint is off or the
 * body was erased.
 */
export const replayDelivery = (ctx: Context, webhookId: string, deliveryId: string): Promise<DeliverySummary> =>
  deliverAnew(ctx, webhookId, async (_now, session) => {
    const { projectId } = ctx;
    const original = await DeliveryModel.findOne({ _id: deliveryId, webhookId, projectId }, null, { session }).lean<Delivery>();
    if (!original) throw notFound('Delivery');
    const { eventId, eventName, contactId, body, sequence } = original;
    if (body === null) throw invalidState('This delivery was erased, because its contact was deleted');
    return { eventId, eventName, contactId, body, sequence, replayOf: deliveryId };
  });

const TEST_EVENT = 'webhook.test';

/**
 * Delivers a test event, even when the endpoint does not listen to it: signed, retried and listed as any other. No event is stored, since nothing happened.
 * Throws `not_found`, and `invalid_state` where the endpoint is off.
 */
export const deliverTestEvent = (ctx: Context, webhookId: string): Promise<DeliverySummary> =>
  deliverAnew(ctx, webhookId, (createdAt, _session, { format }) => {
    const { projectId } = ctx;
    const eventId = newId('evt');
    const event = { _id: eventId, projectId, name: TEST_EVENT, createdAt, testMode: true, data: { webhookId } };
    const payload = { event, email: null, contact: null };
    const body = format === 'resend' ? resendBodyOf(payload) : bodyOf(payload);
    return { eventId, eventName: TEST_EVENT, body, sequence: null, replayOf: null };
  });

/** A span of receipts of events. */
interface Window {
  /** Inclusive. */
  readonly from?: Date | undefined;
  /** Exclusive. */
  readonly to?: Date | undefined;
}

/** A delivery is made after its event was received, by clocks that differ a little. */
const CLOCKS_MS = 60_000;

/** Matches an endpoint's deliveries of events that were received in a window: their ids begin with that instant. Replays belong to the deliveries that they repeat. */
const inWindow = (webhook: { readonly projectId: string; readonly webhookId: string }, { from, to }: Window) => ({
  ...webhook,
  replayOf: null,
  ...(from && { createdAt: { $gte: new Date(from.getTime() - CLOCKS_MS) } }),
  ...((from || to) && {
    _id: { ...(from && { $gte: timePrefix('whd', from.getTime()) }), ...(to && { $lt: timePrefix('whd', to.getTime()) }) },
  }),
});

const UNREACHED = { reached: { $ne: true } } as const;

/** Lists a page of the deliveries of a window that wait or failed, newest first, without those whose replay succeeded. Throws `not_found`. */
export async function listGaps(
  { projectId }: Context,
  webhookId: string,
  window: Window,
  request: PageRequest,
): Promise<Page<DeliverySummary>> {
  if (!(await WebhookModel.exists({ _id: webhookId, projectId }))) throw notFound('Webhook');
  const open: DeliveryStatus[] = ['pending', 'failed'];
  const filter = { ...inWindow({ projectId, webhookId }, window), status: { $in: open }, ...UNREACHED };
  return newestFirst(DeliveryModel, filter, request, { body: 0 }, STATUS_INDEX);
}

/** The most that one request queues again. */
const MOST = 10_000;
const PAGE = 1_000;

const ENDED = {
  failed: { status: 'failed', ...UNREACHED },
  succeeded: { status: 'succeeded' },
  all: { status: { $in: ['failed', 'succeeded'] } },
} as const;

interface ReplayWindow extends Window {
  readonly status: keyof typeof ENDED;
}

/**
 * Queues the ended deliveries of a window again, from their first attempt, in the same bytes. What waits already, or was erased, stays as it is: repeated while the
 * first request's deliveries wait, it adds none. Resolves to how many. Throws `not_found`, `invalid_state` where the endpoint is off, and 422 `too_big`.
 *
 * | killed                | found                                | happens                                    |
 * |-----------------------|--------------------------------------|--------------------------------------------|
 * | between two pages     | the first ones pending, the rest not | the pump delivers those; a repeat the rest |
 * | after a page, no wake | `dueAt` of the endpoint has passed   | the sweep wakes the shard's pump           |
 */
export async function replayWindow(ctx: Context, webhookId: string, { status, ...window }: ReplayWindow): Promise<number> {
  const { core, projectId } = ctx;
  const wanted = { ...inWindow({ projectId, webhookId }, window), ...ENDED[status], body: { $type: 'string' } };
  const found = await deliveries()
    .find(wanted, { projection: { _id: 1 }, limit: MOST + 1, hint: STATUS_INDEX })
    .toArray();
  if (found.length > MOST) throw invalid('to', 'too_big', `More than ${MOST} deliveries are in this window. Use shorter windows`);
  const ids = found.map(({ _id }) => String(_id));
  let replayed = 0;
  for (let from = 0; from === 0 || from < ids.length; from += PAGE) {
    const page = ids.slice(from, from + PAGE);
    replayed += await inTransaction(async (session) => {
      const webhook = await lockedWebhook(session, ctx, webhookId);
      if (!webhook.enabled) throw invalidState('This endpoint is disabled');
      const now = await databaseNow();
      const again = { ...ENDED[status], _id: { $in: page }, projectId, webhookId, body: { $type: 'string' } };
      const { modifiedCount } = await deliveries().updateMany(again, queuedAgain(now), { session, hint: '_id_' });
      if (modifiedCount > 0) await WebhookModel.collection.updateOne({ _id: webhookId, projectId }, arrival(now), { session });
      return modifiedCount;
    });
  }
  if (replayed > 0) wakeWebhooks(core, webhookShardOf(webhookId));
  return replayed;
}

const queuedAgain = (now: Date) => ({
  $set: { status: 'pending', attempts: 0, nextAttemptAt: now, dueAt: now, completedAt: null } as const,
  $unset: { reached: '', tried: '' } as const,
});

const rows = () => DeliveryModel.collection;

const ERASED = 'Given up: the person was erased';
const BARE = { $set: { body: null, responseBody: null }, $unset: { contactId: '', forgotten: '' } } as const;

/**
 * Erases data of deleted contacts from deliveries made up to `before`: ended ones at once, pending ones when they end, since every attempt has to send the
 * same bytes. Resolves to how many it changed.
 */
export async function forgetInDeliveries(projectId: string, contactIds: readonly string[], before: Date): Promise<number> {
  const theirs = { projectId, contactId: { $in: [...contactIds] }, createdAt: { $lte: before } };
  const later = () => rows().updateMany({ ...theirs, status: 'pending', forgotten: { $ne: true } }, { $set: { forgotten: true } });
  const first = await later();
  const now = await rows().updateMany({ ...theirs, status: { $ne: 'pending' } }, BARE);
  // Those that were queued again in between.
  const again = await later();
  return first.modifiedCount + now.modifiedCount + again.modifiedCount;
}

/**
 * Erases the same for good: what is still pending ends as failed. `naming`: only deliveries that name this address, of contacts that are not deleted. Resolves to
 * how many it changed.
 */
export async function endDeliveries(projectId: string, contactIds: readonly string[], before: Date, naming?: string): Promise<number> {
  const named = naming === undefined ? {} : { body: containing(naming) };
  const theirs = { projectId, contactId: { $in: [...contactIds] }, createdAt: { $lte: before }, ...named };
  const ended = await rows().updateMany({ ...theirs, status: { $ne: 'pending' } }, BARE);
  const given = await rows().updateMany(
    { ...theirs, status: 'pending' },
    {
      $set: { ...BARE.$set, status: 'failed', error: ERASED, nextAttemptAt: null, completedAt: new Date() },
      $unset: { ...BARE.$unset, dueAt: '', claim: '' },
    },
  );
  return ended.modifiedCount + given.modifiedCount;
}

const DAY_MS = 86_400_000;

/** Deletes a page of a project's deliveries that were made before an instant and have ended. What is older than 30 days is left to a TTL index. */
export async function removeOldDeliveries(projectId: string, before: Date, limit: number): Promise<number> {
  if (before.getTime() < Date.now() - KEPT_DAYS * DAY_MS) return 0;
  const webhookIds = await DeliveryModel.distinct('webhookId', { projectId });
  return removePage(
    DeliveryModel,
    { projectId, webhookId: { $in: webhookIds }, createdAt: { $lt: before }, dueAt: { $exists: false } },
    limit,
  );
}
