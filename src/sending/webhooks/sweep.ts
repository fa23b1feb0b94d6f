import type { Core } from '../../platform/core/context';
import { webhookPumpId } from '../../contracts/webhook';
import { databaseNow } from '../../platform/mongo/clock';
import { listeningPumps } from '../../platform/wake-ups/service';
import { overdueWebhookShards } from './queue';

/** An endpoint that has had something to do for so long has not been noticed. */
const OVERDUE_MS = 3_000;

/** Wakes the pumps of shards with overdue deliveries that no pump looks at. Resolves to how many. */
export async function wakeOverdueWebhooks(core: Pick<Core, 'processes'>): Promise<number> {
  const since = new Date((await databaseNow()).getTime() - OVERDUE_MS);
  const [overdue, listening] = await Promise.all([overdueWebhookShards(since), listeningPumps()]);
  const forgotten = overdue.filter((shard) => !listening.has(webhookPumpId(shard)));
  await Promise.all(forgotten.map((shard) => core.processes.wakeWebhooks(shard)));
  return forgotten.length;
}
