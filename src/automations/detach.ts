import { ExecutionModel } from './execution-model';

/** What an execution of a contact that is no more says of it, and of what the contact told that began it. */
export const OF_NOBODY = { contactId: null, email: null, data: '{}' } as const;

/**
 * Executions of contacts that are no more, enrolled up to `before` and over, belong to nobody. Those that run are ended by what tells of the deletion,
 * and belong to nobody from then on.
 */
export async function detachExecutions(projectId: string, contactIds: readonly string[], before: Date): Promise<void> {
  const filter = { projectId, contactId: { $in: [...contactIds] }, createdAt: { $lte: before }, checkAt: { $exists: false } };
  await ExecutionModel.collection.updateMany(filter, { $set: OF_NOBODY });
}
