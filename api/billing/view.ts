import type { z } from 'zod';
import type { Billing, BillingPatch } from '../../src/records/billing';
import { isRunning } from '../../src/rules/subscriptions';
import type { Billing as WireBilling, UpdateBilling } from './schemas';

const NO_SUBSCRIPTION = { id: null, status: null, plan: null, cancelAtNextBillingDate: false, nextBillingAt: null } as const;
const ENDED = { status: 'ended', cancelAtNextBillingDate: false, nextBillingAt: null } as const;

/** Shows a subscription. A requested cancellation counts as made: it is kept until the provider has taken it. */
function toPaymentsSubscription(subscription: Billing['subscription']): z.input<typeof WireBilling>['paymentsSubscription'] {
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

export function toBilling({
  month,
  usage,
  facts,
  reputation,
  reputationReason,
  payments,
  subscription,
}: Billing): z.input<typeof WireBilling> {
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
export function fromUpdate({ plan, ...limits }: z.output<typeof UpdateBilling>): BillingPatch {
  const given = Object.entries(limits).flatMap(([name, cap]) => (cap === undefined ? [] : [[CAPS[name as keyof typeof CAPS], cap]]));
  return { caps: Object.fromEntries(given) as BillingPatch['caps'], plan: plan ?? null };
}
