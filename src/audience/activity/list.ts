import { contactIdFor } from '../contacts';
import type { Context, PageRequest } from '../../platform/core';
import type { Page } from '../../platform/mongo';
import type { Event } from '../../records/events';
import { newestEvents } from '../../records/events';

interface EventFilter {
  readonly name?: string | undefined;
  readonly contactId?: string | undefined;
  readonly email?: string | undefined;
  /** Inclusive. */
  readonly from?: Date | undefined;
  /** Exclusive. */
  readonly to?: Date | undefined;
}

/** Resolves to a page of the project's events, newest first. With both `contactId` and `email` they have to mean the same contact. */
export function listEvents(ctx: Context, { name, contactId, email, from, to }: EventFilter, request: PageRequest): Promise<Page<Event>> {
  const meant = email === undefined ? undefined : contactIdFor(ctx.project, email);
  if (contactId !== undefined && meant !== undefined && contactId !== meant) return Promise.resolve({ rows: [], next: null });
  return newestEvents({ projectId: ctx.projectId, name, contactId: contactId ?? meant, from, to }, request);
}
