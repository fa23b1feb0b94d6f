import { removePage } from '../../platform/mongo';
import { DeliveryModel } from './delivery-model';

/** Deletes a page of deliveries that were made before an instant and have ended. After 30 days a TTL index does so anyway. */
export const removeOldDeliveries = (before: Date, limit: number): Promise<number> =>
  removePage(DeliveryModel, { createdAt: { $lt: before }, dueAt: { $exists: false } }, limit, { createdAt: 1 });
