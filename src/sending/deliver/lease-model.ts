import { Schema } from 'mongoose';
import { model } from '../../platform/mongo';

/** A worker process that may have mail on the wire. */
export interface WorkerRow {
  readonly _id: string;
  readonly host: string;
  readonly pid: number;
  readonly startedAt: Date;
  readonly leaseUntil: Date;
  /** Runs pumps that are assigned to it by name; false while it stops. */
  readonly takesPumps: boolean;
}

const workerSchema = new Schema<WorkerRow>(
  {
    _id: { type: String, required: true },
    host: { type: String, required: true },
    pid: { type: Number, required: true },
    startedAt: { type: Date, required: true },
    leaseUntil: { type: Date, required: true },
    takesPumps: { type: Boolean, required: true },
  },
  { strict: 'throw', versionKey: false },
);
workerSchema.index({ leaseUntil: 1 }, { expireAfterSeconds: 24 * 3600 }); // forget workers that are long gone

export const WorkerModel = model<WorkerRow>('Worker', workerSchema, 'workers');
