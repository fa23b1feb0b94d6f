import { Schema } from 'mongoose';
import { model, rowSchema } from '../../platform/mongo';
import { MEMBER_ROLES } from '../../rules/roles';
import type { MemberRole } from '../projects';

/** Time for which a person is known who is in no project any more: as long as the audit may name the person. */
const KEPT_SECONDS = 400 * 86_400;

/** A passkey of a person. */
export interface Passkey {
  /** The id of the credential, as the browser has it. */
  readonly id: string;
  /** In COSE form and base64url. */
  readonly publicKey: string;
  /** Uses that the authenticator counted; 0 of one that does not count. */
  readonly counter: number;
  readonly transports: readonly string[];
  readonly name: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

/** The second factors of a person. All of it may be absent of a person who never had any. */
export interface Factors {
  /** The secret of the authenticator app, sealed. It counts once `totpSince` is set. */
  readonly totpSecret?: string | null;
  /** When it was confirmed by a code. */
  readonly totpSince?: Date | null;
  /** The step of time of the last code that was taken: no code up to it is good again. */
  readonly totpStep?: number;
  /** Hashes of the codes that are left. */
  readonly recoveryCodes?: readonly string[];
  readonly passkeys?: readonly Passkey[];
}

/** An account at an OpenID provider: no two accounts of an issuer have the same subject. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
}

/** A person who signs in, in any number of projects. Their roles are with the projects. */
export interface Person extends Factors {
  readonly _id: string;
  /** In lower case; no two persons have the same. */
  readonly address: string;
  readonly name: string | null;
  readonly createdAt: Date;
  /** The account that the person signs in with; null, or absent, of a person without one. */
  readonly identity?: Identity | null;
  /** Since when the person is in no project; null for a person who is in one. */
  readonly leftAt: Date | null;
  /** Grows when the person joins or leaves a project, so that two such changes at once meet (docs/decisions/0021). */
  readonly changes: number;
}

const personSchema = rowSchema<Person>({
  _id: { type: String, required: true },
  address: { type: String, required: true },
  name: { type: String, default: null },
  createdAt: { type: Date, required: true },
  identity: {
    type: new Schema<Identity>({ issuer: { type: String, required: true }, subject: { type: String, required: true } }, { _id: false }),
    default: null,
  },
  leftAt: { type: Date, default: null },
  changes: { type: Number, default: 0 },
  totpSecret: { type: String, default: null },
  totpSince: { type: Date, default: null },
  totpStep: { type: Number, default: 0 },
  recoveryCodes: [String],
  passkeys: [
    new Schema(
      {
        id: { type: String, required: true },
        publicKey: { type: String, required: true },
        counter: { type: Number, required: true },
        transports: [String],
        name: { type: String, required: true },
        createdAt: { type: Date, required: true },
        lastUsedAt: { type: Date, default: null },
      },
      { _id: false },
    ),
  ],
});
personSchema.index({ address: 1 }, { unique: true }); // who signs in or is added
personSchema.index(
  { 'identity.issuer': 1, 'identity.subject': 1 },
  { unique: true, partialFilterExpression: { 'identity.subject': { $type: 'string' } } },
); // who signs in with a provider
personSchema.index({ leftAt: 1 }, { expireAfterSeconds: KEPT_SECONDS }); // the end of a person who left

export const PersonModel = model<Person>('Person', personSchema, 'persons');

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
