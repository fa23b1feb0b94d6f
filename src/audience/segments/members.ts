import type { ClientSession } from 'mongoose';
import { inTransaction } from '../../platform/mongo';
import { noteCounts } from './counts';
import { beginJudging, forgetGuards } from './guards';
import { idsOf, memberId, SegmentMemberModel } from './member-model';
import type { SegmentMember } from './member-model';

const members = () => SegmentMemberModel.collection;

/** Resolves to the contacts in a segment, `limit` of them at most, in no order that means anything. Reads the index of `_id` from the segment on. */
export async function someMembers(projectId: string, segmentId: string, limit: number): Promise<readonly string[]> {
  const found = await members()
    .find<{ contactId: string }>({ _id: idsOf(segmentId), projectId }, { projection: { contactId: 1 }, limit })
    .toArray();
  return found.map(({ contactId }) => contactId);
}

/** Finds which of the contacts are in a segment. */
export async function membersAmong(
  projectId: string,
  segmentId: string,
  contactIds: readonly string[],
  session?: ClientSession,
): Promise<ReadonlySet<string>> {
  const filter = { _id: { $in: contactIds.map((contactId) => memberId(segmentId, contactId)) }, projectId };
  const found = await members()
    .find<{ _id: string }>(filter, { projection: { _id: 1 }, ...(session && { session }) })
    .toArray();
  return new Set(found.map(({ _id }) => _id.slice(segmentId.length + 1)));
}

/** Resolves to the segments that a contact is in, and since when. */
export const membershipsOf = (projectId: string, contactId: string): Promise<Pick<SegmentMember, 'segmentId' | 'enteredAt'>[]> =>
  SegmentMemberModel.find({ projectId, contactId }, { _id: 0, segmentId: 1, enteredAt: 1 }).lean();

/**
 * Takes contacts out of all segments that they entered up to `before`, in the transaction of their deletion or in one of its own. Emits nothing: it is
 * the event of their deletion.
 */
export async function removeFromSegments(
  projectId: string,
  contactIds: readonly string[],
  before: Date,
  session?: ClientSession,
): Promise<void> {
  if (session) {
    await beginJudging(session, projectId, contactIds);
    await remove(session, projectId, contactIds, before);
    return;
  }
  await inTransaction((own) => remove(own, projectId, contactIds, before));
  await forgetGuards(projectId, contactIds);
}

async function remove(session: ClientSession, projectId: string, contactIds: readonly string[], before: Date): Promise<void> {
  const filter = { projectId, contactId: { $in: [...contactIds] }, enteredAt: { $lte: before } };
  const rows = await members()
    .find<SegmentMember>(filter, { session, projection: { segmentId: 1 } })
    .toArray();
  if (rows.length === 0) return;
  await members().deleteMany({ _id: { $in: rows.map(({ _id }) => _id) }, projectId }, { session });
  const counts = rows.map(({ segmentId }) => ({ segmentId, by: -1 }));
  await noteCounts(session, projectId, counts);
}
