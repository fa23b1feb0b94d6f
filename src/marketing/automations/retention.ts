import { removePage } from '../../platform/mongo';
import { ExecutionModel } from './execution-model';

/** Deletes a page of a project's executions that were over before an instant; their automation has counted them. How often a contact was enrolled stays known. */
export const removeOldExecutions = (projectId: string, before: Date, limit: number): Promise<number> =>
  removePage(ExecutionModel, { projectId, finishedAt: { $gt: new Date(0), $lt: before }, checkAt: { $exists: false } }, limit);
