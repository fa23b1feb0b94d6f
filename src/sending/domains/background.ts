import type { Core } from '../../platform/core';
import type { DomainCheckInput, DomainCheckResult } from '../../contracts/domain-verification';
import { mayRemind, startNow } from '../../platform/outbox';
import { checkRecords, recordCheck } from './check';
import { checkAgainIntent, verificationIntent } from './intents';
import { DomainModel } from './model';
import type { Domain } from './model';

/** A slow name server may take its time, within the eight seconds that a request waits for a check. */
const LOOK_UP_MS = 6_000;
/** A check that is this late has no workflow: somebody ended it, or Temporal lost it. */
const FORGOTTEN_MS = 15 * 60_000;
const PAGE = 100;

/** Checks a domain as of the instant `now`, in milliseconds; null when it was deleted. */
export async function checkInBackground(core: Core, { domainId, projectId, now }: DomainCheckInput): Promise<DomainCheckResult | null> {
  const row = await DomainModel.findOne({ _id: domainId, projectId }).lean<Domain>();
  if (!row) return null;
  const checked = await checkRecords(core, row, LOOK_UP_MS);
  const domain = await recordCheck(core, projectId, domainId, { ...checked, now: new Date(now) });
  return domain && { status: domain.status, waitMs: domain.nextCheckAt && domain.nextCheckAt.getTime() - now };
}

/** Starts the workflows of domains that were to be checked a while ago; one that runs, and waits for something else, checks now. Resolves to how many. */
export async function restartForgottenChecks(core: Core, now: Date): Promise<number> {
  // The type tells the planner that the partial index has all of these.
  const late = { $lt: new Date(now.getTime() - FORGOTTEN_MS), $type: 'date' } as const;
  const rows = await DomainModel.find({ nextCheckAt: late }, { projectId: 1 }).sort({ nextCheckAt: 1 }).limit(PAGE).lean<Domain[]>();
  startNow(
    core,
    rows.map((row) => (mayRemind(core, row._id) ? checkAgainIntent(row) : verificationIntent(row))),
  );
  return rows.length;
}
