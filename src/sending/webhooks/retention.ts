import { removePage } from '../../platform/mongo';
import { DeliveryModel, KEPT_DAYS } from './delivery-model';

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
