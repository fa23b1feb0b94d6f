/*
 * Leases and presence: what a process may do as long as it keeps reporting, by the database's clock.
 *
 * - `Lease`: one process of all has a right, such as to migrate the database. It is a member of the row that the right is about, so that its holder's changes
 *   and its loss are one write each: a process that lost it changes nothing more.
 * - `Presence`: a row for each process, with what it does. Others list those that are present (`IS_PRESENT`), and take over from those that are not.
 *
 * | killed                       | found                                | happens                                                              |
 * |------------------------------|--------------------------------------|----------------------------------------------------------------------|
 * | with a lease                 | a row whose lease ends               | the next one that asks after its end has it                          |
 * | stopped past its end, resumed | another holder, or none             | `change` resolves to false, and `take` to false where another has it |
 * | with a presence              | a row whose lease ends               | it is taken for lost then; the row is forgotten a day later          |
 * | two make the row at once     | one row                              | the other one has it                                                 |
 */

import os from 'node:os';
import mongoose from 'mongoose';
import { newId } from './core';
import { isDuplicate, model, rowSchema } from './mongo';
import type { Model } from './mongo';
import type { SchemaDefinition } from 'mongoose';

/** The holder of a lease. */
export interface LeaseHolder {
  readonly holder: string;
  /** For people: the machine and the process. */
  readonly by: string;
  /** The end of the lease, by the database's clock. */
  readonly until: Date;
}

/** A row with a lease. */
interface Leased {
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

/** A process that reports its presence. */
export interface PresentRow {
  readonly _id: string;
  readonly host: string;
  readonly pid: number;
  readonly startedAt: Date;
  /** When the process counts as lost unless it reports again, by the database's clock. */
  readonly leaseUntil: Date;
}

type Said<Row extends PresentRow> = Omit<Row, keyof PresentRow>;

/** Declares a collection of processes, with the further members that they report. */
export function presenceModel<Row extends PresentRow>(name: string, said: SchemaDefinition, collection: string): Model<Row> {
  const schema = rowSchema<Row>({
    _id: { type: String, required: true },
    host: { type: String, required: true },
    pid: { type: Number, required: true },
    startedAt: { type: Date, required: true },
    leaseUntil: { type: Date, required: true },
    ...said,
  } as never);
  schema.index({ leaseUntil: 1 }, { expireAfterSeconds: 24 * 3600 }); // forget processes that are long gone
  return model<Row>(name, schema as never, collection);
}

/** Matches processes that are present, by the database's clock: the clocks of machines differ. */
export const IS_PRESENT = { $gt: ['$leaseUntil', '$$NOW'] };

/** Reports a process in a row that lasts as long as it is renewed. */
export class Presence<Row extends PresentRow> {
  private readonly startedAt = new Date();

  constructor(
    private readonly rows: Model<Row>,
    private readonly id: string,
    private readonly ms: number,
  ) {}

  /** Reports the process as present for this long, and what it does. */
  async say(said: Said<Row>): Promise<void> {
    const row = { ...said, host: os.hostname(), pid: process.pid, startedAt: this.startedAt, leaseUntil: { $add: ['$$NOW', this.ms] } };
    await this.rows.collection.updateOne({ _id: this.id } as never, [{ $set: row }], { upsert: true });
  }

  /** Changes the report, and not for how long it lasts. */
  async change(said: Partial<Said<Row>>): Promise<void> {
    await this.rows.collection.updateOne({ _id: this.id } as never, { $set: said });
  }

  /** Reports that the process has ended. */
  async leave(): Promise<void> {
    await this.rows.collection.deleteOne({ _id: this.id } as never);
  }
}
