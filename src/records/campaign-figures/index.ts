export { campaignFigures } from './figures';
export type { CampaignCounter, CampaignFigures, CampaignHappening } from './figures';
