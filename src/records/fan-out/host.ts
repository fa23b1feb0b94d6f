import type { Core } from '../../platform/core';
import type { FanOutResult } from '../../contracts/fan-out';
import { Runs } from '../../platform/async';
import { Bursts, CROWD, FairQueue } from '../../platform/fair';
import type { WakeWatch } from '../../platform/wake-ups';
import { LagReport } from './lag';
import { FAN_OUT_TIMES, FanOutRun } from './run';
import type { FanOutOptions, FanOutTimes } from './run';
import type { Event } from '../events';
import { fanOutPumpId } from '../../contracts/fan-out';
import { wakeForgotten } from '../../platform/pumps';
import { overdueFanOutShards } from '../events';

/**
 * Receives events. Each event comes at least once, and the events of one contact come one after another in the order of their receipt. So the effects of
 * a consumer have to be keyed by the event and idempotent, also when another process handles the same event at the same time.
 */
export interface Consumer {
  readonly name: string;
  /**
   * Handles one event. `version` is the version of the project's listeners, read for this event: a cache keyed by it is as new as the event. When this
   * throws, or takes longer than 20 s, the event comes again.
   */
  handle(core: Core, event: Event, version: number): Promise<void>;
}

/**
 * Events that a process delivers at the same time. More would not be faster: their consequences, as when a crowd enters an automation,
 * share the same servers with all else.
 */
const AT_ONCE = 16;
/** For projects that have hardly any under way. */
const SPARE = 48;
/** While no other project has had events for a while. */
const ALONE = { most: 128, afterMs: CROWD.aloneMs };

/** The fan-out pumps of a worker process, and the consumers to which they hand events, in this order. */
export class FanOutHost {
  private readonly runs = new Runs();
  private readonly lag: LagReport;
  private readonly places = new FairQueue({ most: AT_ONCE, spare: SPARE, alone: ALONE });
  private readonly bursts = new Bursts(CROWD);

  constructor(
    private readonly core: Core,
    private readonly watch: WakeWatch,
    private readonly consumers: readonly Consumer[],
    private readonly times: FanOutTimes = FAN_OUT_TIMES,
  ) {
    this.lag = new LagReport(core.log, times);
  }

  pump({ shard, signal, beat }: FanOutOptions): Promise<FanOutResult> {
    const { core, consumers, watch, lag, times, places, bursts } = this;
    return this.runs
      .follow(signal, (ending) =>
        new FanOutRun({ core, consumers, watch, lag, times, places, bursts }, { shard, beat, signal: ending }).run(),
      )
      .finally(() => lag.forget(shard));
  }

  /** Begins nothing more; resolves when what was begun is handed on and recorded. */
  stop(): Promise<void> {
    return this.runs.stop();
  }
}

/** Wakes the pumps of shards with overdue events that no pump watches. Resolves to how many. */
export const wakeOverdueFanOut = ({ processes }: Pick<Core, 'processes'>): Promise<number> =>
  wakeForgotten(fanOutPumpId, overdueFanOutShards, (shard) => processes.wakeFanOut(shard));
