import type { Core } from '../../platform/core';
import type { SignalIntent, StartIntent } from '../../contracts/processes';
import { wakeSignal, webhookRetryId, webhookShardOf, WEBHOOK_SHARDS } from '../../contracts/webhook';
import type { RetriesWaiting, RetryCheckInput, RetryOutlook } from '../../contracts/webhook';
import { databaseNow } from '../../platform/mongo';
import { deliveriesAtOnce } from '../../rules/webhook-retry';
import { wakeWebhooksNow } from '../../platform/wake-ups';
import { DeliveryModel } from './delivery-model';
import { WebhookModel } from './model';
import type { Webhook } from './model';
import { arrival, firstPending } from './queue';

type Key = Pick<Webhook, '_id' | 'projectId'>;

/** A workflow that checks later than this counts as lost. */
const GRACE_MS = 30_000;
/** Shorter than a woken pump stays: it makes deliveries that become due meanwhile itself. */
const PUMP_STAYS_MS = 5_000;
/** Interval for checking an endpoint that gets one delivery at a time: the pump works on it until its backlog is gone. */
const PROBED_MS = 30_000;
/** Deliveries that are counted at most. */
const COUNTED = 10_000;
const SWEPT = 500;
const SWEPT_AGAIN_MS = 60_000;
const TRIES = 5;

const webhooks = () => WebhookModel.collection;

const watchIntent = ({ _id: webhookId, projectId }: Key): StartIntent => ({
  kind: 'start',
  workflow: 'webhookRetry',
  workflowId: webhookRetryId(webhookId),
  input: { webhookId, projectId },
  summary: `Deliveries to webhook endpoint ${webhookId} that wait for a retry`,
  attributes: { projectId, webhookId },
  again: true,
  signal: wakeSignal.name,
  queue: 'pumps',
});

/** Returns the signal that ends the workflow of an endpoint that is off or deleted. */
export const endOfRetries = (webhookId: string): SignalIntent => ({
  kind: 'signal',
  workflowId: webhookRetryId(webhookId),
  signal: wakeSignal.name,
  id: 'end',
  repeatable: true,
});

/** Computes the endpoint's `retryCheckAt`, by which the sweep notices a missing workflow; `watchRetries` starts that. */
export const wantedBy = (retryAt: Date): Date => new Date(retryAt.getTime() + GRACE_MS);

/** Starts the endpoint's workflow, or signals a running one to check again. Never throws: the sweep finds the endpoint's `retryCheckAt`. */
export async function watchRetries(core: Pick<Core, 'processes' | 'log'>, key: Key): Promise<void> {
  try {
    await core.processes.start(watchIntent(key));
  } catch (error) {
    core.log.warn({ err: error, webhookId: key._id }, 'The retry workflow of an endpoint was not started; the sweep starts it');
  }
}

/** Starts a workflow for waiting deliveries that have none: their endpoint was switched on again. */
export async function adoptRetries(core: Pick<Core, 'processes' | 'log'>, { _id, projectId }: Key, retryAt: Date): Promise<void> {
  const filter = { _id: _id, projectId, enabled: true, retryCheckAt: { $exists: false } };
  const { modifiedCount } = await webhooks().updateOne(filter, { $set: { retryCheckAt: wantedBy(retryAt) } });
  if (modifiedCount === 1) await watchRetries(core, { _id, projectId });
}

/**
 * Checks the deliveries of an endpoint that wait for another attempt, and wakes its pump for due ones. Resolves to null, which ends the workflow, when
 * none waits or the endpoint is off or gone.
 *
 * | killed here                                  | found                          | happens                                                 |
 * |----------------------------------------------|--------------------------------|---------------------------------------------------------|
 * | delivery recorded, its endpoint not          | `dueAt`: a lease's end         | the pump looks then and notes that deliveries wait      |
 * | endpoint noted, workflow not started         | `retryCheckAt` passes          | the sweep starts it; the pump is woken for what is overdue |
 * | workflow gone                                | the same                       | the same                                                |
 * | checked, pump not woken                       | the activity is tried again    | it is woken then                                        |
 * | found nothing, workflow not ended            | no `retryCheckAt`              | it checks again, and ends                                |
 */
export async function checkRetries(core: Core, { webhookId, projectId, now }: RetryCheckInput): Promise<RetryOutlook | null> {
  // Normally behind by the moment that the activity took to start; ahead only when tests skip time.
  const at = new Date((await databaseNow()).getTime() + Math.max(0, now - Date.now()));
  for (let tries = 0; tries < TRIES; tries++) {
    const webhook = await webhooks().findOne<Webhook>({ _id: webhookId, projectId });
    if (!webhook) return null;
    const outlook = await checkOnce(core, webhook, at);
    if (outlook !== 'changed') return outlook;
  }
  throw new Error(`Deliveries to ${webhookId} come and go too fast to be read`);
}

async function checkOnce(core: Core, webhook: Webhook, at: Date): Promise<RetryOutlook | null | 'changed'> {
  const waiting = webhook.enabled ? await waitingOf(webhook, at) : null;
  if (!waiting) return (await noteCheck(webhook, null)) ? null : 'changed';
  const [first] = await firstPending(webhook._id, 1);
  const dueAt = later(first?.dueAt ?? at, webhook.pausedUntil);
  if (!(await noteCheck(webhook, wantedBy(dueAt > at ? dueAt : at)))) return 'changed';
  if (dueAt > at) return { waiting, waitMs: dueAt.getTime() - at.getTime() };
  await haveMade(core, webhook, dueAt);
  return { waiting, waitMs: deliveriesAtOnce(webhook.failures) === 1 ? PROBED_MS : PUMP_STAYS_MS };
}

/** Wakes the endpoint's pump, and first corrects the endpoint's `dueAt`, by which the pump finds it: after some crashes it is later than its deliveries'. */
async function haveMade(core: Core, { _id, projectId, dueAt }: Webhook, at: Date): Promise<void> {
  if (!dueAt || dueAt > at) await webhooks().updateOne({ _id: _id, projectId, enabled: true }, arrival(at));
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

/** Stores when to check next. Resolves to false when a delivery failed, or the endpoint changed, since it was read. */
async function noteCheck({ _id, projectId, retryCheckAt }: Webhook, next: Date | null): Promise<boolean> {
  if (next === null && !retryCheckAt) return true;
  const filter = { _id: _id, projectId, retryCheckAt: retryCheckAt ?? { $exists: false } };
  const update = next === null ? { $unset: { retryCheckAt: '' as const } } : { $set: { retryCheckAt: next } };
  return (await webhooks().updateOne(next === null ? filter : { ...filter, enabled: true }, update)).matchedCount === 1;
}

/** Starts the workflows of endpoints whose workflows were lost or never started. Resolves to how many. */
export async function restartLostRetries(core: Pick<Core, 'processes' | 'log'>): Promise<number> {
  const now = await databaseNow();
  const lost = await webhooks()
    .find<Webhook>({ retryCheckAt: { $lt: now } })
    .sort({ retryCheckAt: 1 })
    .limit(SWEPT)
    .toArray();
  for (const { _id, projectId, retryCheckAt } of lost) {
    // While no worker runs the workflow, each start would add a signal to its history.
    const filter = { _id: _id, projectId, retryCheckAt };
    await webhooks().updateOne(filter, { $set: { retryCheckAt: new Date(now.getTime() + SWEPT_AGAIN_MS) } });
    await watchRetries(core, { _id, projectId });
  }
  return lost.length;
}

/** Resolves to the earliest `dueAt` of all endpoints. */
export async function longestDue(maxTimeMS: number): Promise<Date | null> {
  const heads = await Promise.all(
    Array.from({ length: WEBHOOK_SHARDS }, (_, shard) =>
      webhooks().findOne<Pick<Webhook, 'dueAt'>>(
        { shard, dueAt: { $gt: new Date(0) } },
        { projection: { dueAt: 1 }, sort: { dueAt: 1 }, maxTimeMS },
      ),
    ),
  );
  const known = heads.flatMap((head) => (head?.dueAt ? [head.dueAt.getTime()] : []));
  return known.length > 0 ? new Date(Math.min(...known)) : null;
}

/** Whether an endpoint is called, and why not. */
type EndpointState = 'on' | 'failing' | 'off' | 'switched_off_failing' | 'switched_off_gone';

/** Counts endpoints that are on, on and failing, off, and switched off because of their answers. */
export async function endpointStates(maxTimeMS: number): Promise<Readonly<Record<EndpointState, number>>> {
  const rows = await webhooks()
    .aggregate<{ _id: { enabled: boolean; failing: boolean; reason: string | null }; count: number }>(
      [
        {
          $group: {
            _id: { enabled: '$enabled', failing: { $gt: ['$failures', 0] }, reason: '$disabledReason' },
            count: { $sum: 1 },
          },
        },
      ],
      { maxTimeMS },
    )
    .toArray();
  const counts = { on: 0, failing: 0, off: 0, switched_off_failing: 0, switched_off_gone: 0 };
  for (const { _id, count } of rows) counts[stateOf(_id)] += count;
  return counts;
}

function stateOf({ enabled, failing, reason }: { enabled: boolean; failing: boolean; reason: string | null }): EndpointState {
  if (enabled) return failing ? 'failing' : 'on';
  return reason === 'failing' || reason === 'gone' ? `switched_off_${reason}` : 'off';
}
