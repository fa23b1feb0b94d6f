import { removePage } from '../../platform/mongo';
import { DeliveryModel } from './delivery-model';

/** Deletes a page of deliveries that were made before an instant and are over. At 30 days the database does so by itself. */
export const removeOldDeliveries = (before: Date, limit: number): Promise<number> =>
  removePage(DeliveryModel, { createdAt: { $lt: before }, dueAt: { $exists: false } }, limit, { createdAt: 1 });
