import { Schema } from 'mongoose';
import { model, rowSchema } from '../../platform/mongo';

/** Words that a person reads before they decide, and that name people. */
export interface Shown {
  readonly subject: string | null;
  /** The first recipients. */
  readonly first: readonly string[];
  /** The beginning of the first message, as text. */
  readonly excerpt: string | null;
}

/** Content of a request that names people. It is kept apart from its approval, and only until that is over. */
export interface ApprovalPayload {
  /** The id of the approval. */
  readonly _id: string;
  readonly projectId: string;
  /** Ids of those that it names, as contacts. */
  readonly people: readonly string[];
  readonly shown: Shown;
  /** The messages of a batch in BSON. */
  readonly content: Buffer | null;
  readonly createdAt: Date;
}

/** Longer than any outage that an approval should outlive. */
const KEPT_SECONDS = 7 * 86_400;

const payloadSchema = rowSchema<ApprovalPayload>({
  _id: { type: String, required: true },
  projectId: { type: String, required: true },
  people: { type: [String], required: true },
  shown: { type: Schema.Types.Mixed, required: true },
  content: { type: Buffer, default: null },
  createdAt: { type: Date, required: true },
});
payloadSchema.index({ projectId: 1, people: 1 }); // erasure of a person, and removal of a project
payloadSchema.index({ createdAt: 1 }, { expireAfterSeconds: KEPT_SECONDS }); // the end of what nobody deleted

export const ApprovalPayloadModel = model<ApprovalPayload>('ApprovalPayload', payloadSchema, 'approval_payloads');
