import { DeliveryModel } from './delivery-model';

/**
 * Erases what deliveries made up to `before` hold of contacts that are no more: what is over at once, what is pending when it is over. A receiver that has
 * seen a delivery once sees the same bytes again.
 */
export async function forgetInDeliveries(projectId: string, contactIds: readonly string[], before: Date): Promise<void> {
  const theirs = { projectId, contactId: { $in: [...contactIds] }, createdAt: { $lte: before } };
  const rows = DeliveryModel.collection;
  await rows.updateMany({ ...theirs, status: 'pending' }, { $set: { forgotten: true } });
  await rows.updateMany(
    { ...theirs, status: { $ne: 'pending' } },
    { $set: { body: null, responseBody: null }, $unset: { contactId: '', forgotten: '' } },
  );
}
