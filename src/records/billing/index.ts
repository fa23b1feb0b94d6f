export { countDeliveries, countReturned } from './delivery-counts';
export { refreshReputation, refreshTroubledReputations } from './reputation';
export { chargeCampaign, refundCampaign } from './campaign-charges';
export { patchBilling, readBilling } from './service';
export type { Billing, BillingPatch } from './service';
export { volumeSince } from './volume';
export { addUsage, addUsages, monthOf, quotaFacts, readUsage, usageToDecideBy } from './usage';
