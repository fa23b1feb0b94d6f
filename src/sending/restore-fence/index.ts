export { campaignsBehind, decideFence, fenceStatus, raiseFence, beyondFence, currentFence, isCampaignBehind } from './service';
