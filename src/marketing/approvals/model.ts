import { Schema } from 'mongoose';
import { APPROVAL_STATES } from '../../contracts/approval';
import type { ApprovalState } from '../../contracts/approval';
import type { ContactImport } from '../../audience/lists';
import { model, rowSchema } from '../../platform/mongo';
import type { SendOptions } from '../campaigns';
import { sha256 } from '../../platform/core';
import type { Context } from '../../platform/core';
import type { Keep } from '../../platform/idempotency';
import type { Shown } from './payload';

interface LaunchRequest {
  readonly operation: 'sendCampaign';
  readonly campaignId: string;
  readonly options: SendOptions;
  /** Why it is forced, for the approver and the audit. */
  readonly forceReason?: string;
}

/** Operations of the API that can be requested. */
export type ApprovalRequest =
  | LaunchRequest
  | { readonly operation: 'resumeCampaign'; readonly campaignId: string }
  | { readonly operation: 'updateWorkflow'; readonly workflowId: string }
  | { readonly operation: 'sendBatch' }
  | { readonly operation: 'deleteSuppression'; readonly suppressionId: string }
  | { readonly operation: 'importContacts'; readonly job: ContactImport };

export const APPROVABLE = [
  'sendCampaign',
  'resumeCampaign',
  'updateWorkflow',
  'sendBatch',
  'deleteSuppression',
  'importContacts',
] as const satisfies readonly ApprovalRequest['operation'][];

/** A description for the person who decides. It names nobody: see `Shown`. */
interface ApprovalSummary {
  /** One sentence. */
  readonly text: string;
  readonly subject: string | null;
  /** Contacts that would get it now; null where that cannot be counted. */
  readonly recipients: number | null;
}

/** The subject of an approval as it was when it was requested. The approval is void if this has changed. */
interface ApprovalBasis {
  /** Version of an automation, which grows with each change; of a campaign, a hash of what its recipients get and who they are. */
  readonly version: number | string;
  /** A hash of what it refers to: conditions of segments, versions of templates. */
  readonly references: string;
}

export interface ApprovalResult {
  /** An error code; null where it was carried out. */
  readonly code: string | null;
  readonly message: string;
}

/** Something that a person has to approve before it is done. */
export interface Approval {
  readonly _id: string;
  readonly projectId: string;
  readonly testMode: boolean;
  readonly state: ApprovalState;
  readonly request: ApprovalRequest;
  /** JSON text of the parameters as the caller gave them, without what names people. */
  readonly parameters: string;
  readonly summary: ApprovalSummary;
  readonly basis: ApprovalBasis;
  /** The caller's name in the audit. */
  readonly requestedBy: string;
  /** The origin of the caller: the person, also of keys that the person made, or the key or session that made the caller's key. */
  readonly origin: string;
  /** The keys and sessions that created a link, as the audit names them. */
  readonly links: readonly string[];
  readonly reason: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly decidedAt: Date | null;
  readonly decidedBy: string | null;
  readonly decisionReason: string | null;
  readonly result: ApprovalResult | null;
}

const KEPT_SECONDS = 400 * 86_400;

const text = { type: String, default: null };

const approvalSchema = rowSchema<Approval>(
  {
    _id: { type: String, required: true },
    projectId: { type: String, required: true },
    testMode: { type: Boolean, required: true },
    state: { type: String, enum: APPROVAL_STATES, required: true },
    request: { type: Schema.Types.Mixed, required: true },
    parameters: { type: String, required: true },
    summary: { type: Schema.Types.Mixed, required: true },
    basis: { type: Schema.Types.Mixed, required: true },
    requestedBy: { type: String, required: true },
    origin: { type: String, required: true },
    links: { type: [String], default: [] },
    reason: text,
    createdAt: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
    decidedAt: { type: Date, default: null },
    decidedBy: text,
    decisionReason: text,
    result: { type: Schema.Types.Mixed, default: null },
  },
  { minimize: false },
);
approvalSchema.index({ projectId: 1, createdAt: -1, _id: -1 }); // list a project's approvals, newest first
approvalSchema.index({ projectId: 1, state: 1, createdAt: -1, _id: -1 }); // the same in one state, and the number of those that wait
approvalSchema.index({ createdAt: 1 }, { expireAfterSeconds: KEPT_SECONDS }); // the end of an approval

export const ApprovalModel = model<Approval>('Approval', approvalSchema, 'approvals');

/** The effect of a request now. */
export interface Described {
  readonly summary: ApprovalSummary;
  readonly basis: ApprovalBasis;
  /** Names people; null where it names nobody. */
  readonly shown?: Shown | null;
  /** All addresses that it names. */
  readonly names?: readonly string[];
}

/** The version of what was carried out, in the transaction that did it. */
interface Done {
  readonly version: number | string;
  /** Hash of what it refers to, for a kind whose version does not change with that. */
  readonly references?: string;
}

/** Describes one request and carries it out. */
export interface Kind {
  /** Says what it would do. Throws what would refuse it now. */
  describe(ctx: Context): Promise<Described>;
  /** Does it, for as many recipients as were approved; `keep` is called in its transaction. */
  perform(ctx: Context, recipients: number | null, keep: Keep<Done>): Promise<void>;
  /** The instant that it is for; null where it is done at once. */
  readonly at: Date | null;
  /** The audit entry. Without its own reason, it takes the request's. */
  readonly audited: readonly [action: string, subject: string | null, reason?: string];
}

/** The version of what has none: its hash tells whether it has changed. */
export const UNVERSIONED = -1;

/** Says that what was approved is not what would be done. */
export class Changed extends Error {
  override readonly name = 'Changed';
}

export const hashOf = (...parts: readonly unknown[]): string => sha256(JSON.stringify(parts));

/** Returns a number with what it counts. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
