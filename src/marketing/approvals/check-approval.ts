import type { ApprovalInput, ApprovalOutlook, ApprovalState, ApprovalCheckInput } from '../../contracts/approval';
import { deleteFile } from '../../audience/lists';
import { AppError } from '../../platform/core';
import type { Core } from '../../platform/core';
import { isAlike } from '../../rules/approval-needed';
import { noteChange } from '../../records/audit';
import { contextOf } from '../../sending/opt-in';
import { ApprovalModel, Changed, UNVERSIONED } from './model';
import type { Approval, ApprovalResult, Described, Kind } from './model';
import { contentOf, forgetPayload } from './payload';
import { kindOf } from './requests';

/** Temporary failures, after which the activity is retried. */
const PASSING: ReadonlySet<string> = new Set(['rate_limited', 'internal_error', 'unavailable']);

const STANDING: ReadonlySet<ApprovalState> = new Set(['pending', 'approved']);

/**
 * Ends an approval whose time is over as of `now`, and carries out one that was approved. Resolves to its state, and to when there is more to do. Safe to
 * repeat: that it was carried out is written in the transaction that does it.
 */
export async function checkApproval(core: Core, { approvalId, projectId, now: nowMs }: ApprovalCheckInput): Promise<ApprovalOutlook> {
  const now = new Date(nowMs);
  const key = { _id: approvalId, projectId };
  await ApprovalModel.updateOne({ ...key, state: 'pending', expiresAt: { $lte: now } }, { $set: { state: 'expired' } });
  const approval = await ApprovalModel.findOne(key).lean<Approval>();
  if (approval?.state === 'approved') await carryOut(core, approval, now);
  const after = await ApprovalModel.findOne(key).lean<Approval>();
  if (!after || !STANDING.has(after.state)) await forgetWhatItHeld(approvalId, after);
  // One of a removed project has nothing left to do.
  if (!after) return { state: 'expired', waitMs: null };
  return { state: after.state, waitMs: STANDING.has(after.state) ? Math.max(0, after.expiresAt.getTime() - nowMs) : null };
}

/** Deletes what a request held of people. The file of an import that was begun belongs to that. */
async function forgetWhatItHeld(approvalId: string, approval: Approval | null): Promise<void> {
  await forgetPayload(approvalId);
  if (approval?.request.operation === 'importContacts' && approval.state !== 'executed') await deleteFile(approval.request.job._id);
}

async function carryOut(core: Core, approval: Approval, now: Date): Promise<void> {
  const { _id, projectId, request, basis, summary } = approval;
  let audited: Kind['audited'];
  try {
    const kind = kindOf(request, await contentOf(_id));
    ({ audited } = kind);
    const ctx = await contextOf(core, approval);
    if (kind.at !== null && kind.at <= now) throw new Changed('The time that it was scheduled for has passed');
    requireSame(approval, await kind.describe(ctx));
    await kind.perform(ctx, summary.recipients, async (session, { version, references = basis.references }) => {
      if (version !== basis.version) throw new Changed(CONTENT);
      if (references !== basis.references) throw new Changed(otherThan(basis));
      const { matchedCount } = await ApprovalModel.updateOne(
        { _id, projectId, state: 'approved' },
        { $set: { state: 'executed', result: { code: null, message: 'Done' } } },
        { session },
      );
      if (matchedCount === 0) throw new Changed('It was carried out already');
    });
  } catch (error) {
    await end(approval, error);
    return;
  }
  const [action, subject, reason = approval.reason] = audited;
  await noteChange(core, { projectId, by: `approval ${_id}`, action, subject, ...(reason !== null && { reason }) });
}

const CONTENT = 'Its content or its settings have changed';
/** Says what has changed: all of it counts where there is no version. */
const otherThan = ({ version }: Approval['basis']): string =>
  version === UNVERSIONED ? CONTENT : 'A segment, a template or a translation that it uses has changed';

/** Throws `Changed` where what would be done is no longer what was approved. */
function requireSame({ basis, summary: { recipients } }: Approval, now: Described): void {
  if (now.basis.version !== basis.version) throw new Changed(CONTENT);
  if (now.basis.references !== basis.references) throw new Changed(otherThan(basis));
  if (recipients === null || now.summary.recipients === null) return;
  if (!isAlike(recipients, now.summary.recipients))
    throw new Changed(`Its audience has changed: ${recipients} contacts were approved, and it would reach ${now.summary.recipients} now`);
}

/** Notes why it was not carried out. Throws failures that may pass. */
async function end({ _id, projectId }: Approval, error: unknown): Promise<void> {
  if (!(error instanceof Changed) && (!(error instanceof AppError) || PASSING.has(error.code))) throw error;
  const change =
    error instanceof Changed
      ? { state: 'void', result: { code: 'changed', message: `${error.message}. Request a new approval` } }
      : { state: 'failed', result: resultOf(error) };
  await ApprovalModel.updateOne({ _id, projectId, state: 'approved' }, { $set: change });
}

const resultOf = ({ code, message, details }: AppError): ApprovalResult => ({
  code,
  message: details.length === 0 ? message : details.map((detail) => detail.message).join(' '),
});

/** Resolves to whether an approval is over, for the sweep of workflows that last. */
export const isApprovalOver = async ({ approvalId, projectId }: ApprovalInput): Promise<boolean> =>
  (await ApprovalModel.exists({ _id: approvalId, projectId, state: { $in: [...STANDING] } })) === null;
