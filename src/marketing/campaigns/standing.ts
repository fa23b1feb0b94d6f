import type { CampaignKey, FinishInput, FinishResult } from '../../contracts/campaign';
import { CampaignClickModel, CampaignLinkModel } from './link-model';
import { CampaignModel, CampaignRecipientModel } from './model';
import type { Campaign } from './model';
import { CampaignTurnModel } from './turn-model';
import { recipientsOf } from './walk';

const NOTHING: FinishResult = { pending: 0, sent: 0, skipped: 0 };

const FIELDS = { status: 1, phase: 1, sentCount: 1, skippedCount: 1, abSubjectB: 1, abWinner: 1, abDecideAt: 1 } as const;
type Standing = Pick<Campaign, keyof typeof FIELDS>;

const read = ({ campaignId, projectId }: CampaignKey): Promise<Standing | null> =>
  CampaignModel.findOne({ _id: campaignId, projectId }, FIELDS).lean<Standing>();

/**
 * Resolves to the answer to a workflow that wants to end its campaign, when no count is needed; null when it must be counted. After a restore
 * the documents may be older than the workflow: the campaign may have sent less, be a draft again, or not exist.
 */
export async function standing({ cancelled, found, ...key }: FinishInput): Promise<FinishResult | null> {
  const campaign = await read(key);
  if (!campaign || campaign.status === 'draft') return cancelled ? NOTHING : null;
  // A cancel by a person applies in any state.
  const isAsked = cancelled && found !== true;
  if (!isAsked && isBehind(campaign, found === true)) return { ...NOTHING, pending: 1, behind: true };
  return campaign.status === 'sent' && cancelled ? sentAlready(campaign) : null;
}

/** Returns whether the documents are behind the workflow: still sending when it was found to be over, or without an audience when everything was sent. */
const isBehind = ({ status, phase }: Standing, found: boolean): boolean =>
  status === 'scheduled' || (status === 'sending' && (found || phase !== 'frozen'));

function sentAlready(campaign: Standing): FinishResult {
  const { sentCount: sent, skippedCount: skipped, abDecideAt } = campaign;
  const decideAt = (abDecideAt ?? new Date(0)).toISOString();
  return { pending: 0, sent, skipped, ...(isUndecided(campaign) && { decideAt }) };
}

const isUndecided = ({ abSubjectB, abWinner }: Standing): boolean => abSubjectB !== null && abWinner === null;

/** Resolves to whether nothing is left to do for a campaign that was started. */
export async function isCampaignOver(key: CampaignKey): Promise<boolean> {
  const campaign = await read(key);
  switch (campaign?.status) {
    case 'scheduled':
    case 'sending':
      return false;
    case 'sent':
      return !isUndecided(campaign);
    case 'cancelled':
      return campaign.phase === null;
    default:
      return true;
  }
}

/** Resolves to whether a series makes no more turns. One that was cancelled has its workflow note that it is over. */
export async function isSeriesOver(key: CampaignKey): Promise<boolean> {
  const campaign = await read(key);
  return campaign?.status !== 'sending' && (campaign?.status !== 'cancelled' || campaign.phase === null);
}

/** Resolves to whether nothing is left of a deleted campaign; one that exists again after a restore of the database keeps its data. */
export async function isCampaignRemoved({ campaignId, projectId }: CampaignKey): Promise<boolean> {
  if (await CampaignModel.exists({ _id: campaignId, projectId })) return true;
  const of = { _id: recipientsOf(campaignId) };
  const left = [
    CampaignRecipientModel.exists(of),
    CampaignClickModel.exists(of),
    CampaignLinkModel.exists(of),
    CampaignTurnModel.exists(of),
  ];
  return (await Promise.all(left)).every((found) => found === null);
}
