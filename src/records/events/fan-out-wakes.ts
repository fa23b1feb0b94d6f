import type { Core } from '../../platform/core';
import { wakeFanOut } from '../../platform/wake-ups';

let waker: Pick<Core, 'processes' | 'log'> | null = null;

/** Has this process wake the fan-out pumps for the events that it stores; otherwise that is left to the sweep. */
export function wakeFanOutThrough(core: Pick<Core, 'processes' | 'log'>): void {
  waker = core;
}

/** Wakes these shards for new events. */
export function wakeFanOutOf(shards: ReadonlySet<number>): void {
  if (!waker) return;
  for (const shard of shards) wakeFanOut(waker, shard);
}
