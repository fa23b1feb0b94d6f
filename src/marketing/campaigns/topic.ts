import type { ClientSession } from 'mongoose';
import type { Leaving } from '../../audience/topics';
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
  const mayAsk = [{ 'topic.topicId': _id }, { audience: 'filter' as const }];
  const unfinished = { projectId, status: { $in: ['draft' as const, 'scheduled' as const, 'sending' as const] }, $or: mayAsk };
  const rows = await CampaignModel.find(unfinished, { name: 1, topic: 1, filter: 1, audience: 1 }, { session }).lean<Campaign[]>();
  return rows.find((campaign) => campaign.topic?.topicId === _id || asksAbout(campaign, key))?.name ?? null;
}

const asksAbout = ({ audience, filter }: Pick<Campaign, 'audience' | 'filter'>, key: string): boolean =>
  audience === 'filter' &&
  filter !== null &&
  conditionsIn(treeOf(filter)).some((condition) => condition.on === 'topic' && condition.key === key);

/**
 * Removes contacts that left their topics, or all marketing mail (null), from what campaigns have read and not begun: they are read again. When it has
 * resolved, no such message is begun for them. A message that has begun is left alone.
 */
export async function takeFromPages(_core: unknown, projectId: string, { people, topicIds }: Leaving): Promise<void> {
  const contactIds = people.flatMap(({ contactId }) => contactId ?? []);
  if (contactIds.length === 0) return;
  const filter = { projectId, status: 'sending', ...(topicIds && { 'topic.topicId': { $in: [...topicIds] } }) } as const;
  const campaigns = await CampaignModel.find(filter, { _id: 1 }).lean<Pick<Campaign, '_id'>[]>();
  for (const { _id: campaignId } of campaigns) {
    const pending = await CampaignRecipientModel.find(
      { _id: { $in: contactIds.map((id) => recipientIdOf(campaignId, id)) }, status: 'pending' },
      { emailId: 1 },
    ).lean<{ _id: string; emailId: string }[]>();
    const begun = await messagesThere(
      { projectId, campaignId },
      pending.map(({ emailId }) => emailId),
    );
    for (const { _id, emailId } of pending) if (!begun.has(emailId)) await takePageOf(campaignId, _id);
  }
}
