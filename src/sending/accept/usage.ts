import type { ClientSession } from 'mongoose';
import { quotaFacts, readUsage } from '../../records/billing';
import type { Context } from '../../platform/core';
import { writeLeft } from '../../platform/mongo';
import type { RunningUsage } from './decide';

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
