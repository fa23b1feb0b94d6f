import type { z } from 'zod';
import type { Billing, BillingPatch } from '../../src/billing/service';
import type { Billing as WireBilling, UpdateBilling } from './schemas';

/** What self-hosted installs have: nothing was ever bought. */
const NO_SUBSCRIPTION = { id: null, status: null, plan: null, cancelAtNextBillingDate: false, nextBillingAt: null } as const;

const CAPS = {
  monthlyLimit: 'overall',
  monthlyLimitTransactional: 'transactional',
  monthlyLimitCampaign: 'campaign',
  monthlyLimitWorkflow: 'workflow',
  monthlyLimitInbound: 'inbound',
} as const;

export function toBilling({ month, usage, facts, reputation, reputationReason, payments }: Billing): z.input<typeof WireBilling> {
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
    paymentsSubscription: NO_SUBSCRIPTION,
  };
}

/** A cap that is not mentioned stays. */
export function fromUpdate({ plan, ...limits }: z.output<typeof UpdateBilling>): BillingPatch {
  const given = Object.entries(limits).flatMap(([name, cap]) => (cap === undefined ? [] : [[CAPS[name as keyof typeof CAPS], cap]]));
  return { caps: Object.fromEntries(given) as BillingPatch['caps'], plan: plan ?? null };
}
