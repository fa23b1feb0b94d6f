import { domainOf } from '../../platform/addresses';
import type { Context } from '../../platform/core';
import { volumeSince } from '../../records/billing';
import { sentByRecipientDomain } from '../../records/emails';
import { misalignmentOf } from '../../sending/domains';
import { LEAST_COMPLAINTS, judgeComplaints, judgeAlignment } from '../../rules/preflight/judges';
import type { Finding } from '../../rules/preflight/finding';
import type { Campaign } from './model';
import { refuse } from './refusals';

const DAY_MS = 86_400_000;
const DAYS = 30;
/** Messages that are counted by provider. */
const MOST_COUNTED = 20_000;

/** Returns the beginning of the span by which a launch is checked: 30 days ago, or when the operator reset the project's reputation. */
export const checkedSince = ({ project }: Context, now: Date): Date =>
  new Date(Math.max(now.getTime() - DAYS * DAY_MS, project.reputation.resetAt?.getTime() ?? 0));

/** Checks the complaint rates of a project. Counts by provider only where the complaints are enough to matter. */
export async function complaintsOf(ctx: Context, since: Date): Promise<Finding> {
  const { projectId } = ctx;
  const all = await volumeSince(projectId, since);
  const domains =
    all.complained < LEAST_COMPLAINTS ? new Map<string, never>() : await sentByRecipientDomain(projectId, since, MOST_COUNTED);
  return judgeComplaints(all, domains);
}

/** Finds what is known to do harm at a launch: two reads and one lookup of DNS, which takes a second at most. */
async function blocksOf(ctx: Context, { fromEmail }: Pick<Campaign, 'fromEmail'>): Promise<readonly Finding[]> {
  const from = domainOf(fromEmail);
  const [complaints, alignment] = await Promise.all([
    complaintsOf(ctx, checkedSince(ctx, new Date())),
    misalignmentOf(ctx.core, ctx.projectId, from),
  ]);
  return [complaints, ...(alignment ? [judgeAlignment(from, alignment)] : [])].filter(({ level }) => level === 'block');
}

type Action = `campaign.${string}`;

/** The members of a launch that force it. */
export interface Forced {
  readonly force?: boolean | undefined;
  readonly forceReason?: string | undefined;
}

/** Returns the entry of the audit for a launch: a forced one has an action of its own, and its reason. */
export function auditedLaunch(action: Action, id: string, { force, forceReason }: Forced): readonly [Action, string, reason?: string] {
  if (force !== true) return [action, id];
  return forceReason === undefined ? [`${action}_forced`, id] : [`${action}_forced`, id, forceReason];
}

const BY_FORCE = 'To send anyway, give `force: true`.';

/** Throws 422 at `force` with what stops a launch, unless it is forced. In test mode nothing leaves, and nothing stops it. `anyway` says how to do it nevertheless. */
export async function requireClear(
  ctx: Context,
  campaign: Pick<Campaign, 'fromEmail'>,
  force: boolean,
  anyway: string = BY_FORCE,
): Promise<void> {
  if (force || ctx.testMode) return;
  const blocks = await blocksOf(ctx, campaign);
  refuse(
    blocks.map(({ check, what, how, detail }) => ({
      path: 'force',
      code: 'invalid_combination',
      message: `${check}: ${what}${detail === undefined ? '' : ` ${detail}.`} ${how} ${anyway}`,
    })),
  );
}
