import type { OptInOutlook, OptInCheckInput } from '../../contracts/contacts';
import { AppError } from '../../platform/core';
import type { Context, Core } from '../../platform/core';
import { inTransaction } from '../../platform/mongo';
import { mailed, waitMsOf } from '../../rules/opt-in-times';
import { contextOf, prepareConfirmation } from './mail';
import { OptInModel } from './model';
import type { OptIn } from './model';

/** The wait before a confirmation is tried again that cannot be sent now, as because of a limit or a domain that is not verified. */
const TRY_AGAIN_MS = 3_600_000;

/**
 * Does what is due of an opt-in as of `now`: sends the confirmation or its reminder, and removes an opt-in whose time is over. Resolves to when there is more to
 * do; null when the opt-in is over. Safe to repeat: a message and the note that it was sent are one transaction.
 */
export async function checkOptIn(core: Core, { optInId, projectId, now: nowMs }: OptInCheckInput): Promise<OptInOutlook | null> {
  const now = new Date(nowMs);
  const key = { _id: optInId, projectId };
  const optIn = await OptInModel.findOne(key).lean<OptIn>();
  if (!optIn) return null;
  if (optIn.expiresAt <= now) {
    await OptInModel.deleteOne({ ...key, expiresAt: optIn.expiresAt });
  } else if (optIn.nextMailAt !== null && optIn.nextMailAt <= now) {
    await send(await contextOf(core, optIn), optIn, now);
  }
  const after = await OptInModel.findOne(key).lean<OptIn>();
  return after && { status: after.status, mails: after.mails, waitMs: waitMsOf(after, now) };
}

async function send(ctx: Context, optIn: OptIn, now: Date): Promise<void> {
  const { _id, projectId, requestedAt, nextMailAt } = optIn;
  const due = { _id, projectId, status: 'pending' as const, requestedAt, nextMailAt };
  const store = await prepareConfirmation(ctx, optIn).catch((error: unknown) => {
    if (!(error instanceof AppError) || error.code !== 'send_failed') throw error;
    ctx.core.log.warn({ err: error, optInId: _id, projectId }, 'A confirmation could not be sent; it is retried');
    return null;
  });
  const later = { $set: { nextMailAt: new Date(now.getTime() + TRY_AGAIN_MS) } };
  if (!store) {
    await OptInModel.updateOne(due, later);
    return;
  }
  await inTransaction(async (session) => {
    const { mails, lastMailAt, nextMailAt: next } = mailed(optIn, now);
    const { matchedCount } = await OptInModel.updateOne(due, { $set: { mails, lastMailAt, nextMailAt: next } }, { session });
    if (matchedCount === 0) return;
    const accepted = await store(session);
    const note = 'emailId' in accepted ? { emailId: accepted.emailId } : skippedFor(accepted.skipped, optIn, later.$set.nextMailAt);
    await OptInModel.updateOne({ _id, projectId }, { $set: note }, { session });
  });
}

// An address that is suppressed gets nothing; every other reason passes.
const skippedFor = (reason: string, { mails, lastMailAt }: OptIn, later: Date): Pick<OptIn, 'mails' | 'lastMailAt' | 'nextMailAt'> => ({
  mails,
  lastMailAt,
  nextMailAt: reason === 'suppressed' ? null : later,
});

/** Resolves to whether an opt-in is over, for the sweep of workflows that last. */
export const isOptInOver = async ({ optInId, projectId }: Pick<OptInCheckInput, 'optInId' | 'projectId'>): Promise<boolean> =>
  (await OptInModel.exists({ _id: optInId, projectId })) === null;

/** Removes the opt-ins of an erased person that were requested up to an instant. Resolves to their number. */
export const removeOptIns = async (projectId: string, contactId: string, upTo: Date): Promise<number> =>
  (await OptInModel.deleteMany({ projectId, contactId, requestedAt: { $lte: upTo } })).deletedCount;
