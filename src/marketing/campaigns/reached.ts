import { countTried } from '../../records/emails';
import { CampaignRecipientModel } from './model';
import type { Campaign } from './model';
import { messagesBegun } from './page-claims';
import { recipientsOf } from './walk';

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
