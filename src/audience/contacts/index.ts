export { changeContacts } from './bulk';
export { changeTogether } from './change-together';
export { changed, made, writeContacts } from './change';
export type { ChangedContact } from './change';
export { countContacts, countContactsAmong } from './counts';
export type { ContactCounts } from './counts';
export { dataFault } from './data';
export { sweepErasures } from './erasures';
export { removeField } from './field-removal';
export { FieldRoom, fieldsFull } from './field-room';
export { sumUpFields } from './field-sums';
export { listFieldValues } from './field-values';
export { atOneInstant, listFields } from './fields';
export { fieldReaders, onContactsDetached, onContactsGone, onContactsRemoved } from './hooks';
export type { Contact } from './model';
export { deleteNotes, noteOnce, notesOf, removeOldNotes } from './notes';
export { aggregateNamed, createdAtOf, differenceOf, matchingIds, sampleContacts } from './matching';
export { pageOfContacts } from './pages';
export { recountFields } from './recount';
export { deleteContact } from './remove';
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
export { contactShape } from './shape';
export type { ContactShape } from './shape';
export { endSnooze, isSnoozeOver, snoozeContact } from './snooze';
export { timeline } from './timeline';
export { keptTopicsOf } from './kept-topics';
export { topicChoicesOf, writeChoicesOfContacts, writeTopicChoices } from './topic-choices';
export type { ChoicesOfPerson } from './topic-choices';
export type { TimelineEntry } from './timeline';
export { upsertContact, upsertIn } from './upsert';
export { fieldUsage } from './field-usage';
export type { FieldUsage } from './field-usage';
export { aggregateContacts, contactIdAfter } from './walk';
export { contactWithFacts } from './with-facts';
