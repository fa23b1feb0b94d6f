import type { ClientSession } from 'mongoose';
import type { Context, Core } from '../../platform/core';
import { WEBHOOK_SHARDS, webhookPumpId } from '../../contracts/webhook';
import { newId, notFound } from '../../platform/core';
import { inTransaction, insertRows } from '../../platform/mongo';
import { DeliveryModel } from './delivery-model';
import type { Delivery, Tried } from './delivery-model';
import { WebhookModel } from './model';
import type { Webhook } from './model';
import { wakeForgotten } from '../../platform/pumps';

const webhooks = () => WebhookModel.collection;
const deliveries = () => DeliveryModel.collection;

const isDue = { $exists: true } as const;

/** A delivery that has no number yet. */
export type Unnumbered = Omit<Delivery, 'sequence'>;

/** Returns an unclaimed delivery that is due at once. */
export const newDelivery = (
  given: Pick<Delivery, '_id' | 'projectId' | 'webhookId' | 'eventId' | 'eventName' | 'contactId' | 'body' | 'replayOf'>,
  now: Date,
): Unnumbered => ({
  ...given,
  status: 'pending',
  attempts: 0,
  responseStatus: null,
  responseBody: null,
  error: null,
  latencyMs: null,
  nextAttemptAt: now,
  dueAt: now,
  createdAt: now,
  completedAt: null,
});

/** Returns the update by which a pump checks an endpoint again: what it read before is out of date. */
export const arrival = (at: Date) => ({ $min: { dueAt: at }, $inc: { arrivals: 1 } });

/**
 * Locks and reads an endpoint: written before it is read, so that the transaction waits for concurrent arrivals instead of being repeated because of them.
 * Throws `not_found`.
 */
export async function lockedWebhook(
  session: ClientSession,
  { projectId }: Pick<Context, 'projectId'>,
  webhookId: string,
): Promise<Webhook> {
  const filter = { _id: webhookId, projectId };
  const webhook = await webhooks().findOneAndUpdate(filter, { $inc: { arrivals: 1 } }, { session, returnDocument: 'after' });
  if (!webhook) throw notFound('Webhook');
  return webhook as unknown as Webhook;
}

/**
 * Stores deliveries that are not there yet under the next numbers of their endpoints, and marks those that are enabled as due: in one transaction, so that each number
 * belongs to a delivery, and those before it are stored. An endpoint that is gone gets none.
 */
export const enqueue = (rows: readonly Unnumbered[], now: Date): Promise<void> =>
  inTransaction(async (session) => {
    const fresh = await unknownOf(rows);
    const counts = new Map(rows.map(({ webhookId }) => [webhookId, 0]));
    for (const { webhookId } of fresh) counts.set(webhookId, (counts.get(webhookId) ?? 0) + 1);
    const _id = { $in: [...counts.keys()] };
    const writes = [...counts].map(([webhookId, count]) => ({
      updateOne: { filter: { _id: webhookId }, update: { $inc: { sequence: count, arrivals: 1 } } },
    }));
    const due = { updateMany: { filter: { _id, enabled: true }, update: { $min: { dueAt: now } } } };
    await webhooks().bulkWrite([...writes, due], { session });
    const found = await webhooks()
      .find<Pick<Webhook, '_id' | 'sequence'>>({ _id }, { session, projection: { sequence: 1 } })
      .toArray();
    const last = new Map(found.map(({ _id: webhookId, sequence = 0 }) => [webhookId, sequence - (counts.get(webhookId) ?? 0)]));
    await insertRows(
      DeliveryModel,
      fresh.flatMap((row) => numbered(row, last)),
      session,
    );
  });

/** Finds the deliveries that are not stored; reads again each time that the transaction is repeated. */
async function unknownOf(rows: readonly Unnumbered[]): Promise<readonly Unnumbered[]> {
  const byId = new Map(rows.map((row) => [row._id, row]));
  const among = { webhookId: { $in: [...new Set(rows.map(({ webhookId }) => webhookId))] }, _id: { $in: [...byId.keys()] } };
  const known = await deliveries()
    .find(among, { projection: { _id: 1 }, hint: '_id_' })
    .toArray();
  for (const { _id } of known) byId.delete(String(_id));
  return [...byId.values()];
}

/** Gives a delivery the number after the last one of its endpoint; none where the endpoint is gone. */
function numbered(row: Unnumbered, last: Map<string, number>): readonly Delivery[] {
  const before = last.get(row.webhookId);
  if (before === undefined) return [];
  last.set(row.webhookId, before + 1);
  return [{ ...row, sequence: before + 1 }];
}

/** Finds the due endpoints of a shard, longest waiting first, without the ids in `without`. */
export async function dueWebhooks(shard: number, now: Date, without: readonly string[], limit: number): Promise<readonly string[]> {
  const rows = await webhooks()
    .find({ shard, dueAt: { $lte: now }, _id: { $nin: without } }, { projection: { _id: 1 } })
    .sort({ dueAt: 1, _id: 1 })
    .limit(limit)
    .toArray();
  return rows.map(({ _id }) => String(_id));
}

/** Reads an endpoint; null when it is gone or off. */
export const findEnabled = (webhookId: string): Promise<Webhook | null> => webhooks().findOne<Webhook>({ _id: webhookId, enabled: true });

/** A delivery that waits for its next attempt. */
export interface Pending {
  readonly _id: string;
  readonly dueAt: Date;
  readonly attempts: number;
}

/** Finds the first of an endpoint's pending deliveries, soonest first. */
export const firstPending = (webhookId: string, limit: number): Promise<Pending[]> =>
  deliveries()
    .find<Pending>({ webhookId, dueAt: isDue }, { projection: { dueAt: 1, attempts: 1 } })
    .sort({ dueAt: 1, _id: 1 })
    .limit(limit)
    .toArray();

/** A claimed delivery: no other run claims it until its lease is over. */
export type Taken = Delivery & { readonly claim: string; readonly body: string };

/** Claims deliveries that are still due. Resolves to the claimed ones: of two runs that try, one gets it. */
export async function take(webhookId: string, ids: readonly string[], now: Date, leaseUntil: Date): Promise<readonly Taken[]> {
  if (ids.length === 0) return [];
  const claim = newId('clm');
  const among = { _id: { $in: ids }, webhookId };
  await deliveries().updateMany({ ...among, dueAt: { $lte: now } }, { $set: { claim, dueAt: leaseUntil } }, { hint: '_id_' });
  return deliveries()
    .find<Taken>({ ...among, claim }, { hint: '_id_' })
    .toArray();
}

/** The outcome of an attempt. */
export interface Result extends Pick<Delivery, 'responseStatus' | 'responseBody' | 'error'> {
  readonly latencyMs: number;
  readonly status: Delivery['status'];
  /** When the delivery is tried again; null when it is over. */
  readonly nextAttemptAt: Date | null;
}

/** Records the outcome of an attempt. Resolves to false when its lease was over and another run has claimed it, or it is gone. */
export async function recordAttempt({ _id, webhookId, claim, attempts }: Taken, result: Result, at: Date): Promise<boolean> {
  const { nextAttemptAt, responseBody, ...plain } = result;
  const { responseStatus, error, latencyMs } = plain;
  const tried: Tried = { at, responseStatus, error, latencyMs };
  const over = nextAttemptAt === null;
  // Literal: a server's answer may look like an expression.
  const set = { ...plain, attempts: attempts + 1, nextAttemptAt, completedAt: over ? at : null, ...(!over && { dueAt: nextAttemptAt }) };
  const literal = Object.fromEntries(Object.entries(set).map(([name, value]) => [name, { $literal: value }]));
  const isErased = over ? { $ifNull: ['$forgotten', false] } : false;
  const { matchedCount } = await deliveries().updateOne(
    { _id: _id, webhookId, claim, status: 'pending' },
    [
      {
        $set: {
          ...literal,
          tried: { $concatArrays: [{ $ifNull: ['$tried', []] }, [{ $literal: tried }]] },
          body: { $cond: [isErased, null, '$body'] },
          responseBody: { $cond: [isErased, null, { $literal: responseBody }] },
          contactId: { $cond: [isErased, '$$REMOVE', '$contactId'] },
        },
      },
      { $unset: ['claim', ...(over ? ['dueAt', 'forgotten'] : [])] },
    ],
    { hint: '_id_' },
  );
  return matchedCount === 1;
}

/** Notes on the delivery that a replay repeats, and on those before it, that it succeeded. */
export async function noteReached({ webhookId, replayOf }: Pick<Delivery, 'webhookId' | 'replayOf'>): Promise<void> {
  for (let _id = replayOf; _id !== null;) {
    const row = await deliveries().findOneAndUpdate({ _id, webhookId }, { $set: { reached: true } }, { hint: { _id: 1 } });
    _id = (row as unknown as Pick<Delivery, 'replayOf'> | null)?.replayOf ?? null;
  }
}

/** Sets when an endpoint is next due, unless deliveries came since it was read: then resolves to false. */
export async function setNextDue({ _id, arrivals, dueAt }: Webhook, next: Date | null, pausedUntil?: Date): Promise<boolean> {
  if (next === null ? dueAt === undefined : dueAt?.getTime() === next.getTime()) return true;
  const filter = { _id: _id, arrivals, enabled: true, dueAt: dueAt ?? { $exists: false } };
  const update = next === null ? { $unset: { dueAt: '' as const } } : { $set: { dueAt: next, ...(pausedUntil && { pausedUntil }) } };
  return (await webhooks().updateOne(filter, update)).matchedCount === 1;
}

/** Resolves to when the first endpoint of a shard is due; endpoints with retries have workflows of their own that keep the time. */
export async function nextDueAt(shard: number): Promise<Date | null> {
  const filter = { shard, dueAt: isDue, retryCheckAt: { $exists: false } };
  const first = await webhooks().findOne<Pick<Webhook, 'dueAt'>>(filter, { projection: { dueAt: 1 }, sort: { dueAt: 1 } });
  return first?.dueAt ?? null;
}

/** Finds the shards with endpoints that have waited since before `since`. */
async function overdueWebhookShards(since: Date): Promise<readonly number[]> {
  const heads = await Promise.all(
    Array.from({ length: WEBHOOK_SHARDS }, (_, shard) =>
      webhooks().findOne({ shard, dueAt: { $lt: since } }, { projection: { _id: 1 }, sort: { dueAt: 1 } }),
    ),
  );
  return heads.flatMap((head, shard) => (head ? [shard] : []));
}

/** Wakes the pumps of shards with overdue deliveries that no pump watches. Resolves to how many. */
export const wakeOverdueWebhooks = ({ processes }: Pick<Core, 'processes'>): Promise<number> =>
  wakeForgotten(webhookPumpId, overdueWebhookShards, (shard) => processes.wakeWebhooks(shard));
