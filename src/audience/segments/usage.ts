import type { ClientSession } from 'mongoose';
import { AppError, newId } from '../../platform/core';
import type { Context } from '../../platform/core';
import { eventNames, fieldsRead, topicRefs, conditionsIn } from '../../rules/conditions/inventory';
import type { Tree, Condition, ValueTest } from '../../rules/conditions/types';
import { plansOf } from './load-plan';
import { SegmentModel } from './model';
import type { Segment } from './model';
import { parseConditions } from '../../rules/conditions/parse';
import { listFields } from '../contacts';
import { hook } from '../../platform/hooks';
import { insertRows } from '../../platform/mongo';
import { recount } from './counts';
import { complete } from './fill';
import { idsOf, memberId, SegmentMemberModel, memberRow } from './member-model';
import type { Entrant } from './member-model';

type Named = Pick<Segment, '_id' | 'name'>;

async function segmentsWhere(projectId: string, asks: (tree: Tree) => boolean, session?: ClientSession): Promise<readonly Named[]> {
  const asking: Named[] = [];
  for await (const { name, segment } of plansOf(projectId, { session })) {
    if (asks(segment.tree)) asking.push({ _id: segment.segmentId, name });
  }
  return asking;
}

/** Resolves to the segments whose conditions read a custom field, newest first. */
export const segmentsReading = ({ projectId }: Context, field: string): Promise<readonly Named[]> =>
  segmentsWhere(projectId, (tree) => fieldsRead(tree).includes(field));

/** Resolves to the segments whose conditions ask about an event of the caller's, newest first. */
export const segmentsAsking = ({ projectId }: Context, eventName: string): Promise<readonly Named[]> =>
  segmentsWhere(projectId, (tree) => eventNames(tree).includes(eventName));

/** Schedules a comparison of the segments that ask about a name, in the transaction that removes its events. */
export async function compareSoon(session: ClientSession, projectId: string, eventName: string): Promise<void> {
  const asking = await segmentsWhere(projectId, (tree) => eventNames(tree).includes(eventName), session);
  const filter = { _id: { $in: asking.map(({ _id }) => _id) }, projectId, sweepAt: { $ne: null } };
  await SegmentModel.updateMany(filter, { $set: { sweepAt: new Date() } }, { session });
}

/** Finds the name of a segment whose conditions ask about a topic; null when there is none. */
export async function segmentOfTopic(session: ClientSession, projectId: string, { key }: { readonly key: string }): Promise<string | null> {
  const [first] = await segmentsWhere(projectId, (tree) => topicRefs(tree).includes(key), session);
  return first?.name ?? null;
}

const KINDS: Readonly<Record<string, string>> = { string: 'a text', date: 'a date', number: 'a number', boolean: 'true or false' };
const TEXTS = ['string', 'date'];

/** Returns the types of values that can pass a test; null where any can. */
function typesThatPass(test: ValueTest): readonly string[] | null {
  switch (test.is) {
    case 'text':
      return TEXTS;
    case 'number':
      return ['number'];
    case 'during':
    case 'age':
      return ['date'];
    case 'equal':
      return [...new Set(test.values.flatMap((value) => (typeof value === 'string' ? TEXTS : [typeof value])))];
    default:
      return null;
  }
}

const dataTests = (conditions: readonly Condition[]): readonly { readonly field: string; readonly types: readonly string[] }[] =>
  conditions.flatMap((condition) => {
    if (condition.on !== 'value' || condition.target.in !== 'data' || condition.target.path.length > 1) return [];
    const [field = '', types] = [condition.target.path[0], typesThatPass(condition.test)];
    return types ? [{ field, types }] : [];
  });

/** Resolves to a sentence for each filter on a custom field that no stored value can pass, since all of them are of another type. */
export async function unmatchedTypes(ctx: Context, conditions: unknown): Promise<readonly string[]> {
  const parsed = parseConditions(conditions);
  const tests = 'ok' in parsed ? dataTests(conditionsIn(parsed.ok)) : [];
  if (tests.length === 0) return [];
  const stored = new Map((await listFields(ctx)).map(({ field, type }) => [field, type]));
  return tests.flatMap(({ field, types }) => {
    const kind = KINDS[stored.get(field) ?? ''];
    return kind === undefined || types.includes(stored.get(field) ?? '')
      ? []
      : [`Every stored value of data.${field} is ${kind}, so a condition on it matches nobody`];
  });
}

/** Names what of a room refers to a segment, or null; the answer is named by the kind of thing that it is (“campaign”). */
type Ask = (session: ClientSession, projectId: string, segmentId: string) => Promise<string | null>;
export const segmentUsers = hook<Ask>('what refers to a segment');

/** Finds which of the ids are campaigns of the project. */
export const knownCampaigns =
  hook<(session: ClientSession | null, projectId: string, ids: readonly string[]) => Promise<ReadonlySet<string>>>('which campaigns exist');

async function segmentUsing(session: ClientSession, projectId: string, segmentId: string): Promise<string | null> {
  const row = await SegmentModel.findOne({ projectId, segmentIds: segmentId }, { name: 1 }, { session }).lean<Pick<Segment, 'name'>>();
  return row?.name ?? null;
}

/** Throws 409 `in_use` while something refers to the segment. */
export async function refuseWhileUsed(session: ClientSession, projectId: string, segmentId: string): Promise<void> {
  for (const [kind, ask] of [['segment', segmentUsing] as const, ...segmentUsers.named]) {
    const name = await ask(session, projectId, segmentId);
    if (name !== null) throw new AppError('in_use', `The ${kind} “${name}” refers to this segment`);
  }
}

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
