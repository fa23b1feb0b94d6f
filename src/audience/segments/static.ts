import type { ClientSession } from 'mongoose';
import { invalid, notFound } from '../../platform/core';
import { emit } from '../../records/events';
import type { NewEvent } from '../../records/events';
import { insertRows, inTransaction } from '../../platform/mongo';
import { foldAfterCommit, noteCounts } from './counts';
import { beginJudging, forgetGuards, SegmentModel } from './model';
import { memberId, SegmentMemberModel, memberRow, idsOf } from './member-model';
import type { Entrant, SegmentMember } from './member-model';
import type { Segment } from './model';

type Key = Pick<SegmentMember, 'projectId' | 'segmentId'>;
type Cause = Pick<NewEvent, 'testMode' | 'at' | 'enrols' | 'depth'>;

const CONDITIONS_SAY = 'Who is in a dynamic segment follows from its conditions; name a static one';

/** Checks the segment that a filter of a list names in `segmentId`. Throws 422 `not_found`. */
export async function requireSegment(projectId: string, segmentId: string): Promise<void> {
  if (!(await SegmentModel.exists({ _id: segmentId, projectId }))) throw noSuchSegment();
}

const noSuchSegment = () => invalid('segmentId', 'not_found', 'This segment does not exist');

/** Resolves to the static segment that a request names in `segmentId`. Throws 422: `not_found` when there is none, `invalid_combination` when its conditions say who is in it. */
export async function findStaticSegment(projectId: string, segmentId: string, session?: ClientSession): Promise<Segment> {
  const segment = await SegmentModel.findOne({ _id: segmentId, projectId }, null, { session: session ?? null }).lean<Segment>();
  if (!segment) throw noSuchSegment();
  if (segment.type !== 'static') throw invalid('segmentId', 'invalid_combination', CONDITIONS_SAY);
  return segment;
}

/** Finds the static segment that a path names. Throws `not_found`, 422 `invalid_combination`. */
export async function requireStatic(projectId: string, segmentId: string): Promise<void> {
  const segment = await SegmentModel.findOne({ _id: segmentId, projectId }, { type: 1 }).lean<Pick<Segment, 'type'>>();
  if (!segment) throw notFound('Segment');
  if (segment.type !== 'static') throw invalid('id', 'invalid_combination', CONDITIONS_SAY);
}

/**
 * Puts contacts into a static segment and emits `segment.entered` for each that was not in it, in the transaction that read them. Resolves to how many
 * entered: none when the segment is gone.
 */
export const addMembers = (session: ClientSession, key: Key, contacts: readonly Entrant[], cause: Cause): Promise<number> =>
  change(session, key, contacts, cause, {
    enters: true,
    write: (entering) => insertRows(SegmentMemberModel, entering.map(memberRow(key, cause.at)), session),
  });

/** Takes contacts out of a static segment and emits `segment.exited` for each that was in it. Resolves to how many left. */
export const removeMembers = (session: ClientSession, key: Key, contacts: readonly Pick<Entrant, '_id'>[], cause: Cause): Promise<number> =>
  change(session, key, contacts, cause, {
    enters: false,
    write: (leaving) => {
      const ids = leaving.map(({ _id }) => memberId(key.segmentId, _id));
      return SegmentMemberModel.deleteMany({ _id: { $in: ids }, projectId: key.projectId }, { session });
    },
  });

async function change<T extends Pick<Entrant, '_id'>>(
  session: ClientSession,
  { projectId, segmentId }: Key,
  contacts: readonly T[],
  cause: Cause,
  { enters, write }: { readonly enters: boolean; readonly write: (changing: readonly T[]) => Promise<unknown> },
): Promise<number> {
  const filter = { _id: segmentId, projectId, type: 'static' } as const;
  const segment = await SegmentModel.findOne(filter, { name: 1 }, { session }).lean<Pick<Segment, 'name'>>();
  if (!segment) return 0;
  const distinct = new Map(contacts.map((contact) => [contact._id, contact]));
  await beginJudging(session, projectId, [...distinct.keys()]);
  const there = await membersAmong(projectId, segmentId, [...distinct.keys()], session);
  const changing = [...distinct.values()].filter(({ _id }) => there.has(_id) !== enters);
  if (changing.length === 0) return 0;
  await write(changing);
  await noteCounts(session, projectId, [{ segmentId, by: enters ? changing.length : -changing.length }]);
  foldAfterCommit(session, { projectId, segmentId });
  const event = { ...cause, projectId, name: enters ? 'segment.entered' : 'segment.exited', data: { segmentId, name: segment.name } };
  const events = changing.map(({ _id }) => ({ ...event, contactId: _id }));
  await emit(session, events);
  return changing.length;
}

const members = () => SegmentMemberModel.collection;

/** Resolves to up to `limit` contacts of a segment, in no particular order. Reads the index of `_id` from the segment on. */
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
