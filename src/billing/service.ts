import type { Config } from '../config';
import type { Context, Core, ProjectFacts } from '../context';
import { setCaps } from '../projects/service';
import type { QuotaFacts } from '../rules/quota';
import type { Reputation } from '../rules/reputation';
import { reputationReason } from '../rules/reputation';
import type { Usage } from './model';
import { refreshReputation } from './reputation';
import { monthOf, readUsage } from './usage';

export { refreshReputation, refreshTroubledReputations } from './reputation';

type PaymentsConfig = Pick<Config, 'PAYMENTS_API_URL' | 'PAYMENTS_ENV'>;
type QuotaConfig = Pick<Config, 'ENFORCE_PLAN_QUOTAS' | 'PLAN_QUOTA_FREE' | 'PLAN_QUOTA_STARTER' | 'PLAN_QUOTA_GROWTH'> & PaymentsConfig;

/** Everything about a project's month: what it may use, what it used, and how its mail is received. */
export interface Billing {
  /** `YYYY-MM`, UTC. */
  readonly month: string;
  readonly usage: Usage;
  readonly facts: QuotaFacts;
  readonly reputation: Reputation;
  readonly reputationReason: string | null;
  readonly payments: { readonly enabled: boolean; readonly env: Config['PAYMENTS_ENV'] };
}

export interface BillingPatch {
  readonly caps: Partial<ProjectFacts['caps']>;
  readonly plan: 'free' | null;
}

const paymentsEnabled = (config: Pick<PaymentsConfig, 'PAYMENTS_API_URL'>): boolean => config.PAYMENTS_API_URL !== undefined;

/** What a project may use. The plan's quota is a hosted plan's hard cap, and a self-hosted install's only where it asks for that. */
export const quotaFacts = (config: QuotaConfig, { caps, plan }: Pick<ProjectFacts, 'caps' | 'plan'>): QuotaFacts => ({
  caps,
  plan,
  enforced: config.ENFORCE_PLAN_QUOTAS || paymentsEnabled(config),
  quotas: { free: config.PLAN_QUOTA_FREE, starter: config.PLAN_QUOTA_STARTER, growth: config.PLAN_QUOTA_GROWTH },
});

/** The state of the current month; computes the reputation anew. */
export async function readBilling({ core, project }: Context, now: Date = new Date()): Promise<Billing> {
  const month = monthOf(now);
  const [usage, reputation] = await Promise.all([readUsage(project._id, month), refreshReputation(project._id, now)]);
  return {
    month,
    usage,
    facts: quotaFacts(core.config, project),
    reputation,
    reputationReason: reputationReason(reputation),
    payments: payments(core),
  };
}

const payments = ({ config }: Core): Billing['payments'] => ({ enabled: paymentsEnabled(config), env: config.PAYMENTS_ENV });

/** Changes the caps that are given; `null` removes one. Going back to the free plan is the only change of plan that is made here. */
export const patchBilling = ({ projectId }: Context, { caps, plan }: BillingPatch): Promise<void> => setCaps(projectId, caps, plan);
