import type { Config } from '../../platform/config';
import type { Context, ProjectFacts } from '../../platform/core';
import { currentSubscription, downgrade } from '../payments';
import type { Subscription } from '../payments';
import { setCaps } from '../projects';
import type { QuotaFacts } from '../../rules/quota';
import type { Reputation } from '../../rules/reputation';
import { reputationReason } from '../../rules/reputation';
import { refreshReputation } from './reputation';
import { monthOf, paymentsEnabled, quotaFacts, readUsage } from './usage';
import type { MonthlyUsage } from './usage';
import { DeliveryCountModel } from './model';

export { refreshReputation, refreshTroubledReputations } from './reputation';

/** Everything about a project's month: what it may use, what it used, and how its mail is received. */
export interface Billing {
  /** `YYYY-MM`, UTC. */
  readonly month: string;
  readonly usage: MonthlyUsage;
  readonly facts: QuotaFacts;
  readonly reputation: Reputation;
  readonly reputationReason: string | null;
  readonly payments: { readonly enabled: boolean; readonly env: Config['PAYMENTS_ENV'] };
  /** The current or last purchase of the project; null if there was none. */
  readonly subscription: Subscription | null;
}

export interface BillingPatch {
  readonly caps: Partial<ProjectFacts['caps']>;
  readonly plan: 'free' | null;
}

/** Resolves to the state of the current month; computes the reputation again. */
export async function readBilling({ core, project }: Context, now: Date = new Date()): Promise<Billing> {
  const month = monthOf(now);
  const enabled = paymentsEnabled(core.config);
  const [usage, reputation, subscription] = await Promise.all([
    readUsage(project._id, month),
    refreshReputation(project._id, now),
    enabled ? currentSubscription(project._id) : null,
  ]);
  return {
    month,
    usage,
    facts: quotaFacts(core.config, project),
    reputation,
    reputationReason: reputationReason(reputation),
    payments: { enabled, env: core.config.PAYMENTS_ENV },
    subscription,
  };
}

/**
 * Changes the caps that are given; `null` removes one. Going back to the free plan is the only change of plan that is made here: where a subscription runs, it
 * is cancelled and the plan drops when its period ends (specification, Payment subscription).
 */
export const patchBilling = ({ core, projectId }: Context, { caps, plan }: BillingPatch): Promise<void> =>
  plan !== null && paymentsEnabled(core.config) ? downgrade(core, projectId, caps) : setCaps(projectId, caps, plan);

/** Live mail of a project since an instant. */
interface Volume {
  readonly sent: number;
  readonly complained: number;
  /** Messages of the busiest UTC day. */
  readonly busiestDay: number;
}

/** Adds up a project's hourly counts since an instant. */
export async function volumeSince(projectId: string, since: Date): Promise<Volume> {
  const [row] = await DeliveryCountModel.aggregate<Volume>([
    { $match: { projectId, hour: { $gte: since } } },
    { $group: { _id: { $dateTrunc: { date: '$hour', unit: 'day' } }, sent: { $sum: '$sent' }, complained: { $sum: '$complained' } } },
    { $group: { _id: null, sent: { $sum: '$sent' }, complained: { $sum: '$complained' }, busiestDay: { $max: '$sent' } } },
    { $project: { _id: 0 } },
  ]);
  return row ?? { sent: 0, complained: 0, busiestDay: 0 };
}
