import type { ClientSession } from 'mongoose';
import { newId } from '../../platform/core';
import { afterCommit, inSequence, inTransaction, perDatabase } from '../../platform/mongo';
import { SegmentMemberModel, idsOf, CountChangeModel } from './member-model';
import type { CountChange } from './member-model';
import { SegmentModel } from './model';
import { matchingIds } from '../contacts';
import { topicsAsked } from '../topics';
import { startsAsked } from '../../records/emails';
import { compile } from '../../rules/conditions/compile';
import { factsNeeded } from '../../rules/conditions/inventory';
import type { PlannedSegment } from './plan';

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

const BATCH = 5_000;

/** A contact whose membership is not what the conditions say. */
export interface Difference {
  readonly contactId: string;
  /** It matches and is not in, or is in and does not match. */
  readonly enters: boolean;
}

/**
 * Yields where the members of a segment are not those who match at `now`, in portions of at most `size`. Both are read once, in the order of their ids, side
 * by side: memory stays the same however many there are. What is found may be out of date by the time it is acted upon.
 */
export async function* differences(
  projectId: string,
  { segmentId, tree }: Pick<PlannedSegment, 'segmentId' | 'tree'>,
  now: Date,
  size: number,
): AsyncGenerator<readonly Difference[]> {
  const starts = await startsAsked(projectId, factsNeeded(tree));
  const topics = await topicsAsked(projectId, tree);
  const matching = idsFrom(matchingIds(projectId, compile(tree, { projectId, now, starts, topics }).stages));
  const members = idsFrom(memberIds(segmentId));
  let portion: Difference[] = [];
  for await (const difference of compared(matching, members)) {
    portion.push(difference);
    if (portion.length < size) continue;
    yield portion;
    portion = [];
  }
  if (portion.length > 0) yield portion;
}

/** Reads only the index of `_id`: a segment's id belongs to one project. */
async function* memberIds(segmentId: string): AsyncGenerator<{ readonly _id: string }> {
  const rows = SegmentMemberModel.collection
    .find<{ _id: string }>({ _id: idsOf(segmentId) }, { projection: { _id: 1 }, batchSize: BATCH })
    .sort({ _id: 1 });
  for await (const { _id } of rows) yield { _id: _id.slice(segmentId.length + 1) };
}

const idsFrom = (rows: AsyncIterable<{ readonly _id: string }>): AsyncIterator<{ readonly _id: string }> => rows[Symbol.asyncIterator]();

type Ids = AsyncIterator<{ readonly _id: string }>;

const nextId = async (ids: Ids): Promise<string | null> => {
  const next = await ids.next();
  return next.done ? null : next.value._id;
};

async function* compared(matching: Ids, members: Ids): AsyncGenerator<Difference> {
  try {
    let [match, member] = await Promise.all([nextId(matching), nextId(members)]);
    while (match !== null || member !== null) {
      if (member === null || (match !== null && match < member)) {
        yield { contactId: match as string, enters: true };
        match = await nextId(matching);
      } else if (match === null || member < match) {
        yield { contactId: member, enters: false };
        member = await nextId(members);
      } else {
        [match, member] = await Promise.all([nextId(matching), nextId(members)]);
      }
    }
  } finally {
    await Promise.all([matching.return?.(), members.return?.()]);
  }
}
