import { LRUCache } from 'lru-cache';
import { perDatabase } from '../../platform/mongo';
import { timePrefix } from '../../platform/core';
import { campaignStart } from '../../rules/campaign-mail-ids';
import type { CampaignStarts } from '../../rules/campaign-mail-ids';
import { campaignsAsked } from '../../rules/conditions/inventory';
import type { FactsNeeded } from '../../rules/conditions/inventory';
import { EmailModel } from './model';
import { CAMPAIGN_INDEX } from './indexes';

const emails = () => EmailModel.collection;

/** They never change. */
const knownStarts = perDatabase(() => new LRUCache<string, string>({ max: 50_000 }));
const TIME_LENGTH = timePrefix('em', 0).length;

/**
 * Resolves to what the ids of a project's campaign messages begin with, for each campaign that has messages, deleted ones too. With a contact's id it names the message
 * of each campaign, so that what a contact got is found without an index of contacts. Costs one lookup in an index for each campaign.
 */
export async function campaignStarts(projectId: string): Promise<CampaignStarts> {
  return startsOf(projectId, (await emails().distinct('campaignId', { projectId, campaignId: { $gt: '' } })) as string[]);
}

async function startsOf(projectId: string, ids: readonly string[]): Promise<CampaignStarts> {
  const known = knownStarts();
  const starts = await Promise.all(ids.map(async (id) => [id, known.get(id) ?? (await readStart(projectId, id))] as const));
  return new Map(starts.flatMap(([id, start]) => (start === null ? [] : [[id, start]])));
}

/** Reads a campaign's start from any of its messages: their ids begin with it. Resolves to null where it has none. */
async function readStart(projectId: string, campaignId: string): Promise<string | null> {
  const newest = { projection: { _id: 1 }, sort: { createdAt: -1, _id: -1 }, hint: CAMPAIGN_INDEX } as const;
  const row = await emails().findOne({ projectId, campaignId }, newest);
  if (!row) return null;
  const start = campaignStart(String(row._id).slice(0, TIME_LENGTH), campaignId);
  knownStarts().set(campaignId, start);
  return start;
}

/** Resolves to the same for the campaigns to whose messages conditions are led by ids. */
export function startsAsked(projectId: string, needed: FactsNeeded): Promise<CampaignStarts> {
  const ids = campaignsAsked(needed);
  return ids === null ? campaignStarts(projectId) : startsOf(projectId, ids);
}
