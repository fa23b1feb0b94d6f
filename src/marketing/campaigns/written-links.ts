import { LRUCache } from 'lru-cache';
import { writtenLinks } from '../../message/template';
import { perDatabase } from '../../platform/mongo';
import { CampaignModel } from './model';
import type { Campaign } from './model';

type Written = (url: string) => string;

const MOST_CAMPAIGNS = 200;

const known = perDatabase(() => new LRUCache<string, Written>({ max: MOST_CAMPAIGNS }));

/** Resolves to a function from a link of a campaign's mail to that link as it is written in the content, which no longer changes once there is mail. */
export async function linksAsWritten(projectId: string, campaignId: string): Promise<Written> {
  const before = known().get(campaignId);
  if (before) return before;
  const campaign = await CampaignModel.findOne({ _id: campaignId, projectId }, { body: 1 }).lean<Pick<Campaign, 'body'>>();
  if (!campaign) return String;
  const written = writtenLinks(campaign.body);
  known().set(campaignId, written);
  return written;
}
