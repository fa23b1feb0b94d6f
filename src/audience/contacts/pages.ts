import type { QueryFilter } from 'mongoose';
import type { PageRequest } from '../../platform/core';
import { page } from '../../platform/mongo';
import type { Page } from '../../platform/mongo';
import { ContactModel } from './model';
import type { Contact } from './model';

/** Lists contacts that match, newest first or last, a page at a time; `members` names those that are read. */
export const pageOfContacts = (
  filter: QueryFilter<Contact>,
  request: PageRequest,
  direction: 1 | -1,
  members?: Readonly<Partial<Record<keyof Contact, 1>>>,
): Promise<Page<Contact>> => page(ContactModel, filter, request, { by: 'createdAt', direction }, members);
