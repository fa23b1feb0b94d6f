import { containing, removePage } from '../../platform/mongo';
import { DeliveryModel, KEPT_DAYS } from './delivery-model';

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
