import type { ClientSession } from 'mongoose';
import { judgeQuota } from '../../rules/quota';
import { quotaFacts, usageToDecideBy } from '../../records/billing';
import type { Context } from '../../platform/core';
import { writeLeft } from '../../platform/mongo';
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
