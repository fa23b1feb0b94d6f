import type { Core } from '../../platform/core';
import { hook } from '../../platform/hooks';
import { wakeFanOut } from '../../platform/wake-ups';

/** What wakes the fan-out pump of a shard for the events that this process stores. */
export const fanOutWakes = hook<(shard: number) => void>('what wakes the fan-out pumps');

/** Has this process wake the fan-out pumps. */
export const wakeFanOutThrough = (core: Pick<Core, 'processes' | 'log'>): void =>
  fanOutWakes.answer('process', (shard) => wakeFanOut(core, shard));

/** Leaves the waking to the sweep: for a process without a connection to Temporal. */
export const leaveFanOutToSweep = (): void => fanOutWakes.answer('process', () => undefined);
