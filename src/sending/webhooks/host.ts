import type { Core } from '../../platform/core';
import type { WebhookRunInput, WebhookRunResult } from '../../contracts/webhook';
import { Runs } from '../../platform/async';
import type { WakeWatch } from '../../platform/wake-ups';
import { WEBHOOK_TIMES, WebhookRun } from './run';
import type { WebhookRunOptions, WebhookTimes } from './run';

type PumpCall = WebhookRunInput & Pick<WebhookRunOptions, 'signal' | 'beat'>;

/** The webhook pumps that run in a worker process. */
export class WebhookHost {
  private readonly runs = new Runs();

  constructor(
    private readonly core: Core,
    private readonly watch: WakeWatch,
    private readonly times: WebhookTimes = WEBHOOK_TIMES,
  ) {}

  /** Runs a shard's pump once, by the clock of the workflow that asked for it. */
  pump({ shard, now, signal, beat }: PumpCall): Promise<WebhookRunResult> {
    // Normally behind by the moment that the activity took to start; ahead only when tests skip time.
    const aheadMs = Math.max(0, now - Date.now());
    return this.runs.follow(signal, (ending) =>
      new WebhookRun(this.core, this.watch, { shard, aheadMs, beat, signal: ending }, this.times).run(),
    );
  }

  /** Begins nothing more; resolves when what is under way is recorded. */
  stop(): Promise<void> {
    return this.runs.stop();
  }
}
