import { defineSignal } from '@temporalio/workflow';

/** Names a subscription by the payment provider's id. */
export interface SubscriptionInput {
  readonly subscriptionId: string;
  readonly projectId: string;
}

/** An activity's view of the workflow's time, in milliseconds, so that tests can skip time. */
export interface ReconcileInput extends SubscriptionInput {
  readonly now: number;
}

export const subscriptionWorkflowId = (subscriptionId: string): string => `subscription/${subscriptionId}`;

/** Something has changed in the document of the subscription. What, is read there: a repeated or late signal does no harm. */
export const subscriptionChangedSignal = defineSignal('subscriptionChanged');

/** Names a checkout session by the payment provider's id. */
export interface CheckoutInput {
  readonly sessionId: string;
  readonly projectId: string;
}

/** An activity's view of the workflow's time, in milliseconds, so that tests can skip time. */
export interface FollowCheckoutInput extends CheckoutInput {
  readonly now: number;
}

export const checkoutWorkflowId = (sessionId: string): string => `checkout/${sessionId}`;

/** The status of an object at the payment provider, and the time until it is asked again. */
export interface ProviderOutlook {
  readonly status: string;
  readonly waitMs: number;
}
