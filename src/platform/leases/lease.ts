import os from 'node:os';
import mongoose from 'mongoose';
import { newId } from '../core';
import { isDuplicate } from '../mongo';
import type { Model } from '../mongo';

/** The holder of a lease. */
export interface LeaseHolder {
  readonly holder: string;
  /** For people: the machine and the process. */
  readonly by: string;
  /** The end of the lease, by the database's clock. */
  readonly until: Date;
}

/** A row with a lease. */
export interface Leased {
  readonly _id: string;
  readonly lease?: LeaseHolder;
}

/** Returns the member `lease` of a row's schema. */
export const leaseMember = () => ({ type: new mongoose.Schema<LeaseHolder>({ holder: String, by: String, until: Date }, { _id: false }) });

/** A right that one process has at a time, until it does not renew it in time. It is a member of a row that its holder may change. */
export class Lease<Row extends Leased> {
  private readonly holder = newId('own');
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly model: Model<Row>,
    private readonly id: string,
    private readonly ms: number,
    /** Members of the row if it does not exist yet. */
    private readonly initial: Readonly<Record<string, unknown>> = {},
  ) {}

  /** Takes it, or renews it. Resolves to whether this one has it. */
  async take(): Promise<boolean> {
    const mine = { $eq: ['$lease.holder', this.holder] };
    const isFree = { $or: [{ $not: ['$lease'] }, { $lt: ['$lease.until', '$$NOW'] }] };
    const set: Record<string, unknown> = { lease: { $cond: [{ $or: [mine, isFree] }, this.renewed(), '$lease'] } };
    for (const [name, value] of Object.entries(this.initial)) set[name] = { $ifNull: [`$${name}`, value] };
    const row = await this.rows()
      .findOneAndUpdate({ _id: this.id }, [{ $set: set }], { upsert: true, returnDocument: 'after' })
      .catch((error: unknown) => {
        if (isDuplicate(error)) return null;
        throw error;
      });
    return row?.lease?.holder === this.holder;
  }

  /** Renews it from now on until it is given up, for work that is not done in rounds. */
  keep(): void {
    this.timer = setInterval(() => void this.renew().catch(() => undefined), this.ms / 3).unref();
  }

  /** Changes the row as its holder. Resolves to false, and changes nothing, when another one has taken the lease over. */
  async change(update: mongoose.mongo.UpdateFilter<Leased> | object[]): Promise<boolean> {
    const { matchedCount } = await this.rows().updateOne({ _id: this.id, 'lease.holder': this.holder }, update);
    return matchedCount === 1;
  }

  /** Gives it up for the next one that asks, and removes the members of the row that belong to its holder. */
  async giveUp(...members: readonly string[]): Promise<void> {
    clearInterval(this.timer);
    await this.change({ $unset: Object.fromEntries(['lease', ...members].map((name) => [name, ''])) });
  }

  private async renew(): Promise<void> {
    await this.change([{ $set: { lease: this.renewed() } }]);
  }

  private renewed() {
    return { holder: this.holder, by: `${os.hostname()}, process ${process.pid}`, until: { $add: ['$$NOW', this.ms] } };
  }

  private rows(): mongoose.mongo.Collection<Leased> {
    return this.model.collection as unknown as mongoose.mongo.Collection<Leased>;
  }
}
