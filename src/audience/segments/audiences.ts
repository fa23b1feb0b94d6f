import type { ClientSession } from 'mongoose';
import { newId } from '../../platform/core';
import { insertRows } from '../../platform/mongo';
import { recount } from './counts';
import { complete } from './fill';
import { idsOf, memberId, SegmentMemberModel, memberRow } from './member-model';
import type { Entrant } from './member-model';
import { SegmentModel } from './model';
import type { Segment } from './model';

export const segmentExists = async (projectId: string, segmentId: string, session?: ClientSession): Promise<boolean> =>
  (await SegmentModel.exists({ _id: segmentId, projectId }).session(session ?? null)) !== null;

/** Computes the members of segments that are being edited, or whose editor died: until then there are the old members, the new ones, or some of each. */
export async function completeSegments(projectId: string, segmentIds: readonly string[]): Promise<void> {
  for (const segmentId of segmentIds) await complete(projectId, segmentId);
}

/** Resolves to contacts in a segment, in the order of their ids, after `after`. */
export async function memberPage(projectId: string, segmentId: string, after: string, limit: number): Promise<readonly string[]> {
  const filter = { _id: { ...idsOf(segmentId), $gt: memberId(segmentId, after) }, projectId };
  const rows = await SegmentMemberModel.collection
    .find<{ contactId: string }>(filter, { projection: { _id: 0, contactId: 1 }, sort: { _id: 1 }, limit })
    .toArray();
  return rows.map(({ contactId }) => contactId);
}

/** Creates a static segment that is filled in a moment. Resolves to its id. */
export async function createStaticSegment(
  session: ClientSession,
  { projectId, name, description }: Pick<Segment, 'projectId' | 'name' | 'description'>,
  now: Date,
): Promise<string> {
  const [segment] = await SegmentModel.create(
    [{ _id: newId('seg', now.getTime()), projectId, name, description, type: 'static', createdAt: now, updatedAt: now }],
    { session },
  );
  return segment?._id ?? '';
}

/** Puts contacts into a segment that is being made: nothing is emitted for those who are in it from its beginning. Repeating it changes nothing. */
export async function fillSegment(projectId: string, segmentId: string, contacts: readonly Entrant[], enteredAt: Date): Promise<void> {
  await insertRows(SegmentMemberModel, contacts.map(memberRow({ projectId, segmentId }, enteredAt)));
}

/** Counts a segment that was filled. */
export const countFilled = (projectId: string, segmentId: string): Promise<void> => recount(projectId, segmentId);
