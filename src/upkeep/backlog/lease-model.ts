import { Schema } from 'mongoose';
import { leaseMember } from '../../platform/leases';
import type { LeaseHolder } from '../../platform/leases';
import { model, rowSchema } from '../../platform/mongo';

/** Since when the oldest of each kind waits; null where nothing does. */
export interface Waiting {
  /** Outgoing mail that is due. */
  readonly mail: Date | null;
  /** Events that wait for their consumers. */
  readonly events: Date | null;
  /** Intents for Temporal. */
  readonly outbox: Date | null;
  /** Checks by which workflows that were lost start again. */
  readonly checks: Date | null;
  /** Webhook deliveries that are due. */
  readonly webhooks: Date | null;
  /** Imports that run; since when one has made no progress. */
  readonly imports: Date | null;
}

/** Which process reads the backlog for all, and what it reads. */
export interface Backlog {
  readonly _id: string;
  readonly lease?: LeaseHolder;
  /** The newest reading, and when it was taken by the database's clock; for health. */
  readonly waiting?: Waiting;
  readonly readAt?: Date;
}

const waitingSchema = new Schema<Waiting>(
  { mail: Date, events: Date, outbox: Date, checks: Date, webhooks: Date, imports: Date },
  { _id: false },
);

const backlogSchema = rowSchema<Backlog>({
  _id: { type: String, required: true },
  lease: leaseMember(),
  waiting: { type: waitingSchema },
  readAt: { type: Date },
});

export const BacklogModel = model<Backlog>('Backlog', backlogSchema, 'backlog_lease');
