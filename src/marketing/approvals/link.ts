import { noteChange } from '../../records/audit';
import { AppError } from '../../platform/core';
import type { Context, Core } from '../../platform/core';
import { isOpenSession } from '../../records/console-sessions';
import { DECIDING_ROLES } from '../../rules/roles';
import { findProject, memberOf, personNamed } from '../../records/projects';
import type { Project } from '../../records/projects';
import { ApprovalModel } from './model';
import type { Approval } from './model';
import { decide, getApproval, requireOther, shownWith } from './service';
import type { Decision, ShownApproval } from './service';

const PREFIX = 'apr_';
const TOKEN = /^([0-9a-z]{26})\.([0-9a-z]{28})$/;
/** The name of a link in the audit. */
const BY_LINK = 'link';

// A link belongs to the one who created it.
const signed = ({ _id, expiresAt }: Pick<Approval, '_id' | 'expiresAt'>, by: string): string => `${_id}/${expiresAt.getTime()}/${by}`;

const KEY = 'key ';

/** Resolves to whether somebody may still let others decide: a key or session that has ended may not, nor a person whose role decides nothing, or who has left. */
async function mayStill(project: Project, by: string): Promise<boolean> {
  const person = personNamed(by);
  if (person !== null) {
    const member = memberOf(project, person);
    return DECIDING_ROLES.some((role) => role === member?.role);
  }
  if (!by.startsWith(KEY)) return isOpenSession(project._id, by);
  const now = new Date();
  return project.keys.some(
    ({ prefix, revokedAt, expiresAt }) => prefix === by.slice(KEY.length) && revokedAt === null && (expiresAt === null || expiresAt > now),
  );
}

/** Returns the screen of the console that shows an approval. It needs a sign-in. */
export const screenUrl = ({ config }: Pick<Core, 'config'>, id: string): string => `${config.PUBLIC_URL}/console/approvals/${id}`;

/** A link by which one person decides once, without a sign-in. */
export interface ApprovalLink {
  readonly url: string;
  readonly expiresAt: Date;
}

/** Creates the link of a pending approval, for everybody who could approve it. Throws `not_found`, `forbidden` for whom `requireOther` refuses. */
export async function linkTo(ctx: Context, id: string, by: string): Promise<ApprovalLink> {
  const approval = await getApproval(ctx, id);
  requireOther(ctx, approval, by);
  const { config, secrets } = ctx.core;
  const { expiresAt } = approval;
  await ApprovalModel.updateOne({ _id: id, projectId: ctx.projectId }, { $addToSet: { links: by } });
  return { url: `${config.PUBLIC_URL}/a/${id.slice(PREFIX.length)}.${secrets.sign('approval', signed(approval, by))}`, expiresAt };
}

/** An approval as the page of its link shows it. */
export interface LinkedApproval {
  readonly approval: ShownApproval;
  readonly projectName: string;
}

/** Resolves to what a link is about; null for one that was not made here, or whose key was revoked. Changes nothing. */
export async function approvalAt({ secrets }: Pick<Core, 'secrets'>, token: string): Promise<LinkedApproval | null> {
  const [, id, signature = ''] = TOKEN.exec(token) ?? [];
  if (id === undefined) return null;
  const approval = await ApprovalModel.findOne({ _id: PREFIX + id }).lean<Approval>();
  if (!approval) return null;
  const by = approval.links.find((each) => secrets.verify('approval', signed(approval, each), signature));
  if (by === undefined) return null;
  const project = await findProject(approval.projectId);
  if (!project || project.removedAt || !(await mayStill(project, by))) return null;
  return { approval: await shownWith(approval), projectName: project.name };
}

/** Decides by a link: it is used up by that. Resolves to the approval as it is then, also where it was decided before; null as `approvalAt`. */
export async function decideByLink(core: Core, token: string, verdict: Decision['verdict']): Promise<LinkedApproval | null> {
  const shown = await approvalAt(core, token);
  if (!shown) return null;
  try {
    const approval = await decide(core, shown.approval, { verdict, reason: null, by: BY_LINK });
    const { _id: subject, projectId } = approval;
    const action = verdict === 'approved' ? 'approval.approve' : 'approval.reject';
    await noteChange(core, { projectId, by: BY_LINK, action, subject });
    return { ...shown, approval };
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_state') return approvalAt(core, token);
    throw error;
  }
}
