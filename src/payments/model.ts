import { Schema, model } from 'mongoose';
import type { KnownSubscription } from '../rules/subscriptions';
import { PAID_PLANS, SUBSCRIPTION_STATUSES } from '../rules/subscriptions';

/** What is known of a subscription at the payment provider. */
export interface Subscription extends KnownSubscription {
  /** The provider's id. */
  readonly _id: string;
  readonly projectId: string;
  /** When the provider is to be asked about it; null when it is over. */
  readonly dueAt: Date | null;
}

const date = { type: Date, required: true };

const subscriptionSchema = new Schema<Subscription>(
  {
    _id: { type: String, required: true },
    projectId: { type: String, required: true },
    plan: { type: String, enum: PAID_PLANS, required: true },
    status: { type: String, enum: SUBSCRIPTION_STATUSES, required: true },
    startedAt: date,
    nextBillingAt: { type: Date, default: null },
    cancelAtNextBillingDate: { type: Boolean, required: true },
    asOf: date,
    reportId: { type: String, required: true },
    cancelAsOf: date,
    cancelWantedAt: { type: Date, default: null },
    dueAt: { type: Date, default: null },
  },
  { strict: 'throw', versionKey: false },
);
subscriptionSchema.index({ projectId: 1 }); // a project's subscriptions
subscriptionSchema.index({ dueAt: 1 }); // sweep: whose workflow is gone
export const SubscriptionModel = model<Subscription>('Subscription', subscriptionSchema, 'subscriptions');

/** A notification of the payment provider that was applied. */
export interface PaymentNotification {
  /** The notification's `webhook-id`. */
  readonly _id: string;
  readonly receivedAt: Date;
}

const NOTIFICATION_SECONDS = 90 * 86_400;

const notificationSchema = new Schema<PaymentNotification>(
  { _id: { type: String, required: true }, receivedAt: date },
  { strict: 'throw', versionKey: false },
);
notificationSchema.index({ receivedAt: 1 }, { expireAfterSeconds: NOTIFICATION_SECONDS }); // forgotten long after the last repeat
export const PaymentNotificationModel = model<PaymentNotification>('PaymentNotification', notificationSchema, 'payment_notifications');
