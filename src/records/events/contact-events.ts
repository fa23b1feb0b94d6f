import type { Context, PageRequest } from '../../platform/core';
import type { Page } from '../../platform/mongo';
import type { Event } from './model';
import { newestEvents } from './newest';

const DELETED = 'contact.deleted';

/** Resolves to a page of a contact's events, newest first. An event of a deletion belongs to an earlier contact with the same address. */
export const eventsOfContact = ({ projectId }: Context, contactId: string, request: PageRequest): Promise<Page<Event>> =>
  newestEvents({ projectId, contactId, notName: DELETED }, request);
