import * as billing from '../../src/records/billing';
import { endpoint, group } from '../http/endpoint';
import type { Billing as StoredBilling, BillingPatch } from '../../src/records/billing';
import { isRunning } from '../../src/rules/subscriptions';
import { z } from 'zod';
import { because, count, optionalText } from '../http/pieces';

const plan = z.enum(['free', 'starter', 'growth']);
const state = z.enum(['ok', 'warn', 'throttled', 'paused']);
const category = z.object({ limit: count.nullable(), used: count });
const rate = z.number();

const ReputationWindow = z
  .object({ sent: count, bounced: count, complained: count, bounceRate: rate, complaintRate: rate, state })
  .meta({ id: 'ReputationWindow' });

const Billing = z
  .object({
    month: z.string().meta({ description: 'YYYY-MM' }),
    used: count.meta({ description: 'Live e-mails sent this month' }),
    limit: count.nullable().meta({ description: 'Overall monthly cap; null = unlimited' }),
    categories: z.object({ transactional: category, campaign: category, workflow: category, inbound: category }),
    plan,
    emailQuota: count.meta({ description: 'Credits per month of the plan' }),
    freeTierCredits: count,
    creditsUsed: count.meta({ description: '1 credit per e-mail, 2 with attachments' }),
    planQuotas: z.object({ free: count, starter: count, growth: count }),
    reputation: z.object({
      state,
      window: z.enum(['24h', '7d', 'all']),
      bounceRate: rate,
      complaintRate: rate,
      volume: count,
      floor: count,
      windows: z.object({ '24h': ReputationWindow, '7d': ReputationWindow, all: ReputationWindow }),
    }),
    reputationState: state,
    reputationReason: optionalText,
    payments: z
      .object({ enabled: z.boolean(), env: z.enum(['test_mode', 'live_mode']) })
      .meta({ description: 'The payment provider behind paid plans; off on self-hosted installs' }),
    paymentsSubscription: z
      .object({
        id: optionalText,
        status: z.enum(['active', 'ended']).nullable(),
        plan: z.enum(['starter', 'growth']).nullable(),
        cancelAtNextBillingDate: z.boolean(),
        nextBillingAt: optionalText.meta({ description: 'The end of the paid period' }),
      })
      .meta({ description: 'The newest active subscription, or else the newest ended one; members are null if there was none' }),
  })
  .meta({ id: 'Billing' });

const cap = z.int().min(0).nullable().optional();

const UpdateBilling = z
  .strictObject({
    monthlyLimit: cap.meta({ description: 'null removes the cap' }),
    monthlyLimitTransactional: cap,
    monthlyLimitCampaign: cap,
    monthlyLimitWorkflow: cap,
    monthlyLimitInbound: cap,
    plan: z
      .literal('free')
      .optional()
      .meta({ description: 'Downgrades at the end of the paid period; for paid plans use POST /api/payments/checkout' }),
  })
  .refine((body) => Object.keys(body).length > 0, {
    ...because('invalid_combination', 'Give at least one field'),
    when: ({ issues }) => issues.length === 0,
  })
  .meta({ minProperties: 1 });

const Nothing = z.object({}).meta({ id: 'Nothing' });

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
