import mongoose from 'mongoose';
import type { ClientSession } from 'mongoose';
import { personId } from '../../platform/addresses';
import type { Context } from '../../platform/core';
import { invalid } from '../../platform/core';
import type { SendMessage } from '../../sending/accept';
import { Changed, ApprovalModel } from './model';
import type { Described, Approval } from './model';
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
interface ApprovalPayload {
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

const { serialize, deserialize } = mongoose.mongo.BSON;

/** A document of the database holds 16 MiB. */
const MOST_BYTES = 14 * 1_048_576;

/** Returns messages as they are stored. Throws 422 where they are too large. */
export function packed(messages: readonly SendMessage[]): Buffer {
  const bytes = Buffer.from(serialize({ messages }, { ignoreUndefined: true }));
  if (bytes.length > MOST_BYTES) throw invalid('messages', 'too_big', 'The batch is too large to wait for an approval; split it');
  return bytes;
}

/** Returns stored messages. Throws `Changed` where they are gone. */
export function unpacked(content: Buffer | null): readonly SendMessage[] {
  if (!content) throw new Changed('Its messages are no longer kept');
  return deserialize(content, { promoteBuffers: true })['messages'] as readonly SendMessage[];
}

/** Stores what a request holds of people, if it does, with its approval. */
export async function storePayload(
  session: ClientSession,
  { project }: Context,
  { _id, projectId, createdAt }: Approval,
  { shown = null, names = [] }: Pick<Described, 'shown' | 'names'>,
  content: Buffer | null,
): Promise<void> {
  if (!shown) return;
  const people = [...new Set(names.map((email) => personId('ctc', project.idSalt, email)))];
  await ApprovalPayloadModel.collection.insertOne({ _id, projectId, people, shown, content, createdAt }, { session });
}

/** Resolves to the content of a request; null for one that has none, or whose content is gone. */
export async function contentOf(_id: string): Promise<Buffer | null> {
  const payload = await ApprovalPayloadModel.collection.findOne<{ content: mongoose.mongo.Binary | null }>(
    { _id },
    { projection: { content: 1 } },
  );
  return payload?.content ? Buffer.from(payload.content.buffer) : null;
}

/** Resolves to what approvals show of people, by id. */
export async function shownOf(ids: readonly string[]): Promise<ReadonlyMap<string, Shown>> {
  const found = await ApprovalPayloadModel.find({ _id: { $in: [...ids] } }, { shown: 1 }).lean<Pick<ApprovalPayload, '_id' | 'shown'>[]>();
  return new Map(found.map(({ _id, shown }) => [_id, shown]));
}

/** Deletes what a request held of people. Safe to repeat. */
export async function forgetPayload(_id: string): Promise<void> {
  await ApprovalPayloadModel.deleteOne({ _id });
}

/** Voids the requests that name an erased person, and deletes what they held. Resolves to how many they were. */
export async function eraseFromApprovals(projectId: string, contactId: string, upTo: Date): Promise<number> {
  const found = await ApprovalPayloadModel.find({ projectId, people: contactId, createdAt: { $lte: upTo } }, { _id: 1 }).lean<
    Pick<ApprovalPayload, '_id'>[]
  >();
  const ids = found.map(({ _id }) => _id);
  if (ids.length === 0) return 0;
  const result = { code: 'changed', message: 'A person that it names was erased. Request a new approval' };
  await ApprovalModel.updateMany(
    { _id: { $in: ids }, projectId, state: { $in: ['pending', 'approved'] } },
    { $set: { state: 'void', result } },
  );
  await ApprovalPayloadModel.deleteMany({ _id: { $in: ids } });
  return ids.length;
}
