import { hook } from '../../platform/hooks';

/** Wakes the fan-out pump of a shard for the events that this process stores: each of its cores. */
export const fanOutWakes = hook<(shard: number) => void>('what wakes the fan-out pumps');

/** Returns what wakes the pumps of some shards. Throws in a process that is not composed, which is to store no event. */
export function fanOutWake(): (shards: Iterable<number>) => void {
  const wakes = fanOutWakes.answers;
  return (shards) => {
    for (const shard of shards) for (const wake of wakes) wake(shard);
  };
}
