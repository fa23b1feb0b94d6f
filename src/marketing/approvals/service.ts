import { approvalWorkflowId, decidedSignal } from '../../contracts/approval';
import type { ApprovalState } from '../../contracts/approval';
import type { StartIntent } from '../../contracts/processes';
import { AppError, invalid, invalidState, newId } from '../../platform/core';
import type { Context, Core, PageRequest } from '../../platform/core';
import type { Keep } from '../../platform/idempotency';
import { inTransaction, newestFirst, ownRow } from '../../platform/mongo';
import type { Page } from '../../platform/mongo';
import { wantNow } from '../../platform/outbox';
import { requireRoom, withReferenceLock } from '../../records/events';
import { personNamed } from '../../records/projects';
import type { SendMessage } from '../../sending/accept';
import { ApprovalModel } from './model';
import type { Approval, ApprovalRequest } from './model';
import { packed, shownOf, storePayload } from './payload';
import type { Shown } from './payload';
import { kindOf } from './requests';

const LIFETIME_MS = 24 * 3_600_000;
/** Approvals of a project that wait for a decision: nobody reads more. */
const MOST_PENDING = 100;

/** A caller's request for an approval. */
export interface AskedApproval {
  readonly request: ApprovalRequest;
  /** The messages of a batch. */
  readonly messages?: readonly SendMessage[] | undefined;
  /** The parameters as the caller gave them, without what names people. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly reason: string | null;
  /** The caller's name in the audit. */
  readonly by: string;
}

/** Returns the intent of the workflow that waits for the decision; one that runs checks again at once. */
const approvalIntent = ({ _id, projectId, request, expiresAt }: Approval): StartIntent => ({
  kind: 'start',
  workflow: 'approval',
  workflowId: approvalWorkflowId(_id),
  input: { approvalId: _id, projectId },
  summary: `Approval of ${request.operation}`,
  attributes: {
    projectId,
    ...('campaignId' in request && { campaignId: request.campaignId }),
    ...(request.operation === 'updateWorkflow' && { automationId: request.workflowId }),
    due: expiresAt.toISOString(),
  },
  signal: decidedSignal.name,
  again: true,
  lasts: true,
});

/** Returns a failure as one of the body's `parameters`: what a body names and is not there is a fault of the body. */
export function inParameters(error: unknown): unknown {
  if (!(error instanceof AppError)) return error;
  if (error.code === 'not_found') return invalid('parameters.id', 'not_found', error.message);
  const details = error.details.map((detail) => ({ ...detail, path: `parameters.${detail.path}` }));
  return new AppError(error.code, error.message, details);
}

/**
 * Requests an approval of something that could be done now. `keep` stores the answer with it. Throws what would refuse it, and `limit_exceeded` where too many wait.
 *
 * | killed            | found                                  | happens                                         |
 * |-------------------|----------------------------------------|-------------------------------------------------|
 * | before the commit | nothing                                | the caller asks again                           |
 * | after it          | the approval, its intent in the outbox | the sweep starts its workflow                   |
 */
export async function requestApproval(ctx: Context, asked: AskedApproval, keep: Keep<ShownApproval>): Promise<ShownApproval> {
  const { projectId, testMode } = ctx;
  const { request, messages, parameters, reason, by } = asked;
  const {
    kind,
    content,
    summary,
    basis,
    shown = null,
    names = [],
  } = await described(ctx, request, messages).catch((error: unknown) => {
    throw inParameters(error);
  });
  const createdAt = new Date();
  const end = new Date(createdAt.getTime() + LIFETIME_MS);
  const approval: Approval = {
    _id: newId('apr', createdAt.getTime()),
    projectId,
    testMode,
    state: 'pending',
    request,
    parameters: JSON.stringify(parameters),
    summary,
    basis,
    requestedBy: by,
    origin: ctx.origin ?? by,
    links: [],
    reason,
    createdAt,
    expiresAt: kind.at !== null && kind.at < end ? kind.at : end,
    decidedAt: null,
    decidedBy: null,
    decisionReason: null,
    result: null,
  };
  await withReferenceLock(projectId, async (session) => {
    const of = () => ApprovalModel.countDocuments({ projectId, state: 'pending' }).session(session);
    await requireRoom(session, projectId, { what: 'approvals that wait for a decision', most: MOST_PENDING, of });
    await ApprovalModel.create([approval], { session });
    await storePayload(session, ctx, approval, { shown, names }, content);
    await wantNow(session, ctx.core, [approvalIntent(approval)]);
    await keep(session, { ...approval, shown });
  });
  return { ...approval, shown };
}

/** Describes the stored form of what is requested. */
async function described(ctx: Context, request: ApprovalRequest, messages: readonly SendMessage[] | undefined) {
  const content = messages ? packed(messages) : null;
  const kind = kindOf(request, content);
  return { kind, content, ...(await kind.describe(ctx)) };
}

/** An approval with what it shows of people; null where it names nobody, or is over. */
export interface ShownApproval extends Approval {
  readonly shown: Shown | null;
}

/** Resolves to approvals with what they show of people. */
async function withShown(approvals: readonly Approval[]): Promise<readonly ShownApproval[]> {
  const shown = await shownOf(approvals.map(({ _id }) => _id));
  return approvals.map((each) => ({ ...each, shown: shown.get(each._id) ?? null }));
}

/** Resolves to a page of approvals, newest first: of all states, or of one. */
export async function listApprovals(
  { projectId }: Context,
  state: ApprovalState | null,
  request: PageRequest,
): Promise<Page<ShownApproval>> {
  const page = await newestFirst<Approval>(ApprovalModel, { projectId, ...(state && { state }) }, request);
  return { ...page, rows: await withShown(page.rows) };
}

/** Resolves to an approval. Throws `not_found`. */
export const getApproval = ({ projectId }: Context, id: string): Promise<ShownApproval> => readApproval(projectId, id);

async function readApproval(projectId: string, id: string): Promise<ShownApproval> {
  return shownWith(await ownRow(ApprovalModel, 'Approval', { _id: id, projectId }));
}

/** Resolves to an approval with what it shows of people. */
export async function shownWith(approval: Approval): Promise<ShownApproval> {
  const [one] = await withShown([approval]);
  return one as ShownApproval;
}

/** A person's decision. */
export interface Decision {
  readonly verdict: 'approved' | 'rejected';
  readonly reason: string | null;
  /** The person's name in the audit. */
  readonly by: string;
}

/**
 * Returns whether a caller is the one who requested an approval: by name, or as the person behind both, also behind keys that the person's keys created.
 * Of keys without a person, each is one caller: an operator hands them out.
 */
const isRequester = ({ requestedBy, origin }: Approval, by: string, behind: string): boolean =>
  requestedBy === by || (origin === behind && personNamed(behind) !== null);

/** Throws `forbidden` for a caller in test mode where the approval is live. */
function requireMode({ testMode }: Context, approval: Approval): void {
  if (testMode && !approval.testMode) throw new AppError('forbidden', 'A test key cannot decide a live request');
}

/** Throws `forbidden` for a caller who may not let an approval pass: the one who requested it, and one in test mode for what is live. */
export function requireOther(ctx: Context, approval: Approval, by: string): void {
  requireMode(ctx, approval);
  if (isRequester(approval, by, ctx.origin ?? by))
    throw new AppError('forbidden', 'You cannot approve your own request: use another key, or ask another person');
}

/** Decides by a key or a session. Throws `not_found`, `forbidden` for whom `requireOther` refuses, and `invalid_state` unless it is pending. */
export async function decideApproval(ctx: Context, id: string, decision: Decision): Promise<ShownApproval> {
  const approval = await readApproval(ctx.projectId, id);
  if (decision.verdict === 'approved') requireOther(ctx, approval, decision.by);
  else requireMode(ctx, approval);
  return decide(ctx.core, approval, decision);
}

/** Stores a decision; what was approved is carried out by the workflow. Of two decisions, the first one counts. Throws `invalid_state` unless it is pending. */
export async function decide(core: Core, { _id, projectId }: Approval, { verdict, reason, by }: Decision): Promise<ShownApproval> {
  const decidedAt = new Date();
  const decided = await inTransaction(async (session) => {
    const row = await ApprovalModel.findOneAndUpdate(
      { _id, projectId, state: 'pending', expiresAt: { $gt: decidedAt } },
      { $set: { state: verdict, decidedAt, decidedBy: by, decisionReason: reason } },
      { session, returnDocument: 'after' },
    ).lean<Approval>();
    if (!row) throw notPending(await readApproval(projectId, _id), decidedAt);
    await wantNow(session, core, [approvalIntent(row)]);
    return row;
  });
  return shownWith(decided);
}

const notPending = ({ state, expiresAt }: Approval, now: Date): Error =>
  invalidState(`Only a pending approval can be decided; this one is ${state === 'pending' && expiresAt <= now ? 'expired' : state}`);
