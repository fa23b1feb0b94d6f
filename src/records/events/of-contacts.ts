import type { Context } from '../../platform/core/context';
import type { Page } from '../../platform/mongo/page';
import type { PageRequest } from '../../platform/core/paging';
import type { Event } from './model';
import { newestEvents } from './newest';

const DELETED = 'contact.deleted';

/** Resolves to a page of what is told of a contact, newest first. What tells of a deletion is of one who had the same address before. */
export const eventsOfContact = ({ projectId }: Context, contactId: string, request: PageRequest): Promise<Page<Event>> =>
  newestEvents({ projectId, contactId, notName: DELETED }, request);
