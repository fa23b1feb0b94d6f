import { Schema } from 'mongoose';
import { model, rowSchema } from '../../platform/mongo';

export type DeliveryStatus = 'pending' | 'succeeded' | 'failed';

/** One attempt at a delivery. */
export interface Tried {
  /** When it ended. */
  readonly at: Date;
  readonly responseStatus: number | null;
  readonly error: string | null;
  /** From the call to the whole answer; without an answer, until the attempt was given up. */
  readonly latencyMs: number;
}

/** One event on its way to one endpoint. */
export interface Delivery {
  /** Derived from endpoint and event, or new for a replay. */
  readonly _id: string;
  readonly projectId: string;
  readonly webhookId: string;
  readonly eventId: string;
  readonly eventName: string;
  /** Its number at the endpoint: each event has the next one, without a gap. A replay has that of its event. */
  readonly sequence: number;
  /** The contact, while the body may hold data of it. */
  readonly contactId?: string | undefined;
  /** The exact bytes of every attempt; null once its contact was deleted. */
  readonly body: string | null;
  readonly status: DeliveryStatus;
  /** Number of attempts that have ended. */
  readonly attempts: number;
  readonly responseStatus: number | null;
  readonly responseBody: string | null;
  readonly error: string | null;
  /** Time of the last attempt; null before it. */
  readonly latencyMs: number | null;
  /** The attempts that it counts, the first one first; absent before it, and of deliveries that ended before this was kept. */
  readonly tried?: readonly Tried[] | undefined;
  readonly nextAttemptAt: Date | null;
  /** When it may be claimed: at its next attempt, or when the lease of its claim is over. Only while it is pending. */
  readonly dueAt?: Date | undefined;
  /** The claim that holds it. */
  readonly claim?: string | undefined;
  /** The contact was deleted while it was pending: its body is erased when it ends. */
  readonly forgotten?: true | undefined;
  /** A replay of it succeeded. */
  readonly reached?: true | undefined;
  readonly replayOf: string | null;
  readonly createdAt: Date;
  readonly completedAt: Date | null;
}

/** Index of an endpoint's deliveries of one status, newest first. */
export const STATUS_INDEX = { projectId: 1, webhookId: 1, status: 1, createdAt: -1, _id: -1 } as const;

export const KEPT_DAYS = 30;

const deliverySchema = rowSchema<Delivery>({
  _id: { type: String, required: true },
  projectId: { type: String, required: true },
  webhookId: { type: String, required: true },
  eventId: { type: String, required: true },
  eventName: { type: String, required: true },
  sequence: { type: Number, required: true },
  contactId: { type: String },
  body: { type: String, default: null },
  status: { type: String, enum: ['pending', 'succeeded', 'failed'], required: true },
  attempts: { type: Number, default: 0 },
  responseStatus: { type: Number, default: null },
  responseBody: { type: String, default: null },
  error: { type: String, default: null },
  latencyMs: { type: Number, default: null },
  tried: { type: [Schema.Types.Mixed], default: undefined },
  nextAttemptAt: { type: Date, default: null },
  dueAt: { type: Date },
  claim: { type: String },
  forgotten: { type: Boolean },
  reached: { type: Boolean },
  replayOf: { type: String, default: null },
  createdAt: { type: Date, required: true },
  completedAt: { type: Date, default: null },
});
deliverySchema.index({ projectId: 1, webhookId: 1, createdAt: -1, _id: -1 }); // list an endpoint's deliveries, newest first; remove them
deliverySchema.index(STATUS_INDEX); // the same, of one status
deliverySchema.index({ webhookId: 1, dueAt: 1, _id: 1 }, { partialFilterExpression: { dueAt: { $exists: true } } }); // the pump: what is due at an endpoint, and what is next
deliverySchema.index({ webhookId: 1, attempts: 1 }, { partialFilterExpression: { dueAt: { $exists: true }, attempts: { $gt: 0 } } }); // what waits for another attempt
deliverySchema.index({ projectId: 1, contactId: 1, createdAt: 1 }, { partialFilterExpression: { contactId: { $exists: true } } }); // deliveries with data of a deleted contact
deliverySchema.index({ createdAt: 1 }, { expireAfterSeconds: KEPT_DAYS * 86_400 }); // the end of a delivery

export const DeliveryModel = model<Delivery>('Delivery', deliverySchema, 'webhook_deliveries');
