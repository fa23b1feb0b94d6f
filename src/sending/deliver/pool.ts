import { deliveryQueueOf } from '../../contracts/delivery';
import { WorkerModel } from './lease-model';
import type { WorkerRow } from './lease-model';

/** Living workers that take what is given to them by name, in an order that all of them see alike. */
export async function workersOfPool(): Promise<readonly string[]> {
  const filter = { takesPumps: true, $expr: { $gt: ['$leaseUntil', '$$NOW'] } };
  const rows = await WorkerModel.find(filter, { _id: 1 }).sort({ _id: 1 }).lean<Pick<WorkerRow, '_id'>[]>();
  return rows.map(({ _id }) => _id);
}

/** Their task queues. */
export const queuesOfPool = async (): Promise<readonly string[]> => (await workersOfPool()).map(deliveryQueueOf);
