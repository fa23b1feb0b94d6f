import type { ClientSession } from 'mongoose';
import { isTransient, perDatabase } from '../../platform/mongo';
import type { Config } from '../../platform/config';
import type { ProjectFacts } from '../../platform/core';
import { judgeQuota } from '../../rules/quota';
import type { QuotaFacts } from '../../rules/quota';
import type { EmailSource } from '../emails';
import { paymentSettings } from '../payments';
import type { PaymentsConfig } from '../payments';
import { UsageModel } from './model';
import type { Usage } from './model';

type QuotaConfig = Pick<Config, 'ENFORCE_PLAN_QUOTAS' | 'PLAN_QUOTA_FREE' | 'PLAN_QUOTA_STARTER' | 'PLAN_QUOTA_GROWTH'> & PaymentsConfig;

/** Returns whether plans are sold: a payment provider is configured. */
export const paymentsEnabled = (config: PaymentsConfig): boolean => paymentSettings(config) !== null;

/** Returns what a project may use. The plan's quota is a hosted plan's hard cap, and a self-hosted install's only where it asks for that. */
export const quotaFacts = (config: QuotaConfig, { caps, plan }: Pick<ProjectFacts, 'caps' | 'plan'>): QuotaFacts => ({
  caps,
  plan,
  enforced: config.ENFORCE_PLAN_QUOTAS || paymentsEnabled(config),
  quotas: { free: config.PLAN_QUOTA_FREE, starter: config.PLAN_QUOTA_STARTER, growth: config.PLAN_QUOTA_GROWTH },
});

/** Returns whether the month's usage decides anything: without caps and quotas it is only counted. */
const isCapped = ({ caps, enforced }: QuotaFacts): boolean => enforced || Object.values(caps).some((cap) => cap !== null);

/** Returns the calendar month (UTC) that a message is charged to, `YYYY-MM`. */
export const monthOf = (at: Date): string => at.toISOString().slice(0, 7);

/**
 * A month's usage is the sum of this many rows, its stripes. Each process adds to one of them, so that processes that accept mail of one project at the same
 * time write different rows, and none of their transactions has to be repeated for another's.
 */
const STRIPES = 8;

/** The stripe that this process adds to. It moves to another one when it meets another process there. */
const stripe = perDatabase(() => ({ number: anyStripe() }));

const anyStripe = (): number => Math.floor(Math.random() * STRIPES);

const stripeId = (projectId: string, month: string, number: number): string => `${projectId}/${month}/${number}`;

const NOTHING: Usage['categories'] = { transactional: 0, campaign: 0, workflow: 0, inbound: 0 };

/** The use of a project in a month. */
export type MonthlyUsage = Pick<Usage, 'used' | 'credits' | 'categories'>;

/** Resolves to what a project used in a month; zeros where nothing was counted yet. */
export async function readUsage(projectId: string, month: string, session?: ClientSession): Promise<MonthlyUsage> {
  const ids = { $gte: stripeId(projectId, month, 0), $lt: stripeId(projectId, month, STRIPES) };
  const rows = await UsageModel.collection.find<Usage>({ _id: ids }, session ? { session } : {}).toArray();
  const sum = { used: 0, credits: 0, categories: { ...NOTHING } as Record<EmailSource, number> };
  for (const { used = 0, credits = 0, categories } of rows as readonly Partial<Usage>[]) {
    sum.used += used;
    sum.credits += credits;
    for (const [source, count] of Object.entries(categories ?? {})) sum.categories[source as EmailSource] += count;
  }
  return sum;
}

/**
 * Usage that processes may add at the same time without knowing of each other: far more than the transactions under way can hold, at 2,000 messages each and
 * two credits for a message.
 */
const MARGIN = 100_000;

/**
 * Resolves to what a project used in a month, for a transaction that decides by it; to zeros where no limit applies. Where a limit is near, the transaction
 * excludes all others that add usage to the month: of two at once one is repeated, and reads what the other has added. So limits are exact.
 */
export async function usageToDecideBy(
  session: ClientSession,
  facts: QuotaFacts,
  projectId: string,
  month: string,
  source: EmailSource,
): Promise<MonthlyUsage> {
  if (!isCapped(facts)) return { used: 0, credits: 0, categories: NOTHING };
  const usage = await readUsage(projectId, month, session);
  if (isNear(facts, usage, source)) await excludeOthers(session, projectId, month);
  return usage;
}

const isNear = (facts: QuotaFacts, { used, credits, categories }: MonthlyUsage, source: EmailSource): boolean =>
  judgeQuota(
    facts,
    {
      used: used + MARGIN,
      credits,
      categories: { ...categories, [source]: categories[source] + MARGIN },
    },
    source,
    MARGIN,
  ) !== null;

/** Writes all stripes, including those that do not exist yet, since another transaction could be the first to add to one. */
async function excludeOthers(session: ClientSession, projectId: string, month: string): Promise<void> {
  const writes = Array.from({ length: STRIPES }, (_, number) => ({
    updateOne: { filter: { _id: stripeId(projectId, month, number) }, update: { $inc: { holds: 1 } }, upsert: true },
  }));
  await UsageModel.collection.bulkWrite(writes, { session, ordered: false });
}

interface Amount {
  readonly messages: number;
  readonly credits: number;
}

/**
 * Adds what a transaction accepted, or gives back (negative) what it cancelled. Inbound mail counts in its own category only.
 */
export const addUsage = (session: ClientSession, projectId: string, month: string, source: EmailSource, amount: Amount): Promise<void> =>
  addUsages(session, [{ projectId, month, source, ...amount }]);

const incrementsOf = (source: EmailSource, { messages, credits }: Amount): Readonly<Record<string, number>> => ({
  ...(source !== 'inbound' && { used: messages, credits }),
  [`categories.${source}`]: messages,
});

/** Adds the usage of many. */
export async function addUsages(
  session: ClientSession,
  rows: readonly (Amount & { readonly projectId: string; readonly month: string; readonly source: EmailSource })[],
): Promise<void> {
  const own = stripe();
  const sums = new Map<string, Record<string, number>>();
  for (const { projectId, month, source, messages, credits } of rows) {
    if (messages === 0) continue;
    const _id = stripeId(projectId, month, own.number);
    const sum = sums.get(_id) ?? {};
    for (const [name, by] of Object.entries(incrementsOf(source, { messages, credits }))) sum[name] = (sum[name] ?? 0) + by;
    sums.set(_id, sum);
  }
  try {
    for (const [_id, sum] of sums) await UsageModel.collection.updateOne({ _id }, { $inc: sum }, { session, upsert: true });
  } catch (error) {
    // Another process was faster at this stripe: the transaction is repeated with another one.
    if (isTransient(error)) own.number = anyStripe();
    throw error;
  }
}
