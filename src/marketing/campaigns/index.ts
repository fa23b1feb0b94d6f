export { setHeldReason } from './announce';
export { audiencePage, countAudience, countTopics } from './audience';
export { campaignsBehind } from './reached';
export { endPause, pauseCampaign, rescheduleCampaign, resumeCampaign, retryFailed, unscheduleCampaign } from './control';
export type { Reached } from './control';
export { ROLLOUT_STOPPED, checkRollout, currentStep } from './rollout';
export type { AudienceBreakdown } from './audience';
export { FIGURES } from './counters';
export { readCoverage } from './coverage';
export type { Coverage } from './coverage';
export { DecisionWaits, decideCampaign } from './decide';
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
export { finishCampaign, removeCampaign } from './finish';
export { IdleCampaigns } from './idle';
export { beginCampaign, freezeAudience, positionAfter } from './freeze';
export type { BulkHost } from './freeze';
export type { CampaignLinkRow } from './link-model';
export type { Campaign } from './model';
export type { FeedWait, Series } from './series';
export { auditedLaunch, complaintsOf, checkedSince } from './gate';
export type { Forced } from './gate';
export { contentChooser, fromNameOf, languagesByContent } from './content-ids';
export type { ContentChooser } from './content-ids';
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
export { stoppedCampaigns } from './retries';
export type { PageRecipient } from './page-source';
export { countRecipients, findRecipient, listRecipients, standingPages } from './recipients';
export type { RecipientView, StandingRecipient } from './recipients';
export { templateFaults } from './refusals';
export { fillNonOpeners, resendToNonOpeners } from './resend';
export { isCampaignOver, isCampaignRemoved, isSeriesOver } from './standing';
export type { CampaignFlight } from './plan';
export { cancelCampaign, checkLaunch, planLaunch, sendCampaign } from './send';
export type { SendOptions } from './send';
export { recheckSendTimes, moveSendTimes, nextSendTime } from './send-times';
export type { RecheckedSendTime } from './send-times';
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
export { campaignInstants, recipientInstants } from './upcoming';
export type { CampaignInstant } from './upcoming';
export { testSendCampaign } from './test-send';
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
