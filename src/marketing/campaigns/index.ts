export { campaignsBehind } from './behind';
export { endPause, pauseCampaign, rescheduleCampaign, resumeCampaign, retryFailed, unscheduleCampaign } from './control';
export type { Reached } from './control';
export type { AudienceBreakdown } from './breakdown';
export { FIGURES } from './counters';
export { decideCampaign } from './decide';
export { createCampaign, duplicateCampaign, patchCampaign } from './drafts';
export { eraseLinks, eraseRecipients, mailIdsUnderWay, recipientRowsOf } from './erase';
export { finishCampaign, removeCampaign } from './finish';
export { beginCampaign, freezeAudience, placeAfter } from './freeze';
export type { BulkHost } from './freeze';
export type { CampaignLinkRow } from './link-model';
export type { Campaign } from './model';
export { asOfContent, reviseCampaign, versionOf } from './revise';
export { campaignSendingFrom, campaignUsing, campaignsReading, existingCampaigns } from './references';
export { claimPage, confirmPage, countUnbegun, giveUpClaims, releasePage, takePages, workersWithPages } from './page-claims';
export type { PageClaim, PageProgress } from './page-claims';
export {
  assignWinner,
  cancelledCampaigns,
  findCampaign,
  recipientsOfPage,
  setHeldReason,
  skipRecipients,
  skippedMessages,
} from './page-source';
export type { PageRecipient } from './page-source';
export { listRecipients } from './recipients';
export type { RecipientView } from './recipients';
export { templateFaults } from './refusals';
export { fillNonOpeners, resendToNonOpeners } from './resend';
export { contentsOfUnfinished, removeOldAudiences, withAudienceSince } from './retention';
export { cancelCampaign, sendCampaign } from './send';
export { breakDownAudienceOf, countAudienceOf, deleteCampaign, getCampaign, listCampaigns, listLinks } from './service';
export type { CampaignDetail } from './service';
export { isCampaignOver, isCampaignRemoved } from './standing';
export { campaignOfTopic, takeFromPages } from './topic';
export { testSendCampaign } from './test-send';
