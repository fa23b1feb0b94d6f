import { countCampaignMessages } from '../../records/emails';
import { atOneInstant } from '../../audience/contacts';
import { CampaignModel, CampaignRecipientModel } from './model';
import type { Campaign } from './model';
import { recipientsOf } from './walk';

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
    const skipped = await CampaignRecipientModel.collection.countDocuments(
      { _id: recipientsOf(campaignId), campaignId, status: 'skipped' },
      options,
    );
    return Math.max(0, total - skipped - tried);
  });
