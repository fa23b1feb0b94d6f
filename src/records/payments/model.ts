import { model, rowSchema } from '../../platform/mongo';
import type { KnownSubscription, PaidPlan } from '../../rules/subscriptions';
import { PAID_PLANS, SUBSCRIPTION_STATUSES } from '../../rules/subscriptions';

/** The known state of a subscription at the payment provider. */
export interface Subscription extends KnownSubscription {
  /** The provider's id. */
  readonly _id: string;
  readonly projectId: string;
  /** When the provider is to be asked about it; null when it is over. */
  readonly dueAt: Date | null;
}

const date = { type: Date, required: true };

const subscriptionSchema = rowSchema<Subscription>({
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
});
subscriptionSchema.index({ projectId: 1 }); // a project's subscriptions
subscriptionSchema.index({ dueAt: 1 }); // sweep: whose workflow is gone
export const SubscriptionModel = model<Subscription>('Subscription', subscriptionSchema, 'subscriptions');

/** A checkout session whose result is not known yet. */
export interface Checkout {
  /** The provider's id. */
  readonly _id: string;
  readonly projectId: string;
  readonly plan: PaidPlan;
  /** Opening by the provider's clock. */
  readonly openedAt: Date;
  /** When the provider is to be asked about it. */
  readonly dueAt: Date;
}

const KEPT_SECONDS = 90 * 86_400;

const checkoutSchema = rowSchema<Checkout>({
  _id: { type: String, required: true },
  projectId: { type: String, required: true },
  plan: { type: String, enum: PAID_PLANS, required: true },
  openedAt: date,
  dueAt: date,
});
checkoutSchema.index({ openedAt: 1 }, { expireAfterSeconds: KEPT_SECONDS }); // forgotten when the provider could not be asked all that time
checkoutSchema.index({ dueAt: 1 }); // sweep: whose workflow is gone
export const CheckoutModel = model<Checkout>('Checkout', checkoutSchema, 'checkouts');

/** A notification of the payment provider that was applied. */
export interface PaymentNotification {
  /** The notification's `webhook-id`. */
  readonly _id: string;
  readonly receivedAt: Date;
}

const notificationSchema = rowSchema<PaymentNotification>({ _id: { type: String, required: true }, receivedAt: date });
notificationSchema.index({ receivedAt: 1 }, { expireAfterSeconds: KEPT_SECONDS }); // forgotten long after the last repeat
export const PaymentNotificationModel = model<PaymentNotification>('PaymentNotification', notificationSchema, 'payment_notifications');
