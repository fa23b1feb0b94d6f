import type { ClientSession } from 'mongoose';
import { invalid } from '../errors';
import { emit } from '../events/emit';
import type { NewEvent } from '../events/emit';
import { SegmentMemberModel } from './member-model';
import type { SegmentMember } from './member-model';
import { SegmentModel } from './model';
import type { Segment } from './model';

/** The static segment that a request names in `segmentId`. Throws 422: `not_found` when there is none, `invalid_combination` when its conditions say who is in it. */
export async function findStaticSegment(projectId: string, segmentId: string): Promise<Segment> {
  const segment = await SegmentModel.findOne({ _id: segmentId, projectId }).lean<Segment>();
  if (!segment) throw invalid('segmentId', 'not_found', 'There is no such segment');
  if (segment.type !== 'static')
    throw invalid('segmentId', 'invalid_combination', 'Who is in a dynamic segment follows from its conditions; name a static one');
  return segment;
}

/**
 * Puts contacts into a static segment and tells of each that was not in it (`segment.entered`), in the transaction that read them. Resolves to how many
 * entered: none when the segment is gone.
 */
export async function addMembers(
  session: ClientSession,
  { projectId, segmentId }: Pick<SegmentMember, 'projectId' | 'segmentId'>,
  contactIds: readonly string[],
  cause: Pick<NewEvent, 'testMode' | 'at' | 'enrols' | 'depth'>,
): Promise<number> {
  const rows = contactIds.map((contactId): SegmentMember => ({
    _id: `${segmentId}:${contactId}`,
    projectId,
    segmentId,
    contactId,
    enteredAt: cause.at,
  }));
  const members = SegmentMemberModel.collection;
  const there = await members
    .find<Pick<SegmentMember, '_id'>>({ _id: { $in: rows.map(({ _id }) => _id) } } as never, { session })
    .toArray();
  const known = new Set(there.map(({ _id }) => _id));
  const entering = rows.filter(({ _id }) => !known.has(_id));
  if (entering.length === 0) return 0;
  const filter = { _id: segmentId, projectId, type: 'static' } as const;
  const { matchedCount } = await SegmentModel.updateOne(filter, { $inc: { memberCount: entering.length } }, { session });
  if (matchedCount === 0) return 0;
  await members.insertMany(entering as never, { session });
  await emit(
    session,
    entering.map(({ contactId }) => ({ ...cause, projectId, name: 'segment.entered', contactId, data: { segmentId } })),
  );
  return entering.length;
}
