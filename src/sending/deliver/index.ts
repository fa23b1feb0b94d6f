export { alikeMail, envelopeOf, mailScratch, ownHeaders, plainMail, renderMail, signedMail, unsignedMail } from './compose';
export { noteSlice } from './deliver';
export type { Lane, Made } from './deliver';
export type { Engine } from './engine';
export { campaignWork, cancelledCampaigns } from './hooks';
export type { CampaignWork, PageCall, PageTools } from './hooks';
export { DeliveryHost } from './host';
export { eventOf, finalFailure, noteOutcomes, noteStreamed, providerMessageId } from './outcome';
export { queuesOfPool } from './pool';
export { cancel } from './recheck';
export {
  acceptedOf,
  campaignHappenings,
  countHardBounces,
  countInCampaignsLater,
  emitCounted,
  eventCountOf,
  eventsOf,
  laterCounts,
  record,
  suppressBounced,
  untilDone,
} from './record';
export type { Finished, LaterCounts } from './record';
export { recordReturned } from './returned';
export type { Returned } from './returned';
export { releaseReservationsOfLost, wakeOverdueShards } from './sweep';
export { workersBelow, workersInPool, workersWithoutPages } from './workers-below';
