import { Context } from '@temporalio/activity';
import type { Core } from '../src/platform/core';
import type { FanOutPumpInput, FanOutResult } from '../src/contracts/fan-out';
import { tallyEvents } from '../src/records/events';
import type { FanOutHost } from '../src/records/fan-out';
import { wakeOverdueFanOut } from '../src/records/fan-out';

export const fanOutActivities = (core: Core, host: FanOutHost | null) => ({
  /** Delivers the events of a shard to their consumers. Safe to retry, and to run twice at once: consumers know an event that comes again. */
  async pumpFanOut({ shard }: FanOutPumpInput): Promise<FanOutResult> {
    if (!host) throw new Error('This worker does not hand events on');
    const context = Context.current();
    return host.pump({ shard, signal: context.cancellationSignal, beat: (handled) => context.heartbeat(handled) });
  },

  /** Wakes pumps with overdue events. Safe to retry: waking an awake pump does nothing. */
  async sweepFanOut(): Promise<number> {
    return wakeOverdueFanOut(core);
  },

  /** Adds events to the counters by name, and mail to its hours. Safe to retry, and to run twice at once: what was counted is noted with the counts. */
  async sweepEventCounts(): Promise<number> {
    return tallyEvents();
  },
});
