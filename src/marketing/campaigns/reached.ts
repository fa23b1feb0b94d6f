import { countTried, countCampaignMessages } from '../../records/emails';
import { CampaignRecipientModel, CampaignModel } from './model';
import type { Campaign } from './model';
import { messagesBegun } from './page-claims';
import { recipientsOf } from './walk';
import { atOneInstant } from '../../audience/contacts';

/** Recipients of a campaign that were sent to, and that were skipped. */
export interface CampaignReach {
  readonly sent: number;
  readonly skipped: number;
}

/** Reads or counts sent and skipped recipients. Once a campaign is over they are in its row, as its messages are deleted with age. */
export async function reachedBy(campaign: Campaign): Promise<CampaignReach> {
  const { _id: campaignId, projectId, status, phase, audienceSize } = campaign;
  if (phase === null) return { sent: campaign.sentCount, skipped: campaign.skippedCount };
  // Counting rows takes time for each row, and a client that follows a campaign polls often.
  const sent = (status === 'sending' ? await messagesBegun(campaignId) : null) ?? (await countTried(projectId, campaignId));
  // Its rows are not marked as skipped yet.
  if (status === 'cancelled') return { sent, skipped: Math.max(0, audienceSize - sent) };
  return { sent, skipped: await CampaignRecipientModel.countDocuments({ _id: recipientsOf(campaignId), campaignId, status: 'skipped' }) };
}

interface CampaignBehind {
  readonly campaignId: string;
  readonly projectId: string;
  readonly status: Campaign['status'];
  /** Recipients of a frozen audience who have no message and were not left out. */
  readonly waiting: number;
}

/** Finds the unfinished campaigns that `isMeant` selects, with how many recipients wait in each. */
export async function campaignsBehind(isMeant: (campaign: Campaign) => boolean): Promise<readonly CampaignBehind[]> {
  const found = await CampaignModel.find({ status: { $in: ['scheduled', 'sending'] } }, { body: 0, bodyBlocks: 0 }).lean<Campaign[]>();
  const behind: CampaignBehind[] = [];
  for (const { _id, projectId, status } of found.filter(isMeant)) {
    behind.push({ campaignId: _id, projectId, status, waiting: await waitingIn(_id, projectId) });
  }
  return behind;
}

const waitingIn = (campaignId: string, projectId: string): Promise<number> =>
  atOneInstant(async (session) => {
    const options = { session, readConcern: { level: 'snapshot' } } as const;
    const { tried } = await countCampaignMessages(session, projectId, campaignId);
    const total = await CampaignRecipientModel.collection.countDocuments({ _id: recipientsOf(campaignId) }, options);
    const filter = { _id: recipientsOf(campaignId), campaignId, status: 'skipped' } as const;
    const skipped = await CampaignRecipientModel.collection.countDocuments(filter, options);
    return Math.max(0, total - skipped - tried);
  });
