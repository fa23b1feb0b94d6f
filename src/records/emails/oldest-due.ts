import { DELIVERY_SHARDS } from '../../contracts/delivery';
import { DUE_PRIORITIES, EmailModel } from './model';
import { DUE_INDEX } from './indexes';

const AT_ONCE = 4;

/** Finds when the first message of each shard became due, or is; null where none waits. Reads one key of the index for each project, however much waits. */
export async function oldestDue(maxTimeMS: number): Promise<readonly (Date | null)[]> {
  const found: (Date | null)[] = [];
  for (let from = 0; from < DELIVERY_SHARDS; from += AT_ONCE) {
    const shards = Array.from({ length: Math.min(AT_ONCE, DELIVERY_SHARDS - from) }, (_, index) => from + index);
    found.push(...(await Promise.all(shards.map((shard) => nextDueAt(shard, maxTimeMS)))));
  }
  return found;
}

/** Resolves to when the first message of a shard is due, or was; null where none waits. Reads one key of the index for each project and priority, as above. */
export async function nextDueAt(shard: number, maxTimeMS?: number): Promise<Date | null> {
  const firsts = await Promise.all(DUE_PRIORITIES.map((priority) => headOf(shard, priority, maxTimeMS)));
  const times = firsts.flatMap((first) => first?.getTime() ?? []);
  return times.length > 0 ? new Date(Math.min(...times)) : null;
}

/** Resolves to the shards with mail that has been due since before `since`. */
export async function overdueShards(shards: number, since: Date): Promise<readonly number[]> {
  const heads = await Promise.all(
    Array.from({ length: shards }, (_, shard) =>
      EmailModel.collection.findOne(
        { shard, projectId: { $gt: '' }, priority: { $in: DUE_PRIORITIES }, dueAt: { $lt: since } },
        { hint: DUE_INDEX, projection: { _id: 1 } },
      ),
    ),
  );
  return heads.flatMap((head, shard) => (head ? [shard] : []));
}

interface Head {
  readonly projectId: string;
  readonly due: Date;
}

/** Returns the head of each project's queue, in a query that the database answers by jumping from project to project (DISTINCT_SCAN). */
const heads = (shard: number, priority: number) => [
  { $match: { shard, projectId: { $gt: '' }, priority, dueAt: { $gt: new Date(0) } } },
  { $sort: { projectId: 1, priority: 1, dueAt: 1 } },
  { $group: { _id: '$projectId', due: { $first: '$dueAt' } } },
];

async function headOf(shard: number, priority: number, maxTimeMS: number | undefined): Promise<Date | null> {
  const stages = [...heads(shard, priority), { $group: { _id: null, due: { $min: '$due' } } }];
  const found = EmailModel.collection.aggregate<{ due: Date }>(stages, { hint: DUE_INDEX, ...(maxTimeMS !== undefined && { maxTimeMS }) });
  return (await found.next())?.due ?? null;
}

/** Finds the heads of all projects' queues of a priority that became due before an instant. */
export async function headsOf(priority: number, before: Date): Promise<readonly Head[]> {
  const found: Head[] = [];
  for (let shard = 0; shard < DELIVERY_SHARDS; shard++) {
    const stages = [...heads(shard, priority), { $match: { due: { $lt: before } } }, { $project: { _id: 0, projectId: '$_id', due: 1 } }];
    found.push(...(await EmailModel.collection.aggregate<Head>(stages, { hint: DUE_INDEX }).toArray()));
  }
  return found;
}
