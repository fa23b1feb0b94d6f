import type { ClientSession } from 'mongoose';
import { createdAtOf } from '../contacts';
import { contactsWithEvents } from '../../records/events';
import { databaseNow, inSequence, inTransaction, insertRows } from '../../platform/mongo';
import { countNow, differences } from './counts';
import type { Difference } from './counts';
import { memberId, SegmentMemberModel, memberRow } from './member-model';
import { membersAmong } from './static';
import { SegmentModel } from './model';
import type { Segment } from './model';
import { eventsHeard, planned } from './plan';
import type { PlannedSegment } from './plan';
import { updateMemberships } from './memberships';

const PORTION = 2_000;
const JUDGED_TOGETHER = 200;
/** Longer than a transaction takes, as a rule, between its reading who listens and its commit. */
const UNDER_WAY_MS = 10_000;
/** And longer than any may take. */
export const IN_FLIGHT_MS = 60_000;
/** The database keeps the locks of a lost process's transaction for a minute. */
export const OUTLIVES_MS = 70_000;

/** Somebody edited the segment again, or deleted it, or has finished. */
class Superseded extends Error {
  override readonly name = 'Superseded';
}

/**
 * Computes the members of a segment that was edited, if that was not done yet. Emits no event for contacts that enter and leave by it (docs/segments.md). Resolves
 * to the segment, or to null when it is gone.
 *
 * From the commit of the edit on, events are judged by the new conditions; so every event of a contact is seen by the computation, or by the judgement
 * of its event, or by both, and of the two the later one has to win:
 *
 * | a contact changes                                        | seen by                                                                          |
 * |----------------------------------------------------------|----------------------------------------------------------------------------------|
 * | before the contacts are read                             | the computation                                                                  |
 * | after that, judged after its portion is written          | the judgement, which finds what was written                                      |
 * | after that, judged before                                | both; the portion undoes the judgement, and the second look, at all whose events came since, undoes that |
 * | before the edit, but its transaction ends after the look | the comparison of all contacts a minute later, which also emits events           |
 *
 * | killed                          | found                         | happens                                                       |
 * |---------------------------------|-------------------------------|---------------------------------------------------------------|
 * | before the edit's commit        | the segment as it was         | the caller asks again                                         |
 * | after it, or between portions   | `computing`                   | the sweep begins again; what is in already is no difference  |
 * | before the number is stored     | `computing`, all members      | the same, with nothing left to write                          |
 */
export async function complete(projectId: string, segmentId: string): Promise<Segment | null> {
  return inSequence(`segment ${segmentId}`, async () => {
    for (;;) {
      const segment = await SegmentModel.findOne({ _id: segmentId, projectId }).lean<Segment>();
      if (!segment?.computing) return segment;
      // What it asks about comes first: who is in it follows from who is in those.
      for (const asked of segment.segmentIds) await complete(projectId, asked);
      try {
        await fill(segment);
      } catch (error) {
        if (!(error instanceof Superseded)) throw error;
      }
    }
  });
}

async function fill(segment: Segment): Promise<void> {
  const { projectId } = segment;
  const plan = planned(segment);
  const began = await databaseNow();
  for await (const portion of differences(projectId, plan, began, PORTION)) {
    await inTransaction((session) => write(session, projectId, plan, portion), OUTLIVES_MS);
  }
  await recheck(projectId, plan, new Date(began.getTime() - UNDER_WAY_MS));
  await inTransaction((session) => finish(session, projectId, plan), OUTLIVES_MS);
}

/** Holds on to the edit that is computed, so that a portion of it is never written after one of the next. */
async function hold(session: ClientSession, projectId: string, plan: PlannedSegment, $set: Partial<Segment>): Promise<void> {
  const filter = { _id: plan.segmentId, projectId, revision: plan.revision, computing: true };
  const { matchedCount } = await SegmentModel.updateOne(filter, { $set }, { session });
  if (matchedCount === 0) throw new Superseded();
}

async function write(session: ClientSession, projectId: string, plan: PlannedSegment, portion: readonly Difference[]): Promise<void> {
  const enteredAt = await databaseNow();
  await hold(session, projectId, plan, { filledAt: enteredAt });
  const { segmentId } = plan;
  const idsWhere = (enters: boolean): string[] =>
    portion.filter((difference) => difference.enters === enters).map(({ contactId }) => contactId);
  const [entering, leaving] = [idsWhere(true), idsWhere(false).map((contactId) => memberId(segmentId, contactId))];
  if (leaving.length > 0) await SegmentMemberModel.collection.deleteMany({ _id: { $in: leaving }, projectId }, { session });
  if (entering.length === 0) return;
  const there = await membersAmong(projectId, segmentId, entering, session);
  const missing = entering.filter((contactId) => !there.has(contactId));
  const contacts = await createdAtOf(session, projectId, missing);
  await insertRows(SegmentMemberModel, contacts.map(memberRow({ projectId, segmentId }, enteredAt)), session);
}

async function recheck(projectId: string, plan: PlannedSegment, since: Date): Promise<void> {
  const contactIds = await contactsWithEvents(projectId, [...eventsHeard(plan.tree), 'contact.deleted'], since);
  for (let start = 0; start < contactIds.length; start += JUDGED_TOGETHER) {
    const together = contactIds.slice(start, start + JUDGED_TOGETHER);
    const at = await databaseNow();
    await inTransaction((session) => updateMemberships(session, projectId, together, [plan], { testMode: false, at }), OUTLIVES_MS);
  }
}

async function finish(session: ClientSession, projectId: string, plan: PlannedSegment): Promise<void> {
  const memberCount = await countNow(session, { projectId, segmentId: plan.segmentId });
  const sweepAt = new Date((await databaseNow()).getTime() + IN_FLIGHT_MS);
  await hold(session, projectId, plan, { memberCount, computing: false, sweepAt });
}
