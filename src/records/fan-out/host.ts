import type { Core } from '../../platform/core';
import type { FanOutResult } from '../../contracts/fan-out';
import { Runs } from '../../platform/async';
import type { WakeWatch } from '../../platform/wake-ups';
import type { Consumer } from './consumers';
import { LagReport } from './lag';
import { FAN_OUT_TIMES, FanOutRun } from './run';
import type { FanOutOptions, FanOutTimes } from './run';

/** The fan-out pumps of a worker process, and the consumers to which they hand events, in this order. */
export class FanOutHost {
  private readonly runs = new Runs();
  private readonly lag: LagReport;

  constructor(
    private readonly core: Core,
    private readonly watch: WakeWatch,
    private readonly consumers: readonly Consumer[],
    private readonly times: FanOutTimes = FAN_OUT_TIMES,
  ) {
    this.lag = new LagReport(core.log, times);
  }

  pump({ shard, signal, beat }: FanOutOptions): Promise<FanOutResult> {
    const { core, consumers, watch, lag, times } = this;
    return this.runs
      .follow(signal, (ending) => new FanOutRun({ core, consumers, watch, lag, times }, { shard, beat, signal: ending }).run())
      .finally(() => lag.forget(shard));
  }

  /** Begins nothing more; resolves when what was begun is handed on and recorded. */
  stop(): Promise<void> {
    return this.runs.stop();
  }
}
