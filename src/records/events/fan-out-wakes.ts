import type { Core } from '../../platform/core/context';
import { wakeFanOut } from '../../platform/wake-ups/service';

let waker: Pick<Core, 'processes' | 'log'> | null = null;

/** From now on this process wakes the fan-out pumps for the events that it stores. One that never says so leaves that to the sweep. */
export function wakeFanOutThrough(core: Pick<Core, 'processes' | 'log'>): void {
  waker = core;
}

/** New events wait in these shards. */
export function wakeFanOutOf(shards: ReadonlySet<number>): void {
  if (!waker) return;
  for (const shard of shards) wakeFanOut(waker, shard);
}
