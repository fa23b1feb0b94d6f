import type { Core } from '../../platform/core';
import { webhookPumpId } from '../../contracts/webhook';
import type { WebhookRunResult, WebhookRunInput } from '../../contracts/webhook';
import { databaseNow } from '../../platform/mongo';
import { answer, Runs } from '../../platform/async';
import { PumpLoop } from '../../platform/pumps';
import type { Look, Pump, PumpRunOptions, PumpTimes } from '../../platform/pumps';
import type { WakeWatch } from '../../platform/wake-ups';
import { attempt } from './attempt';
import { EndpointLine } from './line';
import type { LineWork } from './line';
import { dueWebhooks, nextDueAt } from './queue';
import { adoptRetries } from './retries';

interface WebhookRunOptions extends PumpRunOptions {
  readonly shard: number;
  /** Milliseconds by which the workflow's time is ahead of the real time: only where tests skip time. */
  readonly aheadMs: number;
}

export interface WebhookTimes extends PumpTimes {
  /** Time by which the claim of a delivery outlasts its call. */
  readonly recordMs: number;
}

/** A run stays until the first retry, which is all that most failing endpoints need. */
export const WEBHOOK_TIMES: WebhookTimes = { lingerMs: 7_000, promiseMs: 4_000, beatMs: 1_000, recordMs: 15_000 };

/** Endpoints that are checked together. */
const PAGE = 100;
/** From this many deliveries under way in one run, each endpoint gets one at a time, so that none waits because of others. */
const CROWD = 500;

/**
 * One run of a shard's pump: finds the due endpoints, keeps deliveries to each of them under way, waits a while for more.
 *
 * | killed here                          | found                                  | happens                                                    |
 * |--------------------------------------|----------------------------------------|------------------------------------------------------------|
 * | deliveries stored, event not done    | the deliveries, under their ids        | it comes again, adds none and marks the endpoint as due    |
 * | endpoint marked due, pump not woken  | `dueAt` of the endpoint has passed     | the sweep wakes the shard's pump after 3 s                  |
 * | deliveries claimed                   | pending, `dueAt` is the lease's end    | claimed again then; the endpoint's `dueAt` is no later      |
 * | delivery recorded, not its endpoint  | `dueAt` of the endpoint: a lease's end | checked then: a first retry may come half a minute late   |
 */
class WebhookRun implements Pump {
  private readonly loop: PumpLoop;
  private readonly lines = new Map<string, EndpointLine>();
  private readonly tasks = new Set<Promise<void>>();
  private underWay = 0;
  private readonly work: LineWork;
  handled = 0;
  private failure: { readonly error: unknown } | null = null;

  constructor(
    core: Core,
    watch: WakeWatch,
    private readonly options: WebhookRunOptions,
    times: WebhookTimes,
  ) {
    this.loop = new PumpLoop(webhookPumpId(options.shard), watch, times, options);
    const clock = (): Promise<Date> => this.now();
    this.work = {
      clock,
      leaseMs: core.config.WEBHOOK_TIMEOUT_SECONDS * 1_000 + times.recordMs,
      attempt: (webhook, delivery, permit) => this.counted(attempt(core, { webhook, delivery, permit: permit }, clock)),
      calls: core.calls,
      adopt: (webhook, retryAt) => adoptRetries(core, webhook, retryAt),
      crowded: () => this.underWay >= CROWD,
      stopped: () => options.signal.aborted || this.failure !== null,
      follow: (done) => this.follow(done),
    };
  }

  /** Resolves when nothing was due for a while or the run should end; throws when the database does not answer. */
  run(): Promise<WebhookRunResult> {
    return this.loop.run(this, async () => {
      await Promise.all(this.tasks);
      return { nextDueAt: (await answer(() => nextDueAt(this.options.shard)))?.getTime() ?? null, handled: this.handled };
    });
  }

  async finish(): Promise<void> {
    await Promise.allSettled(this.tasks);
  }

  async look(): Promise<Look> {
    if (this.failure) throw this.failure.error;
    const found = await this.fillLines();
    return { found: found > 0, more: found === PAGE, busy: this.tasks.size > 0 };
  }

  /** Fills the lines of due endpoints. Resolves to how many were due. */
  private async fillLines(): Promise<number> {
    for (const [id, line] of this.lines) if (line.isIdle) this.lines.delete(id);
    const full = [...this.lines].flatMap(([id, line]) => (line.isFull ? [id] : []));
    const now = await answer(() => this.now());
    const due = await answer(() => dueWebhooks(this.options.shard, now, full, PAGE));
    await Promise.all(due.map((id) => this.lineOf(id).fill()));
    return due.length;
  }

  private lineOf(id: string): EndpointLine {
    const line = this.lines.get(id) ?? new EndpointLine(id, this.work);
    this.lines.set(id, line);
    return line;
  }

  /** Keeps the run alive until `done` resolves. */
  private follow(done: Promise<void>): void {
    const followed = done
      .catch((error: unknown) => {
        this.failure ??= { error };
      })
      .finally(() => {
        this.tasks.delete(followed);
      });
    this.tasks.add(followed);
  }

  private async counted(attempted: Promise<void>): Promise<void> {
    this.underWay++;
    try {
      await attempted;
    } finally {
      this.underWay--;
      this.handled++;
    }
  }

  private async now(): Promise<Date> {
    return new Date((await databaseNow()).getTime() + this.options.aheadMs);
  }
}

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
