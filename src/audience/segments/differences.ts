import { matchingIds } from '../contacts';
import { topicsAsked } from '../topics';
import { startsAsked } from '../../records/emails';
import { compile } from '../../rules/conditions/compile';
import { factsNeeded } from '../../rules/conditions/inventory';
import { idsOf, SegmentMemberModel } from './member-model';
import type { PlannedSegment } from './plan';

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
