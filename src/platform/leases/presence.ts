import os from 'node:os';
import type { SchemaDefinition } from 'mongoose';
import { model, rowSchema } from '../mongo';
import type { Model } from '../mongo';

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
