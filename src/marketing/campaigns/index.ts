export { setHeldReason } from './announce';
export { audiencePage, countAudience, countTopics } from './audience';
export { campaignsBehind, IdleCampaigns } from './reached';
export { endPause, pauseCampaign, rescheduleCampaign, resumeCampaign, retryFailed, unscheduleCampaign, stoppedCampaigns } from './control';
export type { Reached } from './control';
export { ROLLOUT_STOPPED, checkRollout, currentStep } from './rollout';
export type { AudienceBreakdown } from './audience';
export { FIGURES } from './counters';
export { readCoverage, countRecipients, findRecipient, listRecipients, standingPages } from './recipients';
export type { Coverage, RecipientView, StandingRecipient } from './recipients';
export { DecisionWaits, decideCampaign } from './decide';
export { finishCampaign, removeCampaign, isCampaignOver, isCampaignRemoved, isSeriesOver } from './finish';
export { contentOf, createCampaign, duplicateCampaign, patchCampaign, readCampaign } from './drafts';
export {
  eraseLinks,
  eraseRecipients,
  mailIdsUnderWay,
  recipientRowsOf,
  contentsOfUnfinished,
  removeOldAudiences,
  withAudienceSince,
} from './erase';
export { beginCampaign, freezeAudience, positionAfter } from './freeze';
export type { BulkHost } from './freeze';
export type { CampaignLinkRow } from './link-model';
export type { Campaign } from './model';
export type { FeedWait, Series } from './series';
export { auditedLaunch, complaintsOf, checkedSince } from './gate';
export type { Forced } from './gate';
export { contentChooser, fromNameOf, languagesByContent, testSendCampaign } from './contents';
export type { ContentChooser } from './contents';
export { asOfContent, reviseCampaign, versionOf } from './revise';
export {
  campaignSendingFrom,
  campaignUsing,
  campaignsReading,
  existingCampaigns,
  campaignsShowing,
  campaignOfTopic,
  takeFromPages,
} from './references';
export { claimPage, confirmPage, countUnbegun, giveUpClaims, releasePage, takePages, workersWithPages } from './page-claims';
export type { PageClaim, PageProgress } from './page-claims';
export { assignWinner, findCampaign, recipientsOfPage, skipRecipients, skippedMessages } from './page-source';
export { PROVIDER_REFUSES, checkProviders } from './providers';
export type { PageRecipient } from './page-source';
export { templateFaults } from './refusals';
export { fillNonOpeners, resendToNonOpeners } from './resend';
export type { CampaignFlight } from './plan';
export { cancelCampaign, checkLaunch, planLaunch, sendCampaign } from './send';
export type { SendOptions } from './send';
export { recheckSendTimes, moveSendTimes, nextSendTime, campaignInstants, recipientInstants } from './send-times';
export type { RecheckedSendTime, CampaignInstant } from './send-times';
export { isSeries } from './series';
export {
  breakDownAudienceOf,
  countAudienceOf,
  deleteCampaign,
  getCampaign,
  listCampaigns,
  listLinks,
  setCampaignArchived,
  readTimeline,
} from './service';
export type { CampaignDetail, CampaignTimeline } from './service';
export { chooseItems, previewFeed } from './feed';
export type { FeedOutlook } from './feed';
export {
  FEED_FAILED,
  MISSED_TURNS,
  answerMissed,
  closeSeries,
  endSeries,
  isTurnUnfinished,
  listTurns,
  noteFeedWait,
  settle,
} from './turns';
export type { FeedOfTurn, Settled, TurnView } from './turns';
