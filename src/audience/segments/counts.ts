import type { ClientSession } from 'mongoose';
import { newId } from '../../platform/core';
import { afterCommit, inSequence, inTransaction, perDatabase } from '../../platform/mongo';
import { SegmentMemberModel, idsOf, CountChangeModel } from './member-model';
import { SegmentModel } from './model';
import type { CountChange } from './member-model';

const PAGE = 1_000;

type Change = Pick<CountChange, 'segmentId' | 'by'>;
type SegmentKey = Pick<CountChange, 'projectId' | 'segmentId'>;

/** Notes, in the transaction of the change, what it does to numbers of members: a row of its own, so that no two changes wait for each other. */
export async function noteCounts(session: ClientSession, projectId: string, changes: readonly Change[]): Promise<void> {
  const sums = new Map<string, number>();
  for (const { segmentId, by } of changes) sums.set(segmentId, (sums.get(segmentId) ?? 0) + by);
  const rows = [...sums]
    .filter(([, by]) => by !== 0)
    .map(([segmentId, by]): CountChange => ({ _id: newId('sc'), projectId, segmentId, by }));
  if (rows.length > 0) await CountChangeModel.collection.insertMany(rows, { session });
}

/**
 * Adds what was noted to the `memberCount` of one segment. Safe to repeat, and to run twice at once: a change is in the sum or waits, never both. In one
 * process it runs in sequence, since each change of members asks for it at once and so does its commit.
 */
export const foldCount = (key: SegmentKey): Promise<number> =>
  inSequence(`count ${key.segmentId}`, async () => {
    let total = 0;
    for (let done = PAGE; done === PAGE; total += done) done = await inTransaction((session) => foldPage(session, key));
    return total;
  });

async function foldPage(session: ClientSession, { projectId, segmentId }: SegmentKey): Promise<number> {
  const rows = await CountChangeModel.find({ projectId, segmentId }, null, { session }).sort({ _id: 1 }).limit(PAGE).lean<CountChange[]>();
  if (rows.length === 0) return 0;
  const by = rows.reduce((sum, row) => sum + row.by, 0);
  await SegmentModel.updateOne({ _id: segmentId, projectId }, { $inc: { memberCount: by } }, { session });
  await CountChangeModel.deleteMany({ _id: { $in: rows.map(({ _id }) => _id) }, projectId, segmentId }, { session });
  return rows.length;
}

/** Folds the counts of all segments that have something noted. Resolves to how many changes there were. */
export async function foldCounts(): Promise<number> {
  let total = 0;
  const noted = await CountChangeModel.aggregate<SegmentKey>([
    { $group: { _id: '$segmentId', projectId: { $first: '$projectId' } } },
    { $project: { _id: 0, segmentId: '$_id', projectId: 1 } },
  ]);
  for (const key of noted) total += await foldCount(key);
  return total;
}

/** Segments whose counts are being folded, and whether to fold them again after that. */
const foldingNow = perDatabase(() => new Map<string, { again: boolean }>());

/** Brings the number of members up to date soon after the commit. A failure is left to the schedule. */
export function foldAfterCommit(session: ClientSession, key: SegmentKey): void {
  afterCommit(session, () => foldSoon(key));
}

function foldSoon(key: SegmentKey): void {
  const { segmentId } = key;
  const folding = foldingNow();
  const current = folding.get(segmentId);
  if (current) {
    current.again = true;
    return;
  }
  const state = { again: false };
  folding.set(segmentId, state);
  foldCount(key)
    .catch(() => undefined)
    .finally(() => {
      folding.delete(segmentId);
      if (state.again) foldSoon(key);
    });
}

/** Resolves to the number of members as the transaction sees it, which is then no longer waited for by anything that is noted. */
export async function countNow(session: ClientSession, { projectId, segmentId }: SegmentKey): Promise<number> {
  await CountChangeModel.deleteMany({ projectId, segmentId }, { session });
  return SegmentMemberModel.collection.countDocuments({ _id: idsOf(segmentId) }, { session });
}

/** Counts the members of a segment again. */
export const recount = (projectId: string, segmentId: string): Promise<void> =>
  inTransaction(async (session) => {
    const memberCount = await countNow(session, { projectId, segmentId });
    await SegmentModel.updateOne({ _id: segmentId, projectId }, { $set: { memberCount } }, { session });
  });
