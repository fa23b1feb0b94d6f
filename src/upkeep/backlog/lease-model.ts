import { Schema } from 'mongoose';
import { model } from '../../platform/mongo';

/** Since when the oldest of each kind waits; null where nothing does. */
export interface Waiting {
  /** Outgoing mail that is due. */
  readonly mail: Date | null;
  /** Events that wait for their consumers. */
  readonly events: Date | null;
  /** Intents for Temporal. */
  readonly outbox: Date | null;
  /** Webhook deliveries that are due. */
  readonly webhooks: Date | null;
}

/** Which process reads the backlog for all. */
export interface BacklogLease {
  readonly _id: string;
  readonly holder: string;
  /** End of the lease, by the database's clock. */
  readonly until: Date;
  /** The last figures, and their time by the database's clock; for health. Releases before these members wrote none. */
  readonly waiting?: Waiting;
  readonly readAt?: Date;
}

const waitingSchema = new Schema<Waiting>({ mail: Date, events: Date, outbox: Date, webhooks: Date }, { _id: false });

const leaseSchema = new Schema<BacklogLease>(
  {
    _id: { type: String, required: true },
    holder: { type: String, required: true },
    until: { type: Date, required: true },
    waiting: { type: waitingSchema },
    readAt: { type: Date },
  },
  { strict: 'throw', versionKey: false },
);

export const BacklogLeaseModel = model<BacklogLease>('BacklogLease', leaseSchema, 'backlog_lease');
