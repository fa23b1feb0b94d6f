export { beyondFence, currentFence, isCampaignBehind } from './current';
export { campaignsBehind, decideFence, fenceStatus, raiseFence } from './service';
