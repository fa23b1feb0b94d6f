import { LRUCache } from 'lru-cache';
import type { Config } from '../../platform/config';
import { limitOf, secondsUntil, stateOf } from '../../platform/core';
import type { Context, ProjectFacts, RateState, Refill } from '../../platform/core';
import { databaseNow, perDatabase, writeLeft } from '../../platform/mongo';
import { RateBucketModel } from './rate-model';
import type { RateBucket } from './rate-model';
import type { ClientSession } from 'mongoose';
import { judgeQuota } from '../../rules/quota';
import { quotaFacts, usageToDecideBy } from '../../records/billing';
import type { PreparedRecipient, Skipped } from './types';

/** The share of its rate that a throttled project has (docs/sending.md, Rate limit). */
const THROTTLED_SHARE = 0.1;

type RateConfig = Pick<Config, 'SEND_RATE_PER_SECOND' | 'SEND_RATE_BURST'>;
type RatedProject = Pick<ProjectFacts, '_id' | 'reputation' | 'limits'>;

const refillOf = (config: RateConfig, project: RatedProject): Refill => ({
  burst: limitOf(config, project, 'sendBurst'),
  perSecond: limitOf(config, project, 'sendsPerSecond') * (project.reputation.state === 'throttled' ? THROTTLED_SHARE : 1),
});

/** Units of a project's rate that were drawn from its bucket for some requests, while these are decided one after another. */
export class Drawn {
  constructor(
    private readonly refill: Refill,
    /** Rest of the drawn units. */
    public units: number,
    /** Rest of the bucket. */
    private readonly beyond: number,
  ) {}

  /** Returns a copy, for a transaction that may be repeated. */
  again(): Drawn {
    return new Drawn(this.refill, this.units, this.beyond);
  }

  /** Takes all units, or none and returns false. */
  take(units: number): boolean {
    if (units > this.units) return false;
    this.units -= units;
    return true;
  }

  /** Returns the whole seconds until this many units are available, at least 1. */
  secondsUntil(units: number): number {
    return secondsUntil(this.refill, units - this.units - this.beyond);
  }

  state(): RateState {
    return stateOf(this.refill, this.units + this.beyond);
  }
}

/** The buckets as this process has written them last. */
const lastKnown = perDatabase(() => new LRUCache<string, RateBucket>({ max: 10_000 }));

/**
 * Draws from a project's bucket the units of those requests that it has enough for, in their order. One write that all processes share, by the database's clock
 * and outside the transaction that decides the requests, so that those of several processes do not collide. A rate need not outlive a failover: the write
 * waits for no majority, and what a lost process had drawn is regained in a moment.
 */
export async function draw(config: RateConfig, project: RatedProject, wanted: readonly number[]): Promise<Drawn> {
  const refill = refillOf(config, project);
  const passed = { $max: [0, { $subtract: ['$$NOW', { $ifNull: ['$at', '$$NOW'] }] }] };
  const held = { $add: [{ $ifNull: ['$units', refill.burst] }, { $multiply: [{ $divide: [passed, 1_000] }, refill.perSecond] }] };
  const added = { $add: ['$$value', '$$this'] };
  const fitting = { $cond: [{ $lte: [added, '$units'] }, added, '$$value'] };
  const row = await write(
    project._id,
    [
      // `at` never moves back, or the same time would be counted twice.
      { $set: { units: { $min: [refill.burst, held] }, at: { $max: ['$at', '$$NOW'] } } },
      { $set: { drawn: { $reduce: { input: [...wanted], initialValue: 0, in: fitting } } } },
      { $set: { units: { $subtract: ['$units', '$drawn'] } } },
    ],
    true,
  );
  if (!row) throw new Error('A bucket that was written is not there');
  return new Drawn(refill, row.drawn, row.units);
}

/** Puts back what is left of drawn units. Creates no bucket: the project may be gone. */
export async function putBack(config: RateConfig, project: RatedProject, { units }: Drawn): Promise<void> {
  if (units > 0)
    await write(project._id, [{ $set: { units: { $min: [refillOf(config, project).burst, { $add: ['$units', units] }] } } }], false);
}

async function write(projectId: string, pipeline: object[], upsert: boolean): Promise<RateBucket | null> {
  const options = { upsert, returnDocument: 'after', writeConcern: { w: 1 } } as const;
  const row = (await RateBucketModel.collection.findOneAndUpdate({ _id: projectId }, pipeline, options)) as RateBucket | null;
  if (row) lastKnown().set(projectId, row);
  return row;
}

/**
 * Resolves to what a bucket has now, as this process knows it: others have taken from it since, and put back no more than they had drawn. Null where it knows
 * nothing. What it does not know is decided as a request commits.
 */
export async function lastKnownRate({ core: { config }, project }: Context): Promise<Drawn | null> {
  const row = lastKnown().get(project._id);
  return row ? asNow(config, project, row) : null;
}

/** Resolves to the state of a project's bucket. */
export async function rateState({ core: { config }, project }: Context): Promise<RateState> {
  return (await asNow(config, project, await RateBucketModel.findById(project._id).lean<RateBucket>())).state();
}

async function asNow(config: RateConfig, project: RatedProject, row: RateBucket | null): Promise<Drawn> {
  const refill = refillOf(config, project);
  const elapsedMs = row ? Math.max(0, (await databaseNow()).getTime() - row.at.getTime()) : 0;
  const units = row ? row.units + (elapsedMs / 1_000) * refill.perSecond : refill.burst;
  return new Drawn(refill, Math.min(refill.burst, units), 0);
}

/**
 * Resolves to how many of the wanted campaign messages may go now: all, unless the project's reputation is throttled; then what its bucket holds, which is
 * taken from it (docs/sending.md, Rate limit).
 */
export async function takeUnits(config: RateConfig, project: RatedProject, wanted: number): Promise<number> {
  if (project.reputation.state !== 'throttled') return wanted;
  return (
    await draw(
      config,
      project,
      Array.from({ length: wanted }, () => 1),
    )
  ).units;
}

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
): Skipped | null {
  if (ctx.project.disabledAt !== null) return { skipped: 'disabled' };
  const { refused } = recipient;
  if (refused !== null) return { skipped: refused.reason, ...(refused.detail && { detail: refused.detail }) };
  if (ctx.testMode) return null;
  if (ctx.project.reputation.state === 'paused') return { skipped: 'reputation_paused' };
  const limit = judgeQuota(quotaFacts(ctx.core.config, ctx.project), usage, source, credits);
  return limit && { skipped: limit };
}

/** Reads what a project used in a month, for a transaction that decides by it; reads nothing where no limits apply. */
export async function usageOf(
  session: ClientSession,
  ctx: Context,
  month: string,
  source: 'transactional' | 'workflow',
): Promise<RunningUsage> {
  await writeLeft(session);
  return usageToDecideBy(session, quotaFacts(ctx.core.config, ctx.project), ctx.projectId, month, source);
}
