import * as billing from '../../src/records/billing';
import { endpoint, group } from '../http/endpoint';
import { Billing, Nothing, UpdateBilling } from './schemas';
import type { z } from 'zod';
import type { Billing as StoredBilling, BillingPatch } from '../../src/records/billing';
import { isRunning } from '../../src/rules/subscriptions';

export const billingRoutes = group('Billing', [
  endpoint('GET /v1/billing', {
    operationId: 'getBilling',
    summary: 'Get usage, caps, plan and reputation',
    response: Billing,
    handle: async ({ ctx }) => toBilling(await billing.readBilling(ctx)),
  }),
  endpoint('PATCH /v1/billing', {
    operationId: 'updateBilling',
    summary: 'Change monthly caps, or downgrade to the free plan',
    request: { body: UpdateBilling },
    response: Nothing,
    audit: () => ['billing.update', null],
    handle: async ({ ctx, body }) => {
      await billing.patchBilling(ctx, fromUpdate(body));
      return {};
    },
  }),
]);

const NO_SUBSCRIPTION = { id: null, status: null, plan: null, cancelAtNextBillingDate: false, nextBillingAt: null } as const;
const ENDED = { status: 'ended', cancelAtNextBillingDate: false, nextBillingAt: null } as const;

/** Shows a subscription. A requested cancellation counts as made: it is kept until the provider has taken it. */
function toPaymentsSubscription(subscription: StoredBilling['subscription']): z.input<typeof Billing>['paymentsSubscription'] {
  if (!subscription) return NO_SUBSCRIPTION;
  const { _id: id, plan, cancelAtNextBillingDate, cancelWantedAt, nextBillingAt } = subscription;
  if (!isRunning(subscription)) return { id, plan, ...ENDED };
  return {
    id,
    status: 'active',
    plan,
    cancelAtNextBillingDate: cancelAtNextBillingDate || cancelWantedAt !== null,
    nextBillingAt: nextBillingAt?.toISOString() ?? null,
  };
}

const CAPS = {
  monthlyLimit: 'overall',
  monthlyLimitTransactional: 'transactional',
  monthlyLimitCampaign: 'campaign',
  monthlyLimitWorkflow: 'workflow',
  monthlyLimitInbound: 'inbound',
} as const;

function toBilling({ month, usage, facts, reputation, reputationReason, payments, subscription }: StoredBilling): z.input<typeof Billing> {
  const { caps, plan, quotas } = facts;
  const category = (name: keyof typeof usage.categories) => ({ limit: caps[name], used: usage.categories[name] });
  return {
    month,
    used: usage.used,
    limit: caps.overall,
    categories: {
      transactional: category('transactional'),
      campaign: category('campaign'),
      workflow: category('workflow'),
      inbound: category('inbound'),
    },
    plan,
    emailQuota: quotas[plan],
    freeTierCredits: quotas.free,
    creditsUsed: usage.credits,
    planQuotas: { ...quotas },
    reputation,
    reputationState: reputation.state,
    reputationReason,
    payments,
    paymentsSubscription: toPaymentsSubscription(subscription),
  };
}

/** Reads an update. A cap that is not mentioned stays. */
function fromUpdate({ plan, ...limits }: z.output<typeof UpdateBilling>): BillingPatch {
  const given = Object.entries(limits).flatMap(([name, cap]) => (cap === undefined ? [] : [[CAPS[name as keyof typeof CAPS], cap]]));
  return { caps: Object.fromEntries(given) as BillingPatch['caps'], plan: plan ?? null };
}
