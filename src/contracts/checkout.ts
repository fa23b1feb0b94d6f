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
