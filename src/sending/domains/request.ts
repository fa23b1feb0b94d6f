import type { Context, Core } from '../../platform/core';
import { AppError, conflict } from '../../platform/core';
import { databaseNow, inTransaction } from '../../platform/mongo';
import { askNow, want, mayRemind, startNow } from '../../platform/outbox';
import { checkUpdate } from '../../contracts/domain-verification';
import { reopened } from '../../rules/domains/status';
import { checkTimes, isTaken, checkRecords, recordCheck } from './check';
import { checkAgainIntent, verificationIntent, getDomain } from './service';
import { DomainModel } from './model';
import type { Domain } from './model';
import { standingFields, standingOf } from './row';
import type { DomainCheckInput, DomainCheckResult } from '../../contracts/domain-verification';

/** A domain is checked on request at most once in this time. */
const REQUEST_EVERY_MS = 10_000;
/** Time that a request waits for the check. */
const ANSWER_MS = 8_000;

/**
 * Asks the domain's workflow to check its records now, and waits for up to eight seconds: a check that takes longer, or for which
 * Temporal or a worker is missing, is made later. Resolves to the domain after that. Opens another window for a domain that failed. Throws
 * `not_found`, `conflict` if another project has the domain, `rate_limited` if a check was requested within the last ten seconds.
 *
 * | killed            | found                                    | happens                                  |
 * |-------------------|------------------------------------------|------------------------------------------|
 * | before the commit | nothing                                  | the caller asks again                    |
 * | after it          | the request, its intent in the outbox    | the sweep gives it to the workflow       |
 * | after the check   | what it found, the intent in the outbox  | one more check is made                   |
 */
export async function verifyDomain(ctx: Context, id: string): Promise<Domain> {
  const { core, projectId } = ctx;
  await refuseTaken(await getDomain(ctx, id));
  await claimCheck(ctx, id, await databaseNow());
  await askNow(core, checkAgainIntent({ _id: id, projectId }), checkUpdate.name, ANSWER_MS);
  const domain = await getDomain(ctx, id);
  await refuseTaken(domain);
  return domain;
}

async function refuseTaken(row: Domain): Promise<void> {
  if (row.status !== 'verified' && (await isTaken(row))) throw conflict('This domain is verified in another project');
}

/** Claims a check by request, and opens another window where the last one is over; of two at the same time, one gets it. Throws `rate_limited`. */
async function claimCheck(ctx: Context, id: string, now: Date): Promise<void> {
  const { core, projectId } = ctx;
  await inTransaction(async (session) => {
    const row = await getDomain(ctx, id, session);
    refuseTooSoon(row, now);
    const before = standingOf(row);
    const open = reopened(before, checkTimes(core), now.getTime());
    const again = open !== before && { ...standingFields(open), nextCheckAt: now };
    // A check that is under way, and read the row before, finds another revision and builds on this.
    await DomainModel.updateOne({ _id: id, projectId }, { $set: { requestedAt: now, ...again }, $inc: { revision: 1 } }, { session });
    await want(session, [checkAgainIntent(row)]);
  });
}

function refuseTooSoon({ requestedAt }: Domain, now: Date): void {
  const waitMs = requestedAt === null ? 0 : requestedAt.getTime() + REQUEST_EVERY_MS - now.getTime();
  if (waitMs <= 0) return;
  throw new AppError('rate_limited', 'You can check a domain at most once every ten seconds', [], {
    headers: { 'Retry-After': String(Math.ceil(waitMs / 1_000)) },
  });
}

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
