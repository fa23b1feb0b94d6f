import { Schema } from 'mongoose';
import { model, rowSchema } from '../../platform/mongo';
import type { Span } from '../../records/events';

/** A replaced secret, which still signs next to the new one until it expires. */
export interface RetiringSecret {
  readonly sealed: string;
  readonly until: Date;
}

/** A time in which an endpoint was on and heard events by one choice of its owner. */
export interface EnabledSpan extends Span {
  readonly events: readonly string[];
  readonly tag: string | null;
}

/** Forms of bodies that are those of other services. */
export const WEBHOOK_FORMATS = ['resend'] as const;
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number];

/** An endpoint to which events are delivered. */
export interface Webhook {
  readonly _id: string;
  readonly projectId: string;
  readonly shard: number;
  readonly url: string;
  /** Names, `<prefix>.*`, or `*`. */
  readonly events: readonly string[];
  readonly description: string | null;
  /** The form of its bodies, where it is another service's. */
  readonly format?: WebhookFormat | undefined;
  /** Tag `name:value`: only events of mail with it are delivered. */
  readonly tag?: string | null | undefined;
  readonly enabled: boolean;
  /** The version of the project's listeners since which it is on or off, with these events and this tag. */
  readonly since?: number;
  /** Times in which it was on before, the last ones. */
  readonly earlier?: readonly EnabledSpan[];
  /** Why we switched it off; null when its owner did, or it is on. */
  readonly disabledReason: 'failing' | 'gone' | null;
  /** Encrypted. */
  readonly secret: string;
  readonly retiring: readonly RetiringSecret[];
  /** Failed attempts since the last success. */
  readonly failures: number;
  /** When the first of these failures was; absent when there is none. */
  readonly failingSince?: Date | undefined;
  /** The class of the last failure; absent when there was none. */
  readonly lastError?: string | undefined;
  /** While deliveries wait for another attempt: their workflow counts as lost unless it has checked them by then. */
  readonly retryCheckAt?: Date | undefined;
  /** Until when it is left alone because it did not answer; an instant that has passed says nothing. */
  readonly pausedUntil?: Date | undefined;
  /** When the pump has to check it, no later than its first delivery is due. Absent when none waits, or it is off. */
  readonly dueAt?: Date | undefined;
  /** Grows whenever deliveries arrive, so that a pump notices that what it read before is out of date. */
  readonly arrivals: number;
  /** The number of its last event; absent before its first. */
  readonly sequence?: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const webhookSchema = rowSchema<Webhook>({
  _id: { type: String, required: true },
  projectId: { type: String, required: true },
  shard: { type: Number, required: true },
  url: { type: String, required: true },
  events: { type: [String], required: true },
  description: { type: String, default: null },
  format: { type: String, enum: WEBHOOK_FORMATS },
  tag: { type: String, default: null },
  enabled: { type: Boolean, required: true },
  since: { type: Number },
  earlier: { type: [Schema.Types.Mixed] },
  disabledReason: { type: String, enum: ['failing', 'gone', null], default: null },
  secret: { type: String, required: true },
  retiring: { type: [Schema.Types.Mixed], required: true },
  failures: { type: Number, default: 0 },
  failingSince: { type: Date },
  lastError: { type: String },
  retryCheckAt: { type: Date },
  pausedUntil: { type: Date },
  dueAt: { type: Date },
  arrivals: { type: Number, default: 0 },
  sequence: { type: Number },
  createdAt: { type: Date, required: true },
  updatedAt: { type: Date, required: true },
});
webhookSchema.index({ projectId: 1, createdAt: -1, _id: -1 }); // list a project's endpoints; those that an event goes to
webhookSchema.index({ shard: 1, dueAt: 1, _id: 1 }, { partialFilterExpression: { dueAt: { $exists: true } } }); // the pump and its sweep: endpoints with something to do, and when the next one has
webhookSchema.index({ retryCheckAt: 1 }, { partialFilterExpression: { retryCheckAt: { $exists: true } } }); // the sweep: endpoints whose workflow was lost

export const WebhookModel = model<Webhook>('Webhook', webhookSchema, 'webhooks');
