import type { ClientSession } from 'mongoose';
import { emit } from '../../records/events';
import type { NewEvent, Event } from '../../records/events';
import { insertRows, databaseNow, inTransaction } from '../../platform/mongo';
import { evaluate } from '../../rules/conditions/evaluate';
import { noteCounts } from './counts';
import { beginJudging, SegmentModel } from './model';
import { memberId, SegmentMemberModel, memberRow } from './member-model';
import type { Entrant } from './member-model';
import type { Segment } from './model';
import type { PlannedSegment } from './plan';
import { chunks } from '../../platform/async';
import { aggregateNamed } from '../contacts';
import type { Contact } from '../contacts';
import { topicsAsked } from '../topics';
import { startsAsked, statusOfEvent, untilRecorded } from '../../records/emails';
import { compileFacts } from '../../rules/conditions/compile';
import type { Facts } from '../../rules/conditions/evaluate';
import { factsNeeded, emailStatuses } from '../../rules/conditions/inventory';
import type { FactsNeeded } from '../../rules/conditions/inventory';
import type { Tree } from '../../rules/conditions/types';
import type { Consumer } from '../../records/fan-out';
import { planAt } from './load-plan';

/** Fields of the changes' events in addition to the changes themselves; conditions are judged as of `at`. */
type Cause = Pick<NewEvent, 'testMode' | 'at' | 'depth' | 'enrols'>;

interface Change {
  readonly segmentId: string;
  readonly contactId: string;
  /** Null where it leaves. */
  readonly entrant: Entrant | null;
  /** Whether its event is emitted. */
  readonly emits: boolean;
}

type Current = Pick<Segment, '_id' | 'name' | 'revision' | 'computing'>;

/**
 * Judges contacts by segments, which come in the order in which they ask about each other, and lets them enter and leave, in one
 * transaction with their events. Repeating it changes and emits nothing. Segments that were edited since they were planned are omitted,
 * since their edit computes all members; meanwhile, no event is emitted. Resolves to the number of changes.
 *
 * | killed            | found                                    | happens                                        |
 * |-------------------|------------------------------------------|------------------------------------------------|
 * | before the commit | the contact in and out of what it was     | the event comes again, or the sweep finds it   |
 * | after it          | members, events and counts, all or nothing | the event comes again and finds nothing to do |
 */
export async function updateMemberships(
  session: ClientSession,
  projectId: string,
  contactIds: readonly string[],
  order: readonly PlannedSegment[],
  cause: Cause,
): Promise<number> {
  await beginJudging(session, projectId, contactIds);
  const current = await currentOf(session, projectId, order);
  const judged = order.filter(({ segmentId, revision }) => current.get(segmentId)?.revision === revision);
  if (judged.length === 0) return 0;
  const trees = judged.map(({ tree }) => tree);
  const facts = await loadFacts(session, projectId, contactIds, trees);
  const members = await membersOf(session, projectId, contactIds, judged);
  const changes = contactIds.flatMap((contactId) => changesOf(contactId, facts.get(contactId), members, judged, current, cause.at));
  await apply(session, projectId, changes, cause, current);
  return changes.length;
}

/** A pipeline may have 1,000 stages. */
const LOOKUPS = 200;

interface EvaluationFacts {
  readonly contact: Contact;
  readonly occurrences: Facts['occurrences'];
  readonly memberOf: Facts['memberOf'];
  readonly topics: NonNullable<Facts['topics']>;
}

/** Resolves to contacts with all that some trees ask of them, as the transaction sees it; those that do not exist are omitted. */
async function loadFacts(
  session: ClientSession,
  projectId: string,
  contactIds: readonly string[],
  trees: readonly Tree[],
): Promise<ReadonlyMap<string, EvaluationFacts>> {
  const found = new Map<string, EvaluationFacts>();
  const topics = await topicsAsked(projectId, ...trees);
  for (const needed of portions(factsNeeded(...trees))) {
    const { stages, read } = compileFacts(needed, projectId, await startsAsked(projectId, needed));
    for (const contact of await aggregateNamed(session, projectId, contactIds, stages)) {
      const { occurrences, memberOf } = read(contact);
      const known = found.get(contact._id);
      found.set(contact._id, {
        contact,
        occurrences: new Map([...(known?.occurrences ?? []), ...occurrences]),
        memberOf: new Set([...(known?.memberOf ?? []), ...memberOf]),
        topics,
      });
    }
  }
  return found;
}

// At least one, which looks up nothing where nothing is asked.
function portions({ events, emails, segments }: FactsNeeded): readonly FactsNeeded[] {
  const first = { events: events.slice(0, LOOKUPS), emails: [], segments };
  const [more, all] = [
    chunks(events.slice(LOOKUPS), LOOKUPS).map((part) => ({ events: part, emails: [], segments: [] })),
    chunks(emails, LOOKUPS).map((part) => ({ events: [], emails: part, segments: [] })),
  ];
  return [first, ...more, ...all];
}

async function currentOf(
  session: ClientSession,
  projectId: string,
  order: readonly PlannedSegment[],
): Promise<ReadonlyMap<string, Current>> {
  const filter = { _id: { $in: order.map(({ segmentId }) => segmentId) }, projectId };
  const rows = await SegmentModel.find(filter, { name: 1, revision: 1, computing: 1 }, { session }).lean<Current[]>();
  return new Map(rows.map((row) => [row._id, row]));
}

async function membersOf(
  session: ClientSession,
  projectId: string,
  contactIds: readonly string[],
  judged: readonly PlannedSegment[],
): Promise<ReadonlySet<string>> {
  const ids = judged.flatMap(({ segmentId }) => contactIds.map((contactId) => memberId(segmentId, contactId)));
  const rows = await SegmentMemberModel.collection
    .find<{ _id: string }>({ _id: { $in: ids }, projectId }, { session, projection: { _id: 1 } })
    .toArray();
  return new Set(rows.map(({ _id }) => _id));
}

/** Returns the changes of one contact. A deleted contact leaves every segment without an event: `contact.deleted` was emitted. */
function changesOf(
  contactId: string,
  by: EvaluationFacts | undefined,
  members: ReadonlySet<string>,
  judged: readonly PlannedSegment[],
  current: ReadonlyMap<string, Current>,
  now: Date,
): readonly Change[] {
  const memberOf = new Set(by?.memberOf);
  return judged.flatMap(({ segmentId, tree }): Change[] => {
    const enters = by !== undefined && evaluate(tree, by.contact, { occurrences: by.occurrences, memberOf, topics: by.topics }, now);
    if (enters) memberOf.add(segmentId);
    else memberOf.delete(segmentId);
    if (members.has(memberId(segmentId, contactId)) === enters) return [];
    return [
      { segmentId, contactId, entrant: enters ? by.contact : null, emits: by !== undefined && current.get(segmentId)?.computing !== true },
    ];
  });
}

async function apply(
  session: ClientSession,
  projectId: string,
  changes: readonly Change[],
  cause: Cause,
  current: ReadonlyMap<string, Current>,
): Promise<void> {
  const leaving = changes.filter(({ entrant }) => !entrant);
  const rows = changes.flatMap(({ segmentId, entrant }) => (entrant ? [memberRow({ projectId, segmentId }, cause.at)(entrant)] : []));
  await insertRows(SegmentMemberModel, rows, session);
  const left = leaving.map(({ segmentId, contactId }) => memberId(segmentId, contactId));
  if (left.length > 0) await SegmentMemberModel.deleteMany({ _id: { $in: left }, projectId }, { session });
  const counts = changes.map(({ segmentId, entrant }) => ({ segmentId, by: entrant ? 1 : -1 }));
  await noteCounts(session, projectId, counts);
  const emitting = changes.filter((change) => change.emits);
  await emit(
    session,
    emitting.map(({ segmentId, contactId, entrant }) => ({
      ...cause,
      projectId,
      name: entrant ? 'segment.entered' : 'segment.exited',
      contactId,
      data: { segmentId, name: current.get(segmentId)?.name },
    })),
  );
}

/** Lets contacts enter and leave dynamic segments by what they do: each event is judged for its contact by the segments that it may change. */
export const followSegments: Consumer = {
  name: 'segments',
  async handle(_core, event, version) {
    const { projectId, contactId, testMode, depth, enrols } = event;
    if (contactId === null) return;
    const order = (await planAt(projectId, version)).concerning(event);
    if (order.length === 0) return;
    await untilLedgerHasStatus(event, order);
    const cause = { testMode, depth, ...(enrols === false && { enrols }) };
    await inTransaction(async (session) =>
      updateMemberships(session, projectId, [contactId], order, { ...cause, at: await databaseNow() }),
    );
  },
};

/** Waits for the ledger: events of a message are emitted a moment before the ledger holds their status (docs/delivery.md), and conditions on e-mails read the ledger. */
async function untilLedgerHasStatus(event: Event, order: readonly PlannedSegment[]): Promise<void> {
  const status = statusOfEvent(event.name);
  if (status === null || event.testMode) return;
  if (order.some(({ tree }) => (emailStatuses(tree) as readonly string[]).includes(status))) await untilRecorded(event);
}
