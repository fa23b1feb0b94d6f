import { listenTo } from '../events/listeners';
import { inTransaction } from '../mongo/transaction';
import { isGivenUp } from '../rules/webhook-retry';
import { WebhookModel } from './model';
import type { Webhook } from './model';

type Key = Pick<Webhook, '_id' | 'projectId'>;

/** A success ends a row of failures. */
export async function noteSuccess({ _id, projectId }: Key): Promise<void> {
  await WebhookModel.collection.updateOne(
    { _id: _id as never, projectId, failures: { $gt: 0 } },
    { $set: { failures: 0 }, $unset: { failingSince: '' } },
  );
}

/** Counts a failure; an endpoint that has had no success for five days is switched off. */
export async function noteFailure({ _id, projectId }: Key, at: Date): Promise<void> {
  const after = await WebhookModel.collection.findOneAndUpdate(
    { _id: _id as never, projectId, enabled: true },
    [{ $set: { failures: { $add: ['$failures', 1] }, failingSince: { $ifNull: ['$failingSince', at] } } }],
    { returnDocument: 'after' },
  );
  const since = after?.['failingSince'] as Date | undefined;
  if (since && isGivenUp(since, at)) await switchOff({ _id, projectId }, 'failing', at);
}

/** Switches an endpoint off: its deliveries stay as they are, and no more are made. One that is off stays as it is. */
export async function switchOff({ _id, projectId }: Key, disabledReason: Webhook['disabledReason'], at: Date): Promise<void> {
  await inTransaction(async (session) => {
    const { matchedCount } = await WebhookModel.collection.updateOne(
      { _id: _id as never, projectId, enabled: true },
      { $set: { enabled: false, disabledReason, updatedAt: at }, $unset: { dueAt: '' } },
      { session },
    );
    if (matchedCount === 1) await listenTo(session, projectId, listenerOf(_id), []);
  });
}

export const listenerOf = (webhookId: string): string => `webhook/${webhookId}`;
