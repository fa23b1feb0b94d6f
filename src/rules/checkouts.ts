const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The payment provider's status of a payment (its API reference, IntentStatus); null until the customer reaches payment. */
type PaymentStatus = string | null;

/** The progress of the purchase of a checkout session. `unpaid`: no payment is under way, though one may still follow. */
export type PurchaseStatus = 'unpaid' | 'under way' | 'paid';

const UNPAID: ReadonlySet<PaymentStatus> = new Set([
  null,
  'failed',
  'cancelled',
  'requires_customer_action',
  'requires_payment_method',
  'requires_confirmation',
]);

/** Maps a provider's status to ours; an unknown one may become a payment, so it counts as under way. */
export function purchaseStatus(payment: PaymentStatus): PurchaseStatus {
  if (payment === 'succeeded') return 'paid';
  return UNPAID.has(payment) ? 'unpaid' : 'under way';
}

/** A notification comes within seconds, as a rule. */
const FIRST_MS = 5 * MINUTE_MS;
const SELDOM_MS = 4 * HOUR_MS;
/** A session can be paid for 24 hours (the provider's guide, Checkout sessions); the rest is for a payment of the last minute. */
const PAYABLE_MS = 25 * HOUR_MS;
/** A payment by bank may take working days. */
const UNDER_WAY_MS = 14 * 24 * HOUR_MS;

/** Returns when the provider is asked for the first time about a session that was opened at `openedAt`, in milliseconds. */
export const firstQuestionAt = (openedAt: number): number => openedAt + FIRST_MS;

/**
 * Returns when to ask the provider again about a session whose subscription is not known yet: after a time as long as the session's age, at
 * most four hours, and a last time at its end. Null when it is over.
 */
export function nextQuestionAt(openedAt: number, now: number, status: PurchaseStatus): number | null {
  const end = openedAt + (status === 'unpaid' ? PAYABLE_MS : UNDER_WAY_MS);
  if (now >= end) return null;
  return Math.min(now + Math.min(Math.max(now - openedAt, FIRST_MS), SELDOM_MS), end);
}
