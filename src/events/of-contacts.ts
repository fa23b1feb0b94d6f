import type { Context } from '../context';
import { newestFirst } from '../mongo/page';
import type { Page } from '../mongo/page';
import type { PageRequest } from '../paging';
import { EventModel } from './model';
import type { Event } from './model';

const DELETED = 'contact.deleted';

/** A page of what is told of a contact, newest first. What tells of a deletion is of one who had the same address before. */
export const eventsOfContact = (ctx: Context, contactId: string, request: PageRequest): Promise<Page<Event>> =>
  newestFirst(EventModel, { projectId: ctx.projectId, contactId, name: { $ne: DELETED } }, request);

/** Events of contacts that are no more, stored up to `before`, belong to nobody; but for the one that tells of the deletion. */
export async function detachEvents(projectId: string, contactIds: readonly string[], before: Date): Promise<void> {
  const filter = { projectId, contactId: { $in: [...contactIds] }, receivedAt: { $lte: before }, name: { $ne: DELETED } };
  await EventModel.collection.updateMany(filter, { $set: { contactId: null } });
}
