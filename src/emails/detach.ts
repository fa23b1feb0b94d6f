import { EmailModel } from './model';

/** Messages of contacts that are no more, accepted up to `before`, belong to nobody. */
export async function detachEmails(projectId: string, contactIds: readonly string[], before: Date): Promise<void> {
  const filter = { projectId, contactId: { $in: [...contactIds] }, createdAt: { $lte: before } };
  await EmailModel.collection.updateMany(filter, { $set: { contactId: null } });
}
