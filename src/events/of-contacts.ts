import type { Context } from '../context';
import { newestFirst } from '../mongo/page';
import type { Page } from '../mongo/page';
import type { PageRequest } from '../paging';
import { EventModel } from './model';
import type { Event } from './model';

/** A page of what is told of a contact, newest first. */
export const eventsOfContact = (ctx: Context, contactId: string, request: PageRequest): Promise<Page<Event>> =>
  newestFirst(EventModel, { projectId: ctx.projectId, contactId }, request);

/** Events of contacts that are no more, stored up to `before`, belong to nobody; but for the one that tells of the deletion. */
export async function detachEvents(projectId: string, contactIds: readonly string[], before: Date): Promise<void> {
  const filter = { projectId, contactId: { $in: [...contactIds] }, receivedAt: { $lte: before }, name: { $ne: 'contact.deleted' } };
  await EventModel.collection.updateMany(filter, { $set: { contactId: null } });
}
