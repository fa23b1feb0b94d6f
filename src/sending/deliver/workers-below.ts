import { WorkerModel } from './lease-model';
import type { WorkerRow } from './lease-model';

/** The version of the schema that a worker knows. Workers of releases without versions count as 0 when they claim pages of campaigns, and as less when they do not. */
const VERSION_OF_ROW = { $ifNull: ['$schemaVersion', { $cond: [{ $ifNull: ['$pages', false] }, 0, -1] }] };

/** Finds workers that hold a lease and know an older schema than this version. */
export async function workersBelow(schemaVersion: number): Promise<readonly Pick<WorkerRow, '_id' | 'host' | 'pid' | 'schemaVersion'>[]> {
  const filter = { $expr: { $and: [{ $gt: ['$leaseUntil', '$$NOW'] }, { $lt: [VERSION_OF_ROW, schemaVersion] }] } };
  return WorkerModel.find(filter, { host: 1, pid: 1, schemaVersion: 1 }).sort({ _id: 1 }).lean<WorkerRow[]>();
}

/** Finds workers that send campaigns without claims of their pages. They do not see the claims of others, and mail could go out twice: nothing is sent beside one. */
export const workersWithoutPages = (): ReturnType<typeof workersBelow> => workersBelow(0);

/** Counts the workers that hold a lease and are not about to stop. */
export const workersInPool = (): Promise<number> =>
  WorkerModel.countDocuments({ takesPumps: { $ne: false }, $expr: { $gt: ['$leaseUntil', '$$NOW'] } });
