import { ExecutionModel } from './execution-model';

/**
 * Executions of contacts that are no more, enrolled up to `before` and over, belong to nobody. Those that run are ended by what tells of the deletion,
 * and belong to nobody from then on.
 */
export async function detachExecutions(projectId: string, contactIds: readonly string[], before: Date): Promise<void> {
  const filter = { projectId, contactId: { $in: [...contactIds] }, createdAt: { $lte: before }, checkAt: { $exists: false } };
  await ExecutionModel.collection.updateMany(filter, { $set: { contactId: null, email: null } });
}
