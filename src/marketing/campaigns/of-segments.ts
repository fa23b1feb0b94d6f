import type { ClientSession } from 'mongoose';
import { parseConditions } from '../../rules/conditions/parse';
import { segmentRefs } from '../../rules/conditions/inventory';
import { CampaignModel } from './model';
import type { Campaign } from './model';

/** Finds which of the ids are campaigns of the project. */
export async function existingCampaigns(
  session: ClientSession | null,
  projectId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await CampaignModel.find({ _id: { $in: [...ids] }, projectId }, { _id: 1 }, { session }).lean<Pick<Campaign, '_id'>[]>();
  return new Set(rows.map(({ _id }) => _id));
}

/** Finds the name of an unfinished campaign whose audience or filter refers to a segment; null when there is none. */
export async function campaignUsing(session: ClientSession, projectId: string, segmentId: string): Promise<string | null> {
  const unfinished = { projectId, status: { $in: ['draft', 'scheduled', 'sending'] } } as const;
  const rows = await CampaignModel.find(unfinished, { name: 1, segmentId: 1, filter: 1, audience: 1 }, { session }).lean<Campaign[]>();
  return rows.find((campaign) => segmentsOf(campaign).includes(segmentId))?.name ?? null;
}

/** Lists the segments that an audience or its filter refers to. */
export function segmentsOf({ audience, segmentId, filter }: Pick<Campaign, 'audience' | 'segmentId' | 'filter'>): readonly string[] {
  if (audience === 'segment') return segmentId === null ? [] : [segmentId];
  if (audience !== 'filter' || filter === null) return [];
  const parsed = parseConditions(filter);
  return 'ok' in parsed ? segmentRefs(parsed.ok) : [];
}
