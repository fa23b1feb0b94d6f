import type { Core } from '../../platform/core';
import { fanOutPumpId } from '../../contracts/fan-out';
import { wakeForgotten } from '../../platform/pumps';
import { overdueFanOutShards } from '../events';

/** Wakes the pumps of shards with overdue events that no pump watches. Resolves to how many. */
export const wakeOverdueFanOut = ({ processes }: Pick<Core, 'processes'>): Promise<number> =>
  wakeForgotten(fanOutPumpId, overdueFanOutShards, (shard) => processes.wakeFanOut(shard));
