import type { ClientSession } from 'mongoose';
import { AppError, conflict, isToken, newId, newToken, notFound, sha256 } from '../../platform/core';
import { inTransaction } from '../../platform/mongo';
import { memberOf } from '../projects';
import type { Changer, MemberRole, Project } from '../projects';
import { InvitationModel } from './model';
import type { Invitation } from './model';
import { findPersonAt, join } from './service';

const LIFETIME_MS = 7 * 24 * 3_600_000;
/** Invitations of a project that wait. */
const MOST_WAITING = 100;

/** An invitation, and the token that its link has: it is mailed, and shown to nobody else. */
export interface Invited {
  readonly invitation: Invitation;
  readonly token: string;
}

/** The request of an inviter. */
export interface Inviting {
  readonly address: string;
  readonly role: MemberRole;
  /** The inviter's name in the audit. */
  readonly by: string;
}

/** Checks an invitation and makes it, without storing it. Throws `forbidden` for an owner that no owner invites, `conflict` for a member, and `limit_exceeded`. */
export async function invite(project: Pick<Project, '_id' | 'members'>, inviting: Inviting, by: Changer): Promise<Invited> {
  const { address, role } = inviting;
  if (role === 'owner' && !by.isOwner) throw new AppError('forbidden', 'Only an owner can invite an owner');
  const person = await findPersonAt(address);
  if (person && memberOf(project, person._id)) throw conflict('This person is a member of the project');
  const waiting = await InvitationModel.countDocuments({ projectId: project._id, address: { $ne: address } });
  if (waiting >= MOST_WAITING) throw new AppError('limit_exceeded', `A project can have up to ${MOST_WAITING} pending invitations`);
  const token = newToken();
  const createdAt = new Date();
  const invitation: Invitation = {
    _id: newId('inv', createdAt.getTime()),
    token: sha256(token),
    projectId: project._id,
    address,
    role,
    invitedBy: inviting.by,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + LIFETIME_MS),
  };
  return { invitation, token };
}

/** Stores an invitation in the transaction that mails it. It replaces an earlier one to the same address, whose link leads nowhere from then on. */
export async function storeInvitation(session: ClientSession, invitation: Invitation): Promise<void> {
  const { projectId, address } = invitation;
  await InvitationModel.deleteOne({ projectId, address }, { session });
  await InvitationModel.create([invitation], { session });
}

/** Resolves to the invitations of a project that wait, newest first. */
export const listInvitations = (projectId: string): Promise<Invitation[]> =>
  InvitationModel.find({ projectId, expiresAt: { $gt: new Date() } })
    .sort({ createdAt: -1, _id: -1 })
    .lean<Invitation[]>();

/** Withdraws an invitation: its link leads nowhere. Throws `not_found`. */
export async function withdrawInvitation(projectId: string, id: string): Promise<void> {
  const { deletedCount } = await InvitationModel.deleteOne({ _id: id, projectId });
  if (deletedCount === 0) throw notFound('Invitation');
}

/** Resolves to the invitation of a link; null for one that is used up, withdrawn or over. */
export const invitationOf = async (token: string): Promise<Invitation | null> =>
  isToken(token) ? InvitationModel.findOne({ token: sha256(token), expiresAt: { $gt: new Date() } }).lean<Invitation>() : null;

/** Accepts an invitation, which is used up by it. Resolves to the id of the person; null where somebody was faster. Throws what `join` throws. */
export const acceptInvitation = ({ _id, projectId, address, role }: Invitation): Promise<string | null> =>
  inTransaction(async (session) => {
    const { deletedCount } = await InvitationModel.deleteOne({ _id, projectId }, { session });
    return deletedCount === 0 ? null : join(session, projectId, { address, role, name: null });
  });
