import type { ClientSession } from 'mongoose';
import { topicRefs } from '../../rules/conditions/inventory';
import { SegmentModel } from './model';
import type { Segment } from './model';
import { planned } from './plan';

/** Finds the name of a segment whose conditions ask about a topic; null when there is none. */
export async function segmentOfTopic(session: ClientSession, projectId: string, { key }: { readonly key: string }): Promise<string | null> {
  const rows = await SegmentModel.find({ projectId, type: 'dynamic' }, { name: 1, conditions: 1, revision: 1 }, { session }).lean<
    Segment[]
  >();
  return rows.find((segment) => topicRefs(planned(segment).tree).includes(key))?.name ?? null;
}
