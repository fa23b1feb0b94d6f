import type { ClientSession } from 'mongoose';
import { automationsWithSegment } from '../../marketing/automations/references';
import { campaignUsing } from '../../marketing/campaigns/of-segments';
import { AppError } from '../../platform/core/errors';
import { SegmentModel } from './model';
import type { Segment } from './model';

/** Says by name what refers to a segment, or null. */
type Ask = (session: ClientSession, projectId: string, segmentId: string) => Promise<string | null>;

async function segmentUsing(session: ClientSession, projectId: string, segmentId: string): Promise<string | null> {
  const row = await SegmentModel.findOne({ projectId, segmentIds: segmentId }, { name: 1 }, { session }).lean<Pick<Segment, 'name'>>();
  return row?.name ?? null;
}

async function automationUsing(session: ClientSession, projectId: string, segmentId: string): Promise<string | null> {
  const [first] = await automationsWithSegment(projectId, segmentId, session);
  return first?.name ?? null;
}

/** Whom to ask before a segment is deleted: one entry for each kind of thing that refers to segments. */
const USERS: readonly (readonly [kind: string, ask: Ask])[] = [
  ['segment', segmentUsing],
  ['campaign', campaignUsing],
  ['workflow', automationUsing],
];

/** Throws 409 `in_use` while something refers to the segment. */
export async function refuseWhileUsed(session: ClientSession, projectId: string, segmentId: string): Promise<void> {
  for (const [kind, ask] of USERS) {
    const name = await ask(session, projectId, segmentId);
    if (name !== null) throw new AppError('in_use', `The ${kind} “${name}” refers to this segment`);
  }
}
