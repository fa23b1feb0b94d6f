import type { Context } from '../context';
import type { Page } from '../mongo/page';
import type { PageRequest } from '../paging';
import { EventGroupModel } from './group-model';
import { EventModel } from './model';
import type { Event } from './model';
import { newestEvents } from './newest';

const DELETED = 'contact.deleted';

/** A page of what is told of a contact, newest first. What tells of a deletion is of one who had the same address before. */
export const eventsOfContact = ({ projectId }: Context, contactId: string, request: PageRequest): Promise<Page<Event>> =>
  newestEvents({ projectId, contactId, notName: DELETED }, request);

/** What an event tells of the mail of a contact in its own words. */
const OWN_WORDS = ['to', 'fromEmail', 'fromName', 'subject'] as const;

/**
 * Events of contacts that are no more, stored up to `before`, belong to nobody; but for the one that tells of the deletion. Of mail that such a contact has
 * sent they tell no more than that it came.
 */
export async function detachEvents(projectId: string, contactIds: readonly string[], before: Date): Promise<void> {
  const gone = { $in: [...contactIds] };
  await EventModel.collection.updateMany(
    { projectId, contactId: gone, receivedAt: { $lte: before }, name: 'email.received' },
    { $set: { contactId: null }, $unset: Object.fromEntries(OWN_WORDS.map((word) => [`data.${word}`, ''])) },
  );
  await EventModel.collection.updateMany(
    { projectId, contactId: gone, receivedAt: { $lte: before }, name: { $ne: DELETED } },
    { $set: { contactId: null } },
  );
  await EventGroupModel.collection.updateMany(
    { projectId, contacts: gone, receivedAt: { $lte: before } },
    { $set: { 'contacts.$[gone]': null } },
    { arrayFilters: [{ gone }] },
  );
}
