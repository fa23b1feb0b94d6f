import { z } from 'zod';
import type { PaidPlan, SubscriptionReport } from '../../rules/subscriptions';
import { PAID_PLANS, SUBSCRIPTION_STATUSES } from '../../rules/subscriptions';

/** ISO 8601 with an offset or Z. */
const instant = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

const id = z.string().regex(/^[A-Za-z0-9_-]{1,128}$/);

/** The fields of the provider's subscription that the platform uses. */
const ProviderSubscription = z.object({
  subscription_id: id,
  product_id: z.string(),
  status: z.enum(SUBSCRIPTION_STATUSES),
  cancel_at_next_billing_date: z.boolean().nullish(),
  next_billing_date: instant.nullish(),
  created_at: instant.nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
});

/** A subscription, as the payment provider reports it. */
export interface ReadSubscription {
  readonly subscriptionId: string;
  /** The project that it was bought for, as its checkout noted it; null for one that was sold elsewhere. */
  readonly projectId: string | null;
  /** Null when its product is none of our plans. */
  readonly report: SubscriptionReport | null;
}

/** Understands a subscription of the provider's. Throws `ZodError`. */
export function readSubscription(
  data: unknown,
  products: Readonly<Record<PaidPlan, string>>,
  when: Pick<SubscriptionReport, 'asOf' | 'reportId'>,
): ReadSubscription {
  const row = ProviderSubscription.parse(data);
  const plan = PAID_PLANS.find((each) => products[each] === row.product_id);
  const projectId = row.metadata?.['projectId'];
  return {
    subscriptionId: row.subscription_id,
    projectId: typeof projectId === 'string' ? projectId : null,
    report:
      plan === undefined
        ? null
        : {
            ...when,
            plan,
            status: row.status,
            startedAt: row.created_at ?? when.asOf,
            nextBillingAt: row.next_billing_date ?? null,
            cancelAtNextBillingDate: row.cancel_at_next_billing_date ?? false,
          },
  };
}

const ProviderSession = z.object({ payment_id: id.nullish(), payment_status: z.string().nullish() });

/** Parses the state of the provider's checkout session. Throws `ZodError`. */
export const readSession = (data: unknown): z.infer<typeof ProviderSession> => ProviderSession.parse(data);

const ProviderPayment = z.object({ subscription_id: id.nullish() });

/** Understands a payment of the provider's. Throws `ZodError`. */
export const readPayment = (data: unknown): z.infer<typeof ProviderPayment> => ProviderPayment.parse(data);
