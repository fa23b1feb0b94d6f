import type { Core } from '../../platform/core/context';
import { fanOutPumpId } from '../../contracts/fan-out';
import { wakeForgotten } from '../../platform/pumps/sweep';
import { overdueFanOutShards } from '../events/pending';

/** Wakes the pumps of shards with overdue events that no pump watches. Resolves to how many. */
export const wakeOverdueFanOut = ({ processes }: Pick<Core, 'processes'>): Promise<number> =>
  wakeForgotten(fanOutPumpId, overdueFanOutShards, (shard) => processes.wakeFanOut(shard));
