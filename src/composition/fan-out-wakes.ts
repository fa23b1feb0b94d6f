import { newId, perCore } from '../platform/core';
import type { Core } from '../platform/core';
import { wakeFanOut } from '../platform/wake-ups';
import { fanOutWakes } from '../records/events';

type Waker = Pick<Core, 'processes' | 'log'>;

const named = perCore(() => ({ name: newId('core') }));

/** Has a core wake the fan-out pumps, beside the other cores of the process: an event does not say through which one it was stored. */
export const wakeFanOutThrough = (core: Waker): void => fanOutWakes.answer(named(core).name, (shard) => wakeFanOut(core, shard));

/** Leaves the waking to the sweep: for a process without a connection to Temporal. */
export const leaveFanOutToSweep = (): void => fanOutWakes.answer('sweep', () => undefined);
