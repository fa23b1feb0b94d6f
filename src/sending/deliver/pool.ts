import { deliveryQueueOf } from '../../contracts/delivery';
import { IS_PRESENT } from '../../platform/leases';
import { WorkerModel } from './lease-model';
import type { WorkerRow } from './lease-model';

/** Lists the living workers that take work by name, in the same order in all of them. */
export async function workersOfPool(): Promise<readonly string[]> {
  const filter = { takesPumps: true, $expr: IS_PRESENT };
  const rows = await WorkerModel.find(filter, { _id: 1 }).sort({ _id: 1 }).lean<Pick<WorkerRow, '_id'>[]>();
  return rows.map(({ _id }) => _id);
}

/** Counts the workers that hold a lease and are not about to stop. */
export const workersInPool = async (): Promise<number> => (await workersOfPool()).length;

/** Lists the task queues of the living workers. */
export const queuesOfPool = async (): Promise<readonly string[]> => (await workersOfPool()).map(deliveryQueueOf);
