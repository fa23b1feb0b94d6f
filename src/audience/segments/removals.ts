import type { ClientSession } from 'mongoose';
import { IN_FLIGHT_MS } from './fill';
import { idsOf, SegmentMemberModel } from './member-model';
import { CountChangeModel, SegmentRemovalModel } from './upkeep-models';
import type { SegmentRemoval } from './upkeep-models';

const PAGE = 5_000;
const ROWS_AT_A_TIME = 100;

/** Notes, in the transaction of a segment's deletion, that its members are to be removed: they can be too many for one. */
export async function noteRemoval(session: ClientSession, projectId: string, segmentId: string, at: Date): Promise<void> {
  const row: SegmentRemoval = { _id: segmentId, projectId, at };
  await SegmentRemovalModel.create([row], { session });
}

/** Removes the members of a deleted segment until none is left or `until` (of `performance.now()`) has come. Resolves to whether none is left. */
export async function removeMembersOf(projectId: string, segmentId: string, until: number): Promise<boolean> {
  const members = SegmentMemberModel.collection;
  for (;;) {
    const rows = await members.find({ _id: idsOf(segmentId) }, { projection: { _id: 1 }, limit: PAGE }).toArray();
    if (rows.length > 0) await members.deleteMany({ _id: { $in: rows.map(({ _id }) => _id) }, projectId });
    if (rows.length < PAGE) return true;
    if (performance.now() > until) return false;
  }
}

/** Finishes deletions; also what was in the middle of a transaction meanwhile. Safe to repeat. Resolves to how many are finished. */
export async function sweepRemovals(now: Date): Promise<number> {
  const rows = await SegmentRemovalModel.find({ at: { $lte: new Date(now.getTime() - IN_FLIGHT_MS) } })
    .sort({ at: 1, _id: 1 })
    .limit(ROWS_AT_A_TIME)
    .lean<SegmentRemoval[]>();
  for (const { _id, projectId } of rows) {
    await removeMembersOf(projectId, _id, Number.POSITIVE_INFINITY);
    await CountChangeModel.deleteMany({ projectId, segmentId: _id });
    await SegmentRemovalModel.deleteOne({ _id, projectId });
  }
  return rows.length;
}
