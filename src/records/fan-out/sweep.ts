import type { Core } from '../../platform/core/context';
import { fanOutPumpId } from '../../contracts/fan-out';
import { overdueFanOutShards } from '../../records/events/pending';
import { databaseNow } from '../../platform/mongo/clock';
import { listeningPumps } from '../../platform/wake-ups/service';

/** An event that should have been handed on for so long has not been noticed. */
const OVERDUE_MS = 3_000;

/** Wakes the pumps of shards with overdue events that no pump looks at. Resolves to how many. */
export async function wakeOverdueFanOut(core: Pick<Core, 'processes'>): Promise<number> {
  const since = new Date((await databaseNow()).getTime() - OVERDUE_MS);
  const [overdue, listening] = await Promise.all([overdueFanOutShards(since), listeningPumps()]);
  const forgotten = overdue.filter((shard) => !listening.has(fanOutPumpId(shard)));
  await Promise.all(forgotten.map((shard) => core.processes.wakeFanOut(shard)));
  return forgotten.length;
}
