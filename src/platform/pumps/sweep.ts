import { databaseNow } from '../mongo';
import { listeningPumps } from '../wake-ups';

/** Work that has been due for this long was missed by its pump. */
const OVERDUE_MS = 3_000;

/** Finds the shards that have had something due since before an instant. */
type FindOverdue = (since: Date) => Promise<readonly number[]>;

/** Wakes the pumps of shards with overdue work that no pump watches: their wake-ups were lost. `now` is the database's time unless it is given. Resolves to how many. */
export async function wakeForgotten(
  pumpId: (shard: number) => string,
  findOverdue: FindOverdue,
  wake: (shard: number) => Promise<void>,
  now?: Date,
): Promise<number> {
  const since = new Date((now ?? (await databaseNow())).getTime() - OVERDUE_MS);
  const [overdue, listening] = await Promise.all([findOverdue(since), listeningPumps()]);
  const forgotten = overdue.filter((shard) => !listening.has(pumpId(shard)));
  await Promise.all(forgotten.map(wake));
  return forgotten.length;
}
