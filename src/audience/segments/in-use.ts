import type { ClientSession } from 'mongoose';
import { AppError } from '../../platform/core';
import { hook } from '../../platform/hooks';
import { SegmentModel } from './model';
import type { Segment } from './model';

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
