import { setTimeout as wait } from 'node:timers/promises';
import { IdleCampaigns } from '../../marketing/campaigns';
import type { Logger } from '../../platform/log';
import { withinLimit } from '../../platform/async';
import { forgetBacklog, readBacklog } from './read';
import { Lease } from '../../platform/leases';
import { BacklogModel } from './lease-model';
import type { Backlog, Waiting } from './lease-model';

export interface BacklogTimes {
  readonly everyMs: number;
  readonly leaseMs: number;
}

const TIMES: BacklogTimes = { everyMs: 15_000, leaseMs: 60_000 };
const ROUND_MS = 45_000;

/** Keeps the gauges of what waits: of all processes that run one, one reads, every 15 seconds; a scrape asks the database nothing. */
export class BacklogReader {
  private readonly stopping = new AbortController();
  private readonly lease: BacklogLease;
  private readonly idle = new IdleCampaigns();
  private running: Promise<void> | undefined;

  constructor(
    private readonly log: Pick<Logger, 'warn'>,
    private readonly times: BacklogTimes = TIMES,
  ) {
    this.lease = new BacklogLease(times.leaseMs);
  }

  start(): void {
    this.running = this.run();
  }

  /** Resolves when another process may read. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
    await this.lease.giveUp().catch((error: unknown) => this.log.warn({ err: error }, 'The lease of the backlog was not released'));
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await withinLimit(ROUND_MS, () => this.round()).catch((error: unknown) =>
        this.log.warn({ err: error }, 'The backlog could not be read; its metrics are out of date'),
      );
      await wait(this.times.everyMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  private async round(): Promise<void> {
    if (await this.lease.take()) return this.lease.report(await readBacklog(this.idle));
    this.idle.forget();
    forgetBacklog();
  }
}

/** The right to read the backlog. */
export class BacklogLease extends Lease<Backlog> {
  constructor(leaseMs: number) {
    super(BacklogModel, 'backlog', leaseMs);
  }

  /** Writes the figures next to the lease, while this process holds it. */
  async report(waiting: Waiting): Promise<void> {
    await this.change([{ $set: { waiting, readAt: '$$NOW' } }]);
  }

  /** Gives it up, with what was read. */
  override giveUp(): Promise<void> {
    return super.giveUp('waiting', 'readAt');
  }
}
