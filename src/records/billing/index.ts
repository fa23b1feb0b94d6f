export { countDeliveries, countReturned, chargeCampaign, refundCampaign } from './delivery-counts';
export { refreshReputation, refreshTroubledReputations } from './reputation';
export { patchBilling, readBilling, volumeSince } from './service';
export type { Billing, BillingPatch } from './service';
export { addUsage, addUsages, monthOf, quotaFacts, readUsage, usageToDecideBy } from './usage';
