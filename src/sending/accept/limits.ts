import type { ClientSession } from 'mongoose';
import { judgeQuota } from '../../rules/quota';
import { quotaFacts, readUsage } from '../../records/billing';
import type { Config } from '../../platform/config';
import type { Context, Core, ProjectFacts, RateState } from '../../platform/core';
import { databaseNow, inTransaction, writeLeft } from '../../platform/mongo';
import { RateBucketModel } from './rate-model';
import type { RateBucket } from './rate-model';
import type { PreparedRecipient, SkipReason } from './types';

/** The month's usage while a group of requests is counted into it. */
export interface RunningUsage {
  used: number;
  credits: number;
  readonly categories: { transactional: number; campaign: number; workflow: number; inbound: number };
}

/**
 * Returns why a recipient is skipped, in the order of docs/sending.md: `disabled`, `suppressed`, `unsubscribed`, `reputation_paused`, `limit_reached`,
 * `free_tier_exceeded`, `plan_quota_exceeded`. Limits do not apply to test mail.
 */
export function skipReason(
  ctx: Context,
  recipient: PreparedRecipient,
  usage: RunningUsage,
  credits: number,
  source: 'transactional' | 'workflow' = 'transactional',
): SkipReason | null {
  if (ctx.project.disabledAt !== null) return 'disabled';
  if (recipient.refused !== null) return recipient.refused;
  if (ctx.testMode) return null;
  if (ctx.project.reputation.state === 'paused') return 'reputation_paused';
  return judgeQuota(quotaFacts(ctx.core.config, ctx.project), usage, source, credits);
}

const NO_USAGE: RunningUsage = { used: 0, credits: 0, categories: { transactional: 0, campaign: 0, workflow: 0, inbound: 0 } };

/** Reads what a project used in a month; reads nothing where no limits apply. */
export async function usageOf(session: ClientSession, ctx: Context, month: string): Promise<RunningUsage> {
  if (!isCapped(ctx)) return NO_USAGE;
  await writeLeft(session);
  return readUsage(ctx.projectId, month, session);
}

/** Whether the month's usage decides anything: without caps and quotas it is only counted. */
function isCapped({ core: { config }, project: { caps, plan } }: Context): boolean {
  return quotaFacts(config, { caps, plan }).enforced || Object.values(caps).some((cap) => cap !== null);
}

/** The share of its rate that a throttled project has (docs/sending.md, Rate limit). */
const THROTTLED_SHARE = 0.1;

/** The token bucket of a project while a group of requests takes from it. `now` is the database's: processes on several machines share the bucket. */
export class Bucket {
  private readonly perSecond: number;
  private readonly burst: number;
  units: number;
  /** Up to when units were regained. Never moves back, or the same time would be counted twice. */
  readonly at: Date;

  constructor(
    config: Pick<Config, 'SEND_RATE_PER_SECOND' | 'SEND_RATE_BURST'>,
    project: Pick<ProjectFacts, 'reputation'>,
    row: RateBucket | null,
    now: Date,
  ) {
    this.burst = config.SEND_RATE_BURST;
    this.perSecond = config.SEND_RATE_PER_SECOND * (project.reputation.state === 'throttled' ? THROTTLED_SHARE : 1);
    this.at = row && row.at > now ? row.at : now;
    const passed = row ? Math.max(0, now.getTime() - row.at.getTime()) / 1000 : 0;
    this.units = row ? Math.min(this.burst, row.units + passed * this.perSecond) : this.burst;
  }

  /** Takes all units, or none and returns false. */
  take(units: number): boolean {
    if (units > this.units) return false;
    this.units -= units;
    return true;
  }

  /** Returns the whole seconds until so many units are available, at least 1. */
  secondsUntil(units: number): number {
    return Math.max(1, Math.ceil((units - this.units) / this.perSecond));
  }

  state(): RateState {
    return { limit: this.burst, remaining: Math.floor(this.units), reset: Math.ceil((this.burst - this.units) / this.perSecond) };
  }
}

/**
 * Resolves to how many of the wanted campaign messages may go now: all, unless the project's reputation is throttled; then what its bucket holds, which is
 * taken from it (docs/sending.md, Reputation).
 */
export function takeUnits({ config }: Pick<Core, 'config'>, project: ProjectFacts, wanted: number): Promise<number> {
  if (project.reputation.state !== 'throttled') return Promise.resolve(wanted);
  return inTransaction(async (session) => {
    const now = await databaseNow();
    const row = await RateBucketModel.collection.findOne<RateBucket>({ _id: project._id }, { session });
    const bucket = new Bucket(config, project, row, now);
    const units = Math.min(wanted, Math.floor(bucket.units));
    bucket.take(units);
    const rest = { units: bucket.units, at: bucket.at };
    await RateBucketModel.collection.updateOne({ _id: project._id }, { $set: rest }, { session, upsert: true });
    return units;
  });
}
