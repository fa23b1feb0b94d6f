import { model, rowSchema } from '../../platform/mongo';
import { MEMBER_ROLES } from '../../rules/roles';
import type { MemberRole } from '../projects';

/** An invitation that was mailed and not accepted yet. */
export interface Invitation {
  readonly _id: string;
  /** Hash of the token in its link, which is in the mail alone: it proves that its holder reads the mail of the address. */
  readonly token: string;
  readonly projectId: string;
  readonly address: string;
  readonly role: MemberRole;
  /** The inviter's name in the audit. */
  readonly invitedBy: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

const invitationSchema = rowSchema<Invitation>({
  _id: { type: String, required: true },
  token: { type: String, required: true },
  projectId: { type: String, required: true },
  address: { type: String, required: true },
  role: { type: String, enum: MEMBER_ROLES, required: true },
  invitedBy: { type: String, required: true },
  createdAt: { type: Date, required: true },
  expiresAt: { type: Date, required: true },
});
invitationSchema.index({ token: 1 }); // who opens its link
invitationSchema.index({ projectId: 1, address: 1 }, { unique: true }); // a project's invitations, one for each address
invitationSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 60 }); // one that was not accepted

export const InvitationModel = model<Invitation>('Invitation', invitationSchema, 'invitations');
