import { removePage } from '../../platform/mongo';
import { ExecutionModel } from './execution-model';

/** Deletes a page of executions that were over before an instant; their automation has counted them. How often a contact was enrolled stays known. */
export const removeOldExecutions = (before: Date, limit: number): Promise<number> =>
  removePage(ExecutionModel, { finishedAt: { $gt: new Date(0), $lt: before }, checkAt: { $exists: false } }, limit);
