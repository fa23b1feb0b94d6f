import type { ClientSession } from 'mongoose';
import type { Document, UpdateFilter } from 'mongodb';
import type { Context, Core, PageRequest, Rows } from '../../platform/core';
import { webhookShardOf, webhookRemovalId } from '../../contracts/webhook';
import { invalid, limitOf, newId, notFound } from '../../platform/core';
import { listenTo, requireRoom, withReferenceLock } from '../../records/events';
import { urlFaultNow } from '../../platform/http-client';
import { databaseNow, newest, rowsOf, removePage } from '../../platform/mongo';
import { wantNow } from '../../platform/outbox';
import { wakeWebhooks } from '../../platform/wake-ups';
import { hear } from './event-deliveries';
import { WebhookModel } from './model';
import type { Webhook, WebhookFormat } from './model';
import { arrival, lockedWebhook } from './queue';
import { endOfRetries } from './retries';
import { makeSecret, retired, sealed } from './secrets';
import type { StartIntent } from '../../contracts/processes';
import type { WebhookKey } from '../../contracts/webhook';
import { DeliveryModel } from './delivery-model';

export type { Webhook } from './model';

export interface NewWebhook {
  readonly url: string;
  readonly events: readonly string[];
  readonly description?: string | null | undefined;
  readonly tag?: string | null | undefined;
  /** Never changes: what waits is written in it already. */
  readonly format?: WebhookFormat | undefined;
  readonly enabled: boolean;
}

type WebhookPatch = { readonly [K in keyof Omit<NewWebhook, 'format'>]?: NewWebhook[K] | undefined } & {
  readonly rotateSecret?: true | undefined;
};

/** An endpoint, with its secret when that was just made. */
export interface Shown {
  readonly webhook: Webhook;
  readonly secret: string | null;
}

/** Lists a project's endpoints, newest first. */
export const listWebhooks = ({ projectId }: Context, page: PageRequest): Rows<Webhook> =>
  rowsOf(WebhookModel, newest<Webhook>({ projectId }, page));

/** Registers an endpoint: from the answer on, events of these names are delivered to it. Throws 422 `blocked_url`, and `limit_exceeded`. */
export async function createWebhook(
  ctx: Context,
  { url, events, description, tag, format, enabled }: NewWebhook,
): Promise<Shown & { readonly secret: string }> {
  await refuseBlocked(ctx, url);
  const { projectId, core } = ctx;
  const now = await databaseNow();
  const _id = newId('whk');
  const secret = makeSecret();
  const webhook: Webhook = {
    _id,
    projectId,
    url,
    events,
    enabled,
    retiring: [],
    shard: webhookShardOf(_id),
    description: description ?? null,
    tag: tag ?? null,
    ...(format && { format }),
    disabledReason: null,
    secret: sealed(core, { _id, projectId }, secret),
    failures: 0,
    arrivals: 0,
    createdAt: now,
    updatedAt: now,
  };
  await withReferenceLock(projectId, async (session) => {
    await requireRoom(session, projectId, { what: 'webhooks', most: limitOf(core.config, ctx.project, 'webhooks'), of: WebhookModel });
    await WebhookModel.collection.insertOne({ ...webhook, ...(await hear(session, null, webhook)) }, { session });
  });
  return { webhook, secret };
}

async function refuseBlocked({ core: { config, dns } }: Context, url: string): Promise<void> {
  const fault = await urlFaultNow(dns, new URL(url), config);
  if (fault !== null) throw invalid('url', 'blocked_url', fault);
}

/**
 * Changes the given fields and keeps the rest. Switching an endpoint on resets its failures and delivers what is pending; after switching it off, nothing
 * more is begun. Throws `not_found`, and 422 `blocked_url`.
 */
export async function patchWebhook(ctx: Context, id: string, patch: WebhookPatch): Promise<Shown> {
  if (patch.url !== undefined) await refuseBlocked(ctx, patch.url);
  const { core } = ctx;
  const now = await databaseNow();
  const secret = patch.rotateSecret ? makeSecret() : null;
  const webhook = await withReferenceLock(ctx.projectId, async (session) => {
    const current = await lockedWebhook(session, ctx, id);
    const { rotateSecret, ...given } = patch;
    const plain = Object.entries(given).filter(([, value]) => value !== undefined);
    if (plain.length === 0 && !rotateSecret) return current;
    const rotated = secret === null ? {} : { secret: sealed(core, current, secret), retiring: retired(current, now) };
    return write(session, core, current, { ...Object.fromEntries(plain), ...rotated, updatedAt: now }, now);
  });
  if (webhook.dueAt) wakeWebhooks(core, webhook.shard);
  return { webhook, secret };
}

async function write(session: ClientSession, core: Core, current: Webhook, set: Partial<Webhook>, now: Date): Promise<Webhook> {
  const heard = await hear(session, current, { ...current, ...set });
  const changed = await WebhookModel.collection.findOneAndUpdate(
    { _id: current._id, projectId: current.projectId },
    changeOf(current, { ...set, ...heard }, now),
    { session, returnDocument: 'after' },
  );
  const webhook = changed as unknown as Webhook;
  if (current.enabled && !webhook.enabled) await wantNow(session, core, [endOfRetries(webhook._id)]);
  return webhook;
}

/** Returns the update. Resets failures when the URL changes or the endpoint is switched on again. */
function changeOf(current: Webhook, set: Partial<Webhook>, now: Date): UpdateFilter<Document> {
  const next = { ...current, ...set };
  const afresh = { $set: { ...set, failures: 0 } };
  if (!next.enabled) return { $set: set, $unset: { dueAt: '', retryCheckAt: '' } };
  if (!current.enabled)
    return { ...afresh, ...arrival(now), $set: { ...afresh.$set, disabledReason: null }, $unset: { failingSince: '', pausedUntil: '' } };
  return next.url === current.url ? { $set: set } : { ...afresh, ...arrival(now), $unset: { failingSince: '', pausedUntil: '' } };
}

/** Removes an endpoint with all its deliveries, pending ones included. Throws `not_found`. */
export async function deleteWebhook({ core, projectId }: Context, id: string): Promise<void> {
  await withReferenceLock(projectId, async (session) => {
    const { deletedCount } = await WebhookModel.deleteOne({ _id: id, projectId }, { session });
    if (deletedCount === 0) throw notFound('Webhook');
    await listenTo(session, projectId, `webhook/${id}`, []);
    await wantNow(session, core, [removalIntent({ webhookId: id, projectId }), endOfRetries(id)]);
  });
}

const PAGE = 2_000;

/** Returns the start of the workflow that removes an endpoint with its deliveries. */
export const removalIntent = (key: WebhookKey): StartIntent => ({
  kind: 'start',
  workflow: 'webhookRemoval',
  workflowId: webhookRemovalId(key.webhookId),
  input: key,
  summary: 'Removes the deliveries of a deleted webhook endpoint',
  attributes: key,
  lasts: true,
});

const isThere = async ({ webhookId, projectId }: WebhookKey): Promise<boolean> =>
  (await WebhookModel.exists({ _id: webhookId, projectId })) !== null;

/** Resolves to whether nothing is left of a deleted endpoint; one that exists again after a restore of the database keeps its deliveries. */
export const isWebhookRemoved = async (key: WebhookKey): Promise<boolean> =>
  (await isThere(key)) || (await DeliveryModel.exists({ projectId: key.projectId, webhookId: key.webhookId })) === null;

/** Removes all deliveries of an endpoint that is deleted, page by page, unless it exists again. Throws when aborted. */
export async function removeDeliveriesOf({ webhookId, projectId }: WebhookKey, signal: AbortSignal): Promise<void> {
  if (await isThere({ webhookId, projectId })) return;
  while ((await removePage(DeliveryModel, { projectId, webhookId }, PAGE)) === PAGE) signal.throwIfAborted();
}
