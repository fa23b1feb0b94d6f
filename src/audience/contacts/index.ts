export { changeContacts, deleteContact } from './bulk';
export { changeTogether } from './change-together';
export { changed, made, writeContacts, dataFault, upsertContact, upsertIn } from './change';
export type { ChangedContact } from './change';
export {
  countContacts,
  countContactsAmong,
  aggregateNamed,
  createdAtOf,
  differenceOf,
  matchingIds,
  sampleContacts,
  pageOfContacts,
  contactWithFacts,
  aggregateContacts,
  contactIdAfter,
} from './matching';
export type { ContactCounts } from './matching';
export { sweepErasures } from './erasures';
export { removeField, listFieldValues } from './field-values';
export { FieldRoom, fieldsFull } from './field-room';
export { sumUpFields, atOneInstant, listFields, fieldUsage } from './fields';
export { fieldReaders, onContactsDetached, onContactsGone, onContactsRemoved } from './hooks';
export type { Contact, ContactShape } from './model';
export { deleteNotes, noteOnce, notesOf, removeOldNotes } from './notes';
export { recountFields } from './recount';
export {
  contactIdFor,
  contactIdOf,
  createMissing,
  findContact,
  findContacts,
  findReaders,
  getContact,
  reserveId,
  optIn,
  optOut,
} from './service';
export type { NewContact, Reader } from './service';
export { contactShape } from './model';
export { endSnooze, isSnoozeOver, snoozeContact } from './snooze';
export { timeline } from './timeline';
export { keptTopicsOf } from './kept-topics';
export { topicChoicesOf, writeChoicesOfContacts, writeTopicChoices } from './topic-choices';
export type { ChoicesOfPerson } from './topic-choices';
export type { TimelineEntry } from './timeline';
export type { FieldUsage } from './fields';
