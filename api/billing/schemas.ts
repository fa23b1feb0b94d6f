import { z } from 'zod';
import { because, count, optionalText } from '../http/pieces';

const plan = z.enum(['free', 'starter', 'growth']);
const state = z.enum(['ok', 'warn', 'throttled', 'paused']);
const category = z.object({ limit: count.nullable(), used: count });
const rate = z.number();

const ReputationWindow = z
  .object({ sent: count, bounced: count, complained: count, bounceRate: rate, complaintRate: rate, state })
  .meta({ id: 'ReputationWindow' });

export const Billing = z
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

export const UpdateBilling = z
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

export const Nothing = z.object({}).meta({ id: 'Nothing' });
