import { Schema } from 'mongoose';
import { model } from '../../platform/mongo';

/** Which process reads the backlog for all. */
export interface BacklogLease {
  readonly _id: string;
  readonly holder: string;
  /** By the database's clock. */
  readonly until: Date;
}

const leaseSchema = new Schema<BacklogLease>(
  { _id: { type: String, required: true }, holder: { type: String, required: true }, until: { type: Date, required: true } },
  { strict: 'throw', versionKey: false },
);

export const BacklogLeaseModel = model<BacklogLease>('BacklogLease', leaseSchema, 'backlog_lease');
