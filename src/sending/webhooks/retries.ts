import type { Core } from '../../platform/core';
import type { SignalIntent, StartIntent } from '../../contracts/processes';
import { wakeSignal, webhookRetryId, webhookShardOf } from '../../contracts/webhook';
import type { RetriesWaiting, RetryLookInput, RetryOutlook } from '../../contracts/webhook';
import { databaseNow } from '../../platform/mongo';
import { deliveriesAtOnce } from '../../rules/webhook-retry';
import { wakeWebhooksNow } from '../../platform/wake-ups';
import { DeliveryModel } from './delivery-model';
import { WebhookModel } from './model';
import type { Webhook } from './model';
import { arrival, firstPending } from './queue';

type Key = Pick<Webhook, '_id' | 'projectId'>;

/** A workflow that has not looked for so long after its time is taken for lost. */
const GRACE_MS = 30_000;
/** A pump that was woken stays longer than that, and makes what becomes due meanwhile by itself. */
const PUMP_STAYS_MS = 5_000;
/** An endpoint that gets one delivery at a time is the pump's until its backlog is gone. */
const PROBED_MS = 30_000;
/** Deliveries that are counted, at most. */
const COUNTED = 10_000;
const SWEPT = 500;
const SWEPT_AGAIN_MS = 60_000;
const LOOKS = 5;

const webhooks = () => WebhookModel.collection;

const watchIntent = ({ _id: webhookId, projectId }: Key): StartIntent => ({
  kind: 'start',
  workflow: 'webhookRetry',
  workflowId: webhookRetryId(webhookId),
  input: { webhookId, projectId },
  summary: `Deliveries to webhook endpoint ${webhookId} that wait for another attempt`,
  attributes: { projectId, webhookId },
  again: true,
  signal: wakeSignal.name,
  queue: 'pumps',
});

/** Has the workflow of an endpoint that is off, or gone, look once more, and end. */
export const endOfRetries = (webhookId: string): SignalIntent => ({
  kind: 'signal',
  workflowId: webhookRetryId(webhookId),
  signal: wakeSignal.name,
  id: 'end',
  repeatable: true,
});

/** The note in the endpoint by which the workflow that makes its retries is wanted; it is started with `watchRetries`. */
export const wantedBy = (retryAt: Date): Date => new Date(retryAt.getTime() + GRACE_MS);

/** Starts the endpoint's workflow, or has it look again where it runs. Never throws: the sweep finds the note that the endpoint has. */
export async function watchRetries(core: Pick<Core, 'processes' | 'log'>, key: Key): Promise<void> {
  try {
    await core.processes.start(watchIntent(key));
  } catch (error) {
    core.log.warn({ err: error, webhookId: key._id }, 'The workflow of an endpoint that failed was not started; the sweep will');
  }
}

/** Notes that deliveries wait that no workflow knows of: those of an earlier release, or of an endpoint that was switched on again. */
export async function adoptRetries(core: Pick<Core, 'processes' | 'log'>, { _id, projectId }: Key, retryAt: Date): Promise<void> {
  const filter = { _id: _id as never, projectId, enabled: true, retryCheckAt: { $exists: false } };
  const { modifiedCount } = await webhooks().updateOne(filter, { $set: { retryCheckAt: wantedBy(retryAt) } });
  if (modifiedCount === 1) await watchRetries(core, { _id, projectId });
}

/**
 * Looks at what waits for another attempt at an endpoint, and has its pump make what is due. Resolves to null when nothing waits, or the endpoint is off or
 * gone: then its workflow ends.
 *
 * | killed here                                  | found                          | happens                                                 |
 * |----------------------------------------------|--------------------------------|---------------------------------------------------------|
 * | delivery recorded, its endpoint not          | `dueAt`: a lease's end         | the pump looks then and notes that deliveries wait      |
 * | endpoint noted, workflow not started         | `retryCheckAt` passes          | the sweep starts it; the pump is woken for what is overdue |
 * | workflow gone                                | the same                       | the same                                                |
 * | looked, pump not woken                       | the activity is tried again    | it is woken then                                        |
 * | found nothing, workflow not ended            | no `retryCheckAt`              | it looks again, and ends                                |
 */
export async function lookAtRetries(core: Core, { webhookId, projectId, now }: RetryLookInput): Promise<RetryOutlook | null> {
  // Behind by what it took to start the activity, which is nothing; ahead only when time was skipped.
  const at = new Date((await databaseNow()).getTime() + Math.max(0, now - Date.now()));
  for (let tries = 0; tries < LOOKS; tries++) {
    const webhook = await webhooks().findOne<Webhook>({ _id: webhookId as never, projectId });
    if (!webhook) return null;
    const outlook = await lookOnce(core, webhook, at);
    if (outlook !== 'changed') return outlook;
  }
  throw new Error(`Deliveries to ${webhookId} come and go too fast to be looked at`);
}

async function lookOnce(core: Core, webhook: Webhook, at: Date): Promise<RetryOutlook | null | 'changed'> {
  const waiting = webhook.enabled ? await waitingOf(webhook, at) : null;
  if (!waiting) return (await noteCheck(webhook, null)) ? null : 'changed';
  const [first] = await firstPending(webhook._id, 1);
  const dueAt = later(first?.dueAt ?? at, webhook.pausedUntil);
  if (!(await noteCheck(webhook, wantedBy(dueAt > at ? dueAt : at)))) return 'changed';
  if (dueAt > at) return { waiting, waitMs: dueAt.getTime() - at.getTime() };
  await haveMade(core, webhook, dueAt);
  return { waiting, waitMs: deliveriesAtOnce(webhook.failures) === 1 ? PROBED_MS : PUMP_STAYS_MS };
}

/** Wakes the pump of the endpoint, which sees it by its `dueAt`: that is later than its deliveries' after some crashes. */
async function haveMade(core: Core, { _id, projectId, dueAt }: Webhook, at: Date): Promise<void> {
  if (!dueAt || dueAt > at) await webhooks().updateOne({ _id: _id as never, projectId, enabled: true }, arrival(at));
  await wakeWebhooksNow(core, webhookShardOf(_id));
}

const later = (one: Date, other: Date | undefined): Date => (other && other > one ? other : one);

async function waitingOf({ _id: webhookId, lastError, pausedUntil }: Webhook, at: Date): Promise<RetriesWaiting | null> {
  const [found] = await DeliveryModel.collection
    .aggregate<{ count: number; since: Date; next: Date }>([
      { $match: { webhookId, dueAt: { $exists: true }, attempts: { $gt: 0 } } },
      { $limit: COUNTED + 1 },
      { $group: { _id: null, count: { $sum: 1 }, since: { $min: '$createdAt' }, next: { $min: '$nextAttemptAt' } } },
    ])
    .toArray();
  if (!found) return null;
  return {
    deliveries: Math.min(found.count, COUNTED),
    isMore: found.count > COUNTED,
    since: found.since.toISOString(),
    lastError: lastError ?? null,
    nextAttemptAt: found.next > at ? found.next.toISOString() : null,
    pausedUntil: pausedUntil && pausedUntil > at ? pausedUntil.toISOString() : null,
  };
}

/** Resolves to false when something failed, or the endpoint changed, since it was read. */
async function noteCheck({ _id, projectId, retryCheckAt }: Webhook, next: Date | null): Promise<boolean> {
  if (next === null && !retryCheckAt) return true;
  const filter = { _id: _id as never, projectId, retryCheckAt: retryCheckAt ?? { $exists: false } };
  const update = next === null ? { $unset: { retryCheckAt: '' as const } } : { $set: { retryCheckAt: next } };
  return (await webhooks().updateOne(next === null ? filter : { ...filter, enabled: true }, update)).matchedCount === 1;
}

/** Starts the workflows of endpoints that were lost, or never started. Resolves to how many. */
export async function restartLostRetries(core: Pick<Core, 'processes' | 'log'>): Promise<number> {
  const now = await databaseNow();
  const lost = await webhooks()
    .find<Webhook>({ retryCheckAt: { $lt: now } })
    .sort({ retryCheckAt: 1 })
    .limit(SWEPT)
    .toArray();
  for (const { _id, projectId, retryCheckAt } of lost) {
    // While no worker takes it, each start would be one more signal in its history.
    const filter = { _id: _id as never, projectId, retryCheckAt };
    await webhooks().updateOne(filter, { $set: { retryCheckAt: new Date(now.getTime() + SWEPT_AGAIN_MS) } });
    await watchRetries(core, { _id, projectId });
  }
  return lost.length;
}
