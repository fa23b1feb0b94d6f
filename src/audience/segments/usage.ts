import type { ClientSession } from 'mongoose';
import type { Context } from '../../platform/core';
import { eventNames, fieldsRead, topicRefs } from '../../rules/conditions/inventory';
import type { Tree } from '../../rules/conditions/types';
import { plansOf } from './load-plan';
import { SegmentModel } from './model';
import type { Segment } from './model';

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
