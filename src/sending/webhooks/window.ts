import { webhookShardOf } from '../../contracts/webhook';
import { invalid, invalidState, notFound, timePrefix } from '../../platform/core';
import type { Context, PageRequest } from '../../platform/core';
import { databaseNow, inTransaction, newestFirst } from '../../platform/mongo';
import type { Page } from '../../platform/mongo';
import { wakeWebhooks } from '../../platform/wake-ups';
import type { DeliverySummary } from './deliveries';
import { DeliveryModel, STATUS_INDEX } from './delivery-model';
import type { DeliveryStatus } from './delivery-model';
import { WebhookModel } from './model';
import { arrival, lockedWebhook } from './queue';

const deliveries = () => DeliveryModel.collection;

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

export interface ReplayWindow extends Window {
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
