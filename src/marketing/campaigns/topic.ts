import type { ClientSession } from 'mongoose';
import { messagesThere } from '../../records/emails';
import { conditionsIn } from '../../rules/conditions/inventory';
import { recipientIdOf } from './ids';
import { CampaignModel, CampaignRecipientModel } from './model';
import type { Campaign } from './model';
import { takePageOf } from './page-claims';
import { treeOf } from './refusals';

/** Finds the name of an unfinished campaign of a topic, or whose filter asks about it; null when there is none. */
export async function campaignOfTopic(
  session: ClientSession,
  projectId: string,
  { _id, key }: { readonly _id: string; readonly key: string },
): Promise<string | null> {
  const unfinished = { projectId, status: { $in: ['draft', 'scheduled', 'sending'] } } as const;
  const rows = await CampaignModel.find(unfinished, { name: 1, topic: 1, filter: 1, audience: 1 }, { session }).lean<Campaign[]>();
  return rows.find((campaign) => campaign.topic?.topicId === _id || asksAbout(campaign, key))?.name ?? null;
}

const asksAbout = ({ audience, filter }: Pick<Campaign, 'audience' | 'filter'>, key: string): boolean =>
  audience === 'filter' &&
  filter !== null &&
  conditionsIn(treeOf(filter)).some((condition) => condition.on === 'topic' && condition.key === key);

/**
 * Has campaigns read a contact again who left their topics, or all marketing mail (null): what they have read of it and not begun is given up. When it has
 * resolved, no such message is begun for the contact. A message that has begun is left alone.
 */
export async function takeFromPages(projectId: string, contactId: string, topicIds: readonly string[] | null): Promise<void> {
  const filter = { projectId, status: 'sending', ...(topicIds && { 'topic.topicId': { $in: [...topicIds] } }) } as const;
  const campaigns = await CampaignModel.find(filter, { _id: 1 }).lean<Pick<Campaign, '_id'>[]>();
  for (const { _id: campaignId } of campaigns) {
    const recipientId = recipientIdOf(campaignId, contactId);
    const recipient = await CampaignRecipientModel.findOne({ _id: recipientId, status: 'pending' }, { emailId: 1 }).lean<{
      emailId: string;
    }>();
    if (!recipient) continue;
    const begun = await messagesThere({ projectId, campaignId }, [recipient.emailId]);
    if (!begun.has(recipient.emailId)) await takePageOf(campaignId, recipientId);
  }
}
