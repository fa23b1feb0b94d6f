export { claim, claimed, moveToTransport, notBegunAgain, settle, settleAndClaim } from './attempts';
export type { Claim, ClaimedOver, Outcome } from './attempts';
export { startsAsked } from './campaign-starts';
export type { CampaignClaim } from './claim-model';
export {
  beginClaim,
  claimsOf,
  dropUnbegun,
  endClaim,
  endClaims,
  idsBeingSent,
  insertClaims,
  messagesThere,
  removeClaims,
  withUnbegun,
  workersWithClaims,
} from './claims';
export { ClickLinks, clickUrl, readClickToken } from './click-links';
export {
  comesAgain,
  contentById,
  contentGoing,
  contentOf,
  givenIn,
  htmlOf,
  keepContents,
  loadAttachments,
  ownContentId,
  storeAttachment,
  storeContent,
} from './content';
export { detachEmails } from './detach';
export { engage, findFacts, findWhole, noteMachines, noteOptOut, untilWritten } from './engagement';
export type { EmailFacts, Engagement, MachineVisit } from './engagement';
export {
  INSTANTS,
  countUnerased,
  eraseAttachments,
  eraseContents,
  eraseFromCopies,
  eraseMail,
  eraseRepliesTo,
  findRepliesTo,
  findScheduled,
  findTraces,
} from './erase';
export type { Erased, MailTrace } from './erase';
export { decideChunk, dueBehind, heldByProject, heldCount, markSent, onTheWireSince, park } from './held';
export {
  PROJECT_SHARE,
  findClaimed,
  findDue,
  findDueBehind,
  findWritten,
  forgetContents,
  giveBack,
  insertEmails,
  insertWrittenRows,
  putOff,
  withdraw,
  workersWithMail,
} from './ledger';
export type { Claims, DuePage, Known, WrittenRow } from './ledger';
export { BOUNCE_TYPES, EMAIL_SOURCES, EMAIL_STATUSES, EMAIL_TYPES, PRIORITY_OF } from './model';
export type { BounceType, Email, EmailSource, EmailType } from './model';
export type { AttachmentRef, Attempt, Copied, MailLimits, MailTransport, InlineContent } from './parts';
export { otherOutcomes, newestMessageAt } from './newest-outcomes';
export { countByNode, countTagged } from './outcome-counts';
export type { EmailCounts, Tagged } from './outcome-counts';
export {
  campaignMessages,
  countCampaignMessages,
  countOpen,
  countTrouble,
  requeueFailed,
  countTried,
  holdRetries,
  messageFacts,
  releaseRetries,
  waitingOfCampaign,
  wasTried,
  withdrawAll,
} from './campaign-messages';
export type { CampaignCounts, CampaignMessage } from './campaign-messages';
export { nextDueAt, oldestDue, overdueShards } from './oldest-due';
export { findCopies, findEmail, findForSummaries } from './find';
export type { AnsweredEmail } from './find';
export { statusOfEvent, untilRecorded } from './recorded';
export { moveWaiting, rescheduleEmail } from './reschedule';
export { forgetLateContents, forgetOldContents, removeOldEmails, removeUnneeded } from './retention';
export type { Ages } from './retention';
export { isUnsettled, markBounced, markComplained, markDelivered } from './returned';
export type { LateBounce } from './returned';
export { toEmail, toRow } from './row';
export {
  unreleasedInMinute,
  isScheduled,
  minuteIntent,
  minutesLeft,
  minutesOf,
  overdueMinutes,
  releaseDue,
  waitingInMinute,
} from './scheduled';
export { getEmail, listEmails, listReceived } from './service';
export { HELD_AT_ONCE, recordedLate, holding, isHolder, isTimely, mayHold } from './history';
export { historyBetween, historyByBucket, historyRecorded, isMoreHistory, undoRowEvents } from './history-counts';
export type { MailCount, Recorded } from './history-counts';
export { historyReceived } from './history-feed';
export { contactsInHistory, historyOfContact, newestHistory } from './history-lists';
export {
  newestTroubles,
  outcomesByRecipientDomain,
  outcomesByTransport,
  sentByRecipientDomain,
  sentBySenderDomain,
} from './sent-by-domain';
export type { DomainOutcomes, TransportOutcomes } from './sent-by-domain';
export { spreadShard } from './spread';
export { emailSummary } from './summary';
export type { EmailSummary } from './summary';
export { TAG_NAME, TAG_TEXT, TAG_VALUE, tagText } from './tags';
export {
  MESSAGE_TOKEN,
  bounceAddress,
  feedbackToken,
  messageIdOf,
  openPixelUrl,
  readToken,
  systemValues,
  unsubscribeAddress,
  unsubscribeUrl,
} from './urls';
export type { LinkedMessage } from './urls';
export { MAIL_COUNTERS, mailHours } from './mail-timeline';
export { readBodies, maskTokens } from './view-data';
export type { Bodies } from './view-data';
export {
  countWaitingFrom,
  dueFor,
  findDeferred,
  findEmails,
  findUnderWay,
  findWaitingFrom,
  markCancelled,
  statusesOf,
  waitingBy,
  waitingDomains,
} from './waiting';
export type { EmailRow } from './row';
