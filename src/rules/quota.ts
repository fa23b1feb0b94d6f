type Plan = 'free' | 'starter' | 'growth';
type Source = 'transactional' | 'campaign' | 'workflow' | 'inbound';

/** The limits of a project in a month (UTC). */
export interface QuotaFacts {
  /** Messages; null = no cap. */
  readonly caps: Readonly<Record<'overall' | Source, number | null>>;
  readonly plan: Plan;
  /** Whether the plan's quota stops sending. */
  readonly enforced: boolean;
  /** Credits. */
  readonly quotas: Readonly<Record<Plan, number>>;
}

/** The use of the month until now. */
export interface QuotaUsage {
  readonly used: number;
  readonly credits: number;
  readonly categories: Readonly<Record<Source, number>>;
}

export type QuotaRefusal = 'limit_reached' | 'free_tier_exceeded' | 'plan_quota_exceeded';

/**
 * Returns why one more message of this many credits does not fit, or null if it does (docs/sending.md, Credits and limits). Inbound mail
 * only has its own cap.
 */
export function judgeQuota(facts: QuotaFacts, usage: QuotaUsage, source: Source, credits: number): QuotaRefusal | null {
  if (isFull(facts.caps[source], usage.categories[source])) return 'limit_reached';
  if (source === 'inbound') return null;
  if (isFull(facts.caps.overall, usage.used)) return 'limit_reached';
  if (!facts.enforced || usage.credits + credits <= facts.quotas[facts.plan]) return null;
  return facts.plan === 'free' ? 'free_tier_exceeded' : 'plan_quota_exceeded';
}

const isFull = (cap: number | null, used: number): boolean => cap !== null && used >= cap;
