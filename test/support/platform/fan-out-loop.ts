import type { Core } from '../../../src/platform/core/context';
import { FAN_OUT_SHARDS } from '../../../src/contracts/fan-out';
import { wakeFanOutThrough } from '../../../src/composition/compose';
import { EventModel } from '../../../src/records/events/model';
import type { Consumer } from '../../../src/records/fan-out/host';
import { FanOutHost } from '../../../src/records/fan-out/host';
import { FAN_OUT_TIMES } from '../../../src/records/fan-out/run';
import { WakeWatch } from '../../../src/platform/wake-ups';
import type { TestApp } from './app';
import { forTheFile } from '../run/for-the-file';
import { eventually } from './platform';

export interface FanOutLoop {
  /** Resolves when every event that is stored by then is handed on. */
  quiet(): Promise<unknown>;
  stop(): Promise<void>;
  /** Continues after it was stopped. */
  goOn(): void;
}

/** Runs the pumps; resolves what it returns when they have ended. */
function pump(core: Core, consumers: readonly Consumer[]): () => Promise<void> {
  const host = new FanOutHost(core, new WakeWatch(), consumers, FAN_OUT_TIMES);
  let stopped = false;
  const { signal } = new AbortController();
  const pumpShard = async (shard: number): Promise<void> => {
    while (!stopped) await host.pump({ shard, signal, beat: () => undefined });
  };
  const running = Promise.all(Array.from({ length: FAN_OUT_SHARDS }, (_, shard) => pumpShard(shard)));
  return async () => {
    stopped = true;
    await host.stop();
    await running;
  };
}

/** The fan-out pumps as their workflows would run them, in this process. */
export function startFanOutLoop(core: Core, consumers: readonly Consumer[]): FanOutLoop {
  wakeFanOutThrough(core);
  let stop = pump(core, consumers);
  return {
    quiet: () => eventually('all events are handed on', async () => (await EventModel.countDocuments({ fanOut: { $exists: true } })) === 0),
    stop: () => stop(),
    goOn() {
      stop = pump(core, consumers);
    },
  };
}

/** The fan-out of an app for the tests of a file. */
export const aFanOutLoop = (app: TestApp, consumers: readonly Consumer[]): FanOutLoop =>
  forTheFile(
    () => Promise.resolve(startFanOutLoop(app.core, consumers)),
    (loop) => loop.stop(),
  );
