import type { QueryFilter } from 'mongoose';
import { contactIdFor } from '../contacts/service';
import type { Context } from '../context';
import { newestFirst } from '../mongo/page';
import type { Page } from '../mongo/page';
import type { PageRequest } from '../paging';
import { EventModel } from './model';
import type { Event } from './model';

interface EventFilter {
  readonly name?: string | undefined;
  readonly contactId?: string | undefined;
  readonly email?: string | undefined;
  /** Inclusive. */
  readonly from?: Date | undefined;
  /** Exclusive. */
  readonly to?: Date | undefined;
}

/** A page of the project's events, newest first. With both `contactId` and `email` they have to mean the same contact. */
export function listEvents(ctx: Context, { name, contactId, email, from, to }: EventFilter, request: PageRequest): Promise<Page<Event>> {
  const meant = email === undefined ? undefined : contactIdFor(ctx.project, email);
  if (contactId !== undefined && meant !== undefined && contactId !== meant) return Promise.resolve({ rows: [], next: null });
  const contact = contactId ?? meant;
  const filter: QueryFilter<Event> = {
    projectId: ctx.projectId,
    ...(name !== undefined && { name }),
    ...(contact !== undefined && { contactId: contact }),
    ...within(from, to),
  };
  return newestFirst(EventModel, filter, request);
}

const within = (from: Date | undefined, to: Date | undefined): QueryFilter<Event> =>
  from || to ? { createdAt: { ...(from && { $gte: from }), ...(to && { $lt: to }) } } : {};
