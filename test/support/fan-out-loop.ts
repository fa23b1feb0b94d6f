import type { Core } from '../../src/platform/core/context';
import { FAN_OUT_SHARDS } from '../../src/contracts/fan-out';
import { wakeFanOutThrough } from '../../src/records/events/fan-out-wakes';
import { EventModel } from '../../src/records/events/model';
import type { Consumer } from '../../src/records/fan-out/consumers';
import { FanOutHost } from '../../src/records/fan-out/host';
import { FAN_OUT_TIMES } from '../../src/records/fan-out/run';
import { WakeWatch } from '../../src/platform/wake-ups/watch';
import { eventually } from './platform';

export interface FanOutLoop {
  /** Resolves when every event that is stored by then is handed on. */
  quiet(): Promise<unknown>;
  stop(): Promise<void>;
}

/** The fan-out pumps as their workflows would run them, in this process. */
export function startFanOutLoop(core: Core, consumers: readonly Consumer[]): FanOutLoop {
  const host = new FanOutHost(core, new WakeWatch(), consumers, FAN_OUT_TIMES);
  wakeFanOutThrough(core);
  let stopped = false;
  const { signal } = new AbortController();
  const pump = async (shard: number): Promise<void> => {
    while (!stopped) await host.pump({ shard, signal, beat: () => undefined });
  };
  const running = Promise.all(Array.from({ length: FAN_OUT_SHARDS }, (_, shard) => pump(shard)));
  return {
    quiet: () => eventually('all events are handed on', async () => (await EventModel.countDocuments({ fanOut: { $exists: true } })) === 0),
    async stop() {
      stopped = true;
      await host.stop();
      await running;
    },
  };
}
