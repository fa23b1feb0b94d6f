import type { ClientSession } from 'mongoose';
import { SegmentMemberModel } from './member-model';

const members = () => SegmentMemberModel.collection;

const ID = { projection: { _id: 1 } } as const;

/** The contacts in a segment, `limit` of them at most, in no order that means anything. Reads the index of `_id` from the segment on. */
export async function someMembers(projectId: string, segmentId: string, limit: number): Promise<readonly string[]> {
  const filter = { _id: { $gt: `${segmentId}:`, $lt: `${segmentId};` }, projectId };
  const found = await members()
    .find<{ contactId: string }>(filter as never, { projection: { contactId: 1 }, limit })
    .toArray();
  return found.map(({ contactId }) => contactId);
}

/** Those of the contacts that are in a segment. */
export async function membersAmong(projectId: string, segmentId: string, contactIds: readonly string[]): Promise<ReadonlySet<string>> {
  const filter = { _id: { $in: contactIds.map((contactId) => `${segmentId}:${contactId}`) }, projectId };
  const found = await members()
    .find<{ _id: string }>(filter as never, ID)
    .toArray();
  return new Set(found.map(({ _id }) => _id.slice(segmentId.length + 1)));
}

/** Takes contacts out of all segments that they entered up to `before`. Emits nothing: it is their deletion that is told. */
export async function removeFromSegments(
  projectId: string,
  contactIds: readonly string[],
  before: Date,
  session?: ClientSession,
): Promise<void> {
  const filter = { projectId, contactId: { $in: [...contactIds] }, enteredAt: { $lte: before } };
  await members().deleteMany(filter, session ? { session } : {});
}
