import { sameRows, model, rowSchema } from '../../platform/mongo';
import { contentGoing } from './content';
import { DUE_PRIORITIES, EmailModel } from './model';
import { DUE_INDEX } from './indexes';
import type { Email } from './model';

/** A message that waits for an operator, after a restore: it is `queued`, and due at no time. */
interface HeldMail {
  /** The message's id. */
  readonly _id: string;
  readonly projectId: string;
}

const heldSchema = rowSchema<HeldMail>({ _id: { type: String, required: true }, projectId: { type: String, required: true } });
export const HeldMailModel = model<HeldMail>('HeldMail', heldSchema, 'held_emails');

const CHUNK = 500;
/** Text that `GET /v1/emails/{id}` shows. */
const WAITS = 'On hold until the operator decides: the database was restored, and the message may have been sent before';
const TAKEN_AS_SENT = 'Marked as sent by the operator after the database was restored';

const emails = () => EmailModel.collection;
const held = () => HeldMailModel.collection;

/**
 * Takes queued messages out of what is due. That they are held is noted first: killed in between, they are found as due, and held again.
 */
export async function park(behind: readonly Pick<Email, '_id' | 'projectId'>[]): Promise<void> {
  if (behind.length === 0) return;
  const notes = behind.map(({ _id, projectId }) => ({
    updateOne: { filter: { _id: _id }, update: { $setOnInsert: { projectId } }, upsert: true },
  }));
  await held().bulkWrite(notes, { ordered: false });
  const queued = { ...sameRows(behind), status: 'queued' };
  await emails().updateMany(queued, { $set: { error: WAITS }, $unset: { dueAt: '' } }, { hint: '_id_' });
}

/** Finds due messages of a shard that were accepted up to an instant. */
export const dueBehind = async (shard: number, acceptedBy: Date, dueBy: Date): Promise<Pick<Email, '_id' | 'projectId'>[]> =>
  emails()
    .find<Pick<Email, '_id' | 'projectId'>>(
      { shard, projectId: { $gt: '' }, priority: { $in: DUE_PRIORITIES }, dueAt: { $lte: dueBy }, createdAt: { $lte: acceptedBy } },
      { hint: DUE_INDEX, limit: CHUNK, projection: { projectId: 1 } },
    )
    .toArray();

/** Takes queued messages as sent, at an instant. No event says so, and what their senders want nothing kept of goes. Resolves to how many. */
export async function markSent(behind: readonly HeldMail[], at: Date): Promise<number> {
  const queued = { ...sameRows(behind), status: 'queued' as const };
  const sent = { status: 'sent', sentAt: at, error: TAKEN_AS_SENT } as const;
  const passing = await emails()
    .find<Passing>({ ...queued, content: 'passing' }, { projection: { projectId: 1, content: 1, attachments: 1 }, hint: '_id_' })
    .toArray();
  const writes = passing.map(({ _id, projectId, content, attachments = [] }) => ({
    updateOne: {
      filter: { _id, projectId, status: 'queued' as const },
      update: { $set: { ...sent, ...contentGoing({ content, attachments }) }, $unset: { dueAt: '' as const } },
      hint: '_id_',
    },
  }));
  const others = { updateMany: { filter: queued, update: { $set: sent, $unset: { dueAt: '' as const } }, hint: '_id_' } };
  return (await emails().bulkWrite([...writes, others])).modifiedCount;
}

type Passing = Pick<Email, '_id' | 'projectId' | 'content'> & Partial<Pick<Email, 'attachments'>>;

async function letGo(rows: readonly HeldMail[]): Promise<number> {
  const queued = { ...sameRows(rows), status: 'queued' };
  return (await emails().updateMany(queued, [{ $set: { dueAt: '$$NOW' } }, { $unset: 'error' }], { hint: '_id_' })).modifiedCount;
}

/** Lets a chunk of what is held go, or with an instant takes it as sent. Resolves to how many messages it was; null when none is held. */
export async function decideChunk(sentAt: Date | null): Promise<number | null> {
  const rows = await held().find<HeldMail>({}, { limit: CHUNK }).toArray();
  if (rows.length === 0) return null;
  const count = sentAt ? await markSent(rows, sentAt) : await letGo(rows);
  await held().deleteMany({ _id: { $in: rows.map(({ _id }) => _id) } });
  return count;
}

/** Resolves to how many messages are held, by project. */
export async function heldByProject(): Promise<readonly { readonly projectId: string; readonly messages: number }[]> {
  const groups = await held()
    .aggregate<{ _id: string; messages: number }>([{ $group: { _id: '$projectId', messages: { $sum: 1 } } }, { $sort: { _id: 1 } }])
    .toArray();
  return groups.map(({ _id, messages }) => ({ projectId: _id, messages }));
}

/** Resolves to how many messages are held. */
export const heldCount = (maxTimeMS: number): Promise<number> => held().estimatedDocumentCount({ maxTimeMS });

/** Resolves to how many messages were on the wire of workers, up to an instant, and not taken over since. */
export const onTheWireSince = (before: Date): Promise<number> =>
  emails().countDocuments({ status: 'sending', 'attempt.worker': { $type: 'string' }, 'attempt.at': { $lte: before } });
