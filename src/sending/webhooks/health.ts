import type { Core } from '../../platform/core';
import { metrics } from '../../platform/metrics';
import { inTransaction } from '../../platform/mongo';
import { startNow, want } from '../../platform/outbox';
import { isGivenUp } from '../../rules/webhook-retry';
import { hear } from './hearing';
import { WebhookModel } from './model';
import type { Webhook } from './model';
import { endOfRetries, wantedBy, watchRetries } from './retries';

type Key = Pick<Webhook, '_id' | 'projectId'>;

/** Notes a success, which resets the count of failures. */
export async function noteSuccess({ _id, projectId }: Key): Promise<void> {
  await WebhookModel.collection.updateOne(
    { _id: _id, projectId, failures: { $gt: 0 } },
    { $set: { failures: 0 }, $unset: { failingSince: '' } },
  );
}

interface Failure {
  readonly at: Date;
  readonly errorClass: string;
  /** When the delivery is tried again; null when it is over. */
  readonly retryAt: Date | null;
}

/**
 * Counts a failure, and signals the endpoint's workflow unless it looks by then anyway. Switches off an endpoint without a success
 * for five days.
 */
export async function noteFailure(core: Core, { _id, projectId }: Key, { at, errorClass, retryAt }: Failure): Promise<void> {
  const checkAt = retryAt && wantedBy(retryAt);
  const after = (await WebhookModel.collection.findOneAndUpdate(
    { _id: _id, projectId, enabled: true },
    [
      {
        $set: {
          failures: { $add: ['$failures', 1] },
          failingSince: { $ifNull: ['$failingSince', at] },
          lastError: { $literal: errorClass },
          ...(checkAt && { retryCheckAt: { $min: ['$retryCheckAt', checkAt] } }),
        },
      },
    ],
    { returnDocument: 'after' },
  )) as unknown as Webhook | null;
  if (!after) return;
  if (after.failingSince && isGivenUp(after.failingSince, at)) await switchOff(core, after, 'failing', at);
  else if (checkAt && after.retryCheckAt?.getTime() === checkAt.getTime()) await watchRetries(core, after);
}

/** Switches an endpoint off: its deliveries stay as they are, and no more are made. Does nothing when it is off. */
export async function switchOff(core: Core, { _id, projectId }: Key, disabledReason: Webhook['disabledReason'], at: Date): Promise<void> {
  const intents = [endOfRetries(_id)];
  const isDone = await inTransaction(async (session) => {
    const key = { _id: _id, projectId };
    const before = (await WebhookModel.collection.findOneAndUpdate(
      { ...key, enabled: true },
      { $set: { enabled: false, disabledReason, updatedAt: at }, $unset: { dueAt: '', retryCheckAt: '' } },
      { session },
    )) as unknown as Webhook | null;
    if (!before) return false;
    const heard = await hear(session, before, { ...before, enabled: false });
    await WebhookModel.collection.updateOne(key, { $set: heard }, { session });
    await want(session, intents);
    return true;
  });
  if (!isDone) return;
  metrics.webhooksSwitchedOff.inc({ reason: disabledReason ?? 'owner' });
  startNow(core, intents);
}
