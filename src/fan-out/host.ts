import type { Core } from '../context';
import type { FanOutResult } from '../contracts/fan-out';
import { Runs } from '../runs';
import type { WakeWatch } from '../wakes/watch';
import type { Consumer } from './consumers';
import { FAN_OUT_TIMES, FanOutRun } from './run';
import type { FanOutOptions, FanOutTimes } from './run';

/** The fan-out pumps of a worker process, and whom they hand events to, in this order. */
export class FanOutHost {
  private readonly runs = new Runs();

  constructor(
    private readonly core: Core,
    private readonly watch: WakeWatch,
    private readonly consumers: readonly Consumer[],
    private readonly times: FanOutTimes = FAN_OUT_TIMES,
  ) {}

  pump({ shard, signal, beat }: FanOutOptions): Promise<FanOutResult> {
    return this.runs.follow(signal, (ending) =>
      new FanOutRun(this.core, this.consumers, this.watch, { shard, beat, signal: ending }, this.times).run(),
    );
  }

  /** Begins nothing more; resolves when what was begun is handed on and noted. */
  stop(): Promise<void> {
    return this.runs.stop();
  }
}
