import type { Core } from '../context';
import type { FanOutResult } from '../contracts/fan-out';
import type { WakeWatch } from '../wakes/watch';
import type { Consumer } from './consumers';
import { FAN_OUT_TIMES, FanOutRun } from './run';
import type { FanOutOptions, FanOutTimes } from './run';

/** The fan-out pumps of a worker process, and whom they hand events to, in this order. */
export class FanOutHost {
  private readonly stopping = new AbortController();
  private readonly runs = new Set<Promise<FanOutResult>>();

  constructor(
    private readonly core: Core,
    private readonly watch: WakeWatch,
    private readonly consumers: readonly Consumer[],
    private readonly times: FanOutTimes = FAN_OUT_TIMES,
  ) {}

  async pump({ shard, signal, beat }: FanOutOptions): Promise<FanOutResult> {
    const ending = AbortSignal.any([signal, this.stopping.signal]);
    const run = new FanOutRun(this.core, this.consumers, this.watch, { shard, beat, signal: ending }, this.times).run();
    this.runs.add(run);
    try {
      return await run;
    } finally {
      this.runs.delete(run);
    }
  }

  /** Begins nothing more; resolves when what was begun is handed on and noted. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.allSettled(this.runs);
  }
}
