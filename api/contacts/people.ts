import type { z } from 'zod';
import { contactIdFor } from '../../src/audience/contacts';
import type { LeavingPerson } from '../../src/audience/topics';
import type { Context } from '../../src/platform/core';
import type { BulkContacts } from './schemas';

/** Returns the people that a request for many contacts names. */
export const peopleIn = (
  { project }: Context,
  { contactIds = [], emails = [] }: z.output<typeof BulkContacts>,
): readonly LeavingPerson[] => [
  ...contactIds.map((contactId) => ({ contactId, address: null })),
  ...emails.map((address) => ({ contactId: contactIdFor(project, address), address })),
];
