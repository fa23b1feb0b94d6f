import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from '../../platform/log';
import { withinLimit } from '../../platform/async';
import { forgetBacklog, readBacklog } from './read';
import mongoose from 'mongoose';
import { newId } from '../../platform/core';
import { BacklogLeaseModel } from './lease-model';
import type { Waiting } from './lease-model';

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
    if (await this.lease.take()) await this.lease.report(await readBacklog());
    else forgetBacklog();
  }
}

const ONLY = 'backlog';

const DUPLICATE_KEY = 11000;

/** The right to read the backlog: one process has it, and another one when that has not renewed it in time. */
export class BacklogLease {
  private readonly holder = newId('wrk');

  constructor(private readonly leaseMs: number) {}

  /** Takes it, or renews it. Resolves to whether it is ours. */
  async take(): Promise<boolean> {
    const { holder, leaseMs } = this;
    const isFree = { $or: [{ $eq: [{ $ifNull: ['$holder', holder] }, holder] }, { $lt: ['$until', '$$NOW'] }] };
    const taken = {
      holder: { $cond: [isFree, holder, '$holder'] },
      until: { $cond: [isFree, { $add: ['$$NOW', leaseMs] }, '$until'] },
    };
    try {
      const options = { upsert: true, returnDocument: 'after' } as const;
      const row = await BacklogLeaseModel.collection.findOneAndUpdate({ _id: ONLY }, [{ $set: taken }], options);
      return row?.['holder'] === holder;
    } catch (error) {
      // Another process has created it at the same time.
      if (error instanceof mongoose.mongo.MongoServerError && error.code === DUPLICATE_KEY) return false;
      throw error;
    }
  }

  /** Writes the figures next to the lease, while this process holds it. */
  async report(waiting: Waiting): Promise<void> {
    await BacklogLeaseModel.collection.updateOne({ _id: ONLY, holder: this.holder }, [{ $set: { waiting, readAt: '$$NOW' } }]);
  }

  /** Gives the lease up for the next process that asks. */
  async giveUp(): Promise<void> {
    await BacklogLeaseModel.collection.deleteOne({ _id: ONLY, holder: this.holder });
  }
}
