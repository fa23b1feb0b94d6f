import type { ClientSession } from 'mongoose';
import { judgeQuota } from '../../rules/quota';
import { quotaFacts, usageToDecideBy } from '../../records/billing';
import type { Context } from '../../platform/core';
import { writeLeft } from '../../platform/mongo';
import type { PreparedRecipient, Skipped } from './types';

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
