import { Schema, model } from 'mongoose';

/** What has been taken of a limit of public keys, by one client or for one address, since its window began. */
export interface PublicLimit {
  /** Keyed hash of the project and of the client or the address: neither can be read from it. */
  readonly _id: string;
  readonly count: number;
  readonly until: Date;
  /** Of the last request: whether it was within the limit, and when it came, by the database's clock. */
  readonly allowed: boolean;
  readonly at: Date;
}

const publicLimitSchema = new Schema<PublicLimit>(
  {
    _id: { type: String, required: true },
    count: { type: Number, required: true },
    until: { type: Date, required: true },
    allowed: { type: Boolean, required: true },
    at: { type: Date, required: true },
  },
  { strict: 'throw', versionKey: false },
);
publicLimitSchema.index({ until: 1 }, { expireAfterSeconds: 0 }); // a window that has ended is of no use

export const PublicLimitModel = model<PublicLimit>('PublicLimit', publicLimitSchema, 'public_event_limits');
