import { DeliveryModel } from './delivery-model';

/**
 * Erases what deliveries made up to `before` hold of contacts that are no more: what is over at once, what is pending when it is over. A receiver that has
 * seen a delivery once sees the same bytes again. Resolves to how many it changed.
 */
export async function forgetInDeliveries(projectId: string, contactIds: readonly string[], before: Date): Promise<number> {
  const theirs = { projectId, contactId: { $in: [...contactIds] }, createdAt: { $lte: before } };
  const rows = DeliveryModel.collection;
  const later = await rows.updateMany({ ...theirs, status: 'pending', forgotten: { $ne: true } }, { $set: { forgotten: true } });
  const now = await rows.updateMany(
    { ...theirs, status: { $ne: 'pending' } },
    { $set: { body: null, responseBody: null }, $unset: { contactId: '', forgotten: '' } },
  );
  return later.modifiedCount + now.modifiedCount;
}
