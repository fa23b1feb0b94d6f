import type { ClientSession } from 'mongoose';
import type { Config } from '../../platform/config';
import type { ProjectFacts } from '../../platform/core';
import type { QuotaFacts } from '../../rules/quota';
import type { EmailSource } from '../emails';
import { paymentSettings } from '../payments';
import type { PaymentsConfig } from '../payments';
import { UsageModel } from './model';
import type { Usage } from './model';

type QuotaConfig = Pick<Config, 'ENFORCE_PLAN_QUOTAS' | 'PLAN_QUOTA_FREE' | 'PLAN_QUOTA_STARTER' | 'PLAN_QUOTA_GROWTH'> & PaymentsConfig;

/** Whether plans are sold: a payment provider is configured. */
export const paymentsEnabled = (config: PaymentsConfig): boolean => paymentSettings(config) !== null;

/** Returns what a project may use. The plan's quota is a hosted plan's hard cap, and a self-hosted install's only where it asks for that. */
export const quotaFacts = (config: QuotaConfig, { caps, plan }: Pick<ProjectFacts, 'caps' | 'plan'>): QuotaFacts => ({
  caps,
  plan,
  enforced: config.ENFORCE_PLAN_QUOTAS || paymentsEnabled(config),
  quotas: { free: config.PLAN_QUOTA_FREE, starter: config.PLAN_QUOTA_STARTER, growth: config.PLAN_QUOTA_GROWTH },
});

/** Returns the calendar month (UTC) that a message is charged to, `YYYY-MM`. */
export const monthOf = (at: Date): string => at.toISOString().slice(0, 7);

const usageId = (projectId: string, month: string): string => `${projectId}/${month}`;

const NOTHING: Usage['categories'] = { transactional: 0, campaign: 0, workflow: 0, inbound: 0 };

/** Resolves to what a project used in a month; zeros where nothing was counted yet. */
export async function readUsage(projectId: string, month: string, session?: ClientSession): Promise<Usage> {
  const _id = usageId(projectId, month);
  return usageOf(_id, await UsageModel.collection.findOne<Usage>({ _id }, session ? { session } : {}));
}

const usageOf = (_id: string, row: Usage | null): Usage => ({
  ...{ _id, used: row?.used ?? 0, credits: row?.credits ?? 0 },
  categories: { ...NOTHING, ...row?.categories },
});

interface Amount {
  readonly messages: number;
  readonly credits: number;
}

/**
 * Adds what a transaction accepted, or gives back (negative) what it cancelled. A concurrent change of the same month aborts one of the two.
 * Inbound mail counts in its own category only.
 */
export const addUsage = (session: ClientSession, projectId: string, month: string, source: EmailSource, amount: Amount): Promise<void> =>
  addUsages(session, [{ projectId, month, source, ...amount }]);

/** Does the same, and resolves to what the project had used before. */
export async function addUsageTo(
  session: ClientSession,
  projectId: string,
  month: string,
  source: EmailSource,
  amount: Amount,
): Promise<Usage> {
  const _id = usageId(projectId, month);
  const options = { session, upsert: true, returnDocument: 'before' } as const;
  return usageOf(
    _id,
    (await UsageModel.collection.findOneAndUpdate({ _id }, { $inc: incrementsOf(source, amount) }, options)) as Usage | null,
  );
}

const incrementsOf = (source: EmailSource, { messages, credits }: Amount): Readonly<Record<string, number>> => ({
  ...(source !== 'inbound' && { used: messages, credits }),
  [`categories.${source}`]: messages,
});

/** Adds the usage of many. */
export async function addUsages(
  session: ClientSession,
  rows: readonly (Amount & { readonly projectId: string; readonly month: string; readonly source: EmailSource })[],
): Promise<void> {
  const sums = new Map<string, Record<string, number>>();
  for (const { projectId, month, source, messages, credits } of rows) {
    if (messages === 0) continue;
    const _id = usageId(projectId, month);
    const sum = sums.get(_id) ?? {};
    for (const [name, by] of Object.entries(incrementsOf(source, { messages, credits }))) sum[name] = (sum[name] ?? 0) + by;
    sums.set(_id, sum);
  }
  for (const [_id, sum] of sums) await UsageModel.collection.updateOne({ _id }, { $inc: sum }, { session, upsert: true });
}
