import { Schema } from 'mongoose';
import { leaseMember } from '../../platform/leases';
import type { LeaseHolder } from '../../platform/leases';
import { model, rowSchema } from '../../platform/mongo';

/**
 * The kinds of work that wait: outgoing mail and webhook deliveries that are due, events for their consumers, intents for Temporal, checks by which workflows that
 * were lost start again, imports without progress, and campaigns that send nothing although nothing holds them.
 */
export const KINDS = ['mail', 'events', 'outbox', 'checks', 'webhooks', 'imports', 'campaigns'] as const;

export type Kind = (typeof KINDS)[number];

/** Since when the oldest of each kind waits; null where nothing does. */
export type Waiting = Readonly<Record<Kind, Date | null>>;

/** Which process reads the backlog for all, and what it reads. */
export interface Backlog {
  readonly _id: string;
  readonly lease?: LeaseHolder;
  /** The newest reading, and when it was taken by the database's clock; for health. */
  readonly waiting?: Waiting;
  readonly readAt?: Date;
}

const waitingSchema = new Schema<Waiting>(Object.fromEntries(KINDS.map((kind) => [kind, Date])), { _id: false });

const backlogSchema = rowSchema<Backlog>({
  _id: { type: String, required: true },
  lease: leaseMember(),
  waiting: { type: waitingSchema },
  readAt: { type: Date },
});

export const BacklogModel = model<Backlog>('Backlog', backlogSchema, 'backlog_lease');
