export { emit, emitOnce } from './emit';
export type { EmailEvent, NewEvent } from './emit';
export { countWaiting, detachEvents, eraseAtInstants, eraseByIds, eraseEvents } from './erase';
export { fanOutWakes } from './fan-out-wakes';
export { BEGINNING_OF_FEED, eventFeed } from './feed';
export type { FeedPage } from './feed';
export { forgetEvents, removeOldEvents } from './forget';
export type { Listening } from './listeners';
export {
  listenTo,
  listeningOf,
  listeningWhile,
  lockAllReferences,
  lockReferences,
  meetReferences,
  requireRoom,
  withReferenceLock,
} from './listeners';
export { mailBetween } from './mail-between';
export type { Event } from './model';
export { newestEvents } from './newest';
export { eventsOfContact } from './contact-events';
export { contactsWithEvents } from './contacts-with-events';
export { countPending, findPending, markHandedOn, overdueFanOutShards, projectsWaiting, putOff } from './pending';
export type { SetAside, WaitingProject } from './pending';
export { eventsReceived } from './since';
export { isWithin, remembered } from './spans';
export type { Span } from './spans';
export { eventStats } from './stats';
export type { EventStats } from './stats';
export { storedIds } from './stored';
export { countOfName, seenNames, talliedUpTo, tallyEvents, untalliedMail } from './tally';
export type { NameSeen } from './tally';
export { activeSpans, isTrigger, startedBy } from './triggers';
export type { ActiveSpan, Triggered } from './triggers';
export { isEmitted, rejudge, undoDelivered } from './undone';
export type { Rejudged } from './undone';
