import type { Payment } from 'dodopayments/resources/payments';
import type { SubscriptionStatus } from '../../../src/rules/subscriptions';

/** A subscription as the provider shows it: what the platform reads, and a part of what it does not. */
export interface ProviderSubscription {
  readonly subscription_id: string;
  product_id: string;
  status: SubscriptionStatus;
  cancel_at_next_billing_date: boolean;
  next_billing_date: string;
  readonly created_at: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly customer: { readonly customer_id: string; readonly email: string; readonly name: string };
}

/** A payment: a part of what the provider shows. */
export type ProviderPayment = Pick<
  Payment,
  'payment_id' | 'status' | 'subscription_id' | 'checkout_session_id' | 'created_at' | 'metadata' | 'customer' | 'currency' | 'total_amount'
>;

export interface Notification {
  readonly id: string;
  readonly body: { readonly business_id: string; readonly type: string; readonly timestamp: string; readonly data: object };
}

/** A fault of the provider: before it has done the work, or, with `after`, after that. */
export interface Fault {
  readonly kind: 'hang' | 'stall' | 'reset' | 'status';
  readonly status?: number;
  readonly after?: boolean;
}
