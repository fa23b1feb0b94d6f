import { Schema } from 'mongoose';
import { model, rowSchema } from '../../platform/mongo';
import type { ProjectFacts } from '../../platform/core';
import { newId } from '../../platform/core';
import { MEMBER_ROLES } from '../../rules/roles';
import type { MemberRole } from '../../rules/roles';

export type { MemberRole } from '../../rules/roles';

export const PLANS = ['free', 'starter', 'growth'] as const;
export const KEY_KINDS = ['secret', 'test', 'public'] as const;
/** Rights of a secret or test key: everything; send and read e-mails; read. */
export const KEY_SCOPES = ['full', 'sending', 'read'] as const;
/** Ways in which the ledger of consent keeps network addresses: not at all, as a keyed hash, or whole. */
export const IP_KEPT = ['off', 'hash', 'full'] as const;
const REPUTATION_STATES = ['ok', 'warn', 'throttled', 'paused'] as const;

export type Plan = (typeof PLANS)[number];
export type KeyKind = (typeof KEY_KINDS)[number];
export type KeyScope = (typeof KEY_SCOPES)[number];
/** The rights of a caller: the scope of a key, or the role of a person. */
export type Grant = KeyScope | MemberRole;

/** A person in a project. It is a part of the project's row: what a person may do is read with each request, and a change of one row is exact. */
export interface MemberRow {
  readonly personId: string;
  readonly role: MemberRole;
  readonly since: Date;
}

export interface KeyRow {
  readonly hash: string;
  readonly kind: KeyKind;
  /** Absent of public keys. */
  readonly scope?: KeyScope;
  /** The first characters of the key, by which people recognize it. */
  readonly prefix: string;
  /** The maker, as the audit names callers; absent of a key that an operator made. */
  readonly createdBy?: string;
  /** The beginning of the chain of keys that made it, as the audit names callers: a person, a console session, or a key that an operator made. */
  readonly origin?: string;
  readonly createdAt: Date;
  /** From then on it is refused; null when it has no end. */
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
}

export interface Project extends ProjectFacts {
  /** Since when it is being removed. */
  readonly removedAt?: Date;
  readonly keys: readonly KeyRow[];
  /** Absent of a project that was created before there were members. */
  readonly members?: readonly MemberRow[];
}

const cap = { type: Number, default: null };

const projectSchema = rowSchema<Project>({
  _id: { type: String, default: () => newId('prj') },
  name: { type: String, required: true },
  createdAt: { type: Date, required: true },
  disabledAt: { type: Date, default: null },
  removedAt: { type: Date },
  plan: { type: String, enum: PLANS, default: 'free' },
  caps: {
    type: new Schema({ overall: cap, transactional: cap, campaign: cap, workflow: cap, inbound: cap }, { _id: false }),
    default: () => ({}),
  },
  /** Keeps ids that derive from an address unguessable (contacts, suppressions). */
  idSalt: { type: String, required: true },
  /** Bumped in the transaction of every change to what sending caches per project (domains). */
  configVersion: { type: Number, default: 0 },
  tracking: { type: Schema.Types.Mixed },
  consent: { type: new Schema({ ip: { type: String, enum: IP_KEPT, required: true } }, { _id: false }) },
  brand: { type: Schema.Types.Mixed },
  windows: { type: Schema.Types.Mixed },
  frequencyCaps: { type: Schema.Types.Mixed },
  limits: { type: Schema.Types.Mixed },
  approvalNeededAbove: { type: Number },
  translations: { type: Number },
  membersNeedSecondFactor: { type: Boolean },
  reputation: {
    type: new Schema(
      {
        state: { type: String, enum: REPUTATION_STATES, default: 'ok' },
        reason: { type: String, default: null },
        resetAt: { type: Date, default: null },
      },
      { _id: false },
    ),
    default: () => ({}),
  },
  keys: [
    new Schema(
      {
        hash: { type: String, required: true },
        kind: { type: String, enum: KEY_KINDS, required: true },
        scope: { type: String, enum: KEY_SCOPES },
        prefix: { type: String, required: true },
        createdBy: { type: String },
        origin: { type: String },
        createdAt: { type: Date, required: true },
        expiresAt: { type: Date, default: null },
        revokedAt: { type: Date, default: null },
      },
      { _id: false },
    ),
  ],
  members: [
    new Schema(
      {
        personId: { type: String, required: true },
        role: { type: String, enum: MEMBER_ROLES, required: true },
        since: { type: Date, required: true },
      },
      { _id: false },
    ),
  ],
});
projectSchema.index({ 'members.personId': 1 }); // the projects of a person
projectSchema.index({ 'keys.hash': 1 }, { unique: true }); // who asks: one lookup for each request
projectSchema.index({ createdAt: 1, _id: 1 }); // list of projects; the first one owns the development domains
projectSchema.index({ 'reputation.state': 1, _id: 1 }); // sweep: whose reputation may have mended

export const ProjectModel = model<Project>('Project', projectSchema, 'projects');
