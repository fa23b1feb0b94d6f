import { DeliveryModel } from './delivery-model';

/**
 * Erases data of deleted contacts from deliveries made up to `before`: ended ones at once, pending ones when they end, since every attempt has to send the
 * same bytes. Resolves to how many it changed.
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
