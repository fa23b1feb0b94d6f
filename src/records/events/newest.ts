import type { QueryFilter } from 'mongoose';
import { mergedNewest, newestFirst } from '../../platform/mongo';
import type { Page } from '../../platform/mongo';
import type { PageRequest, Position } from '../../platform/core';
import { isRowEventName } from '../../rules/email-events';
import { historyOfContact, newestHistory } from '../emails';
import { EventModel } from './model';
import type { Event } from './model';

interface EventFilter {
  readonly projectId: string;
  readonly name?: string | undefined;
  /** All names but this one, which no row of a message holds. */
  readonly notName?: string;
  readonly contactId?: string | undefined;
  /** Inclusive. */
  readonly from?: Date | undefined;
  /** Exclusive. */
  readonly to?: Date | undefined;
}

const positionOf = ({ _id, createdAt }: Event): Position => ({ at: createdAt, id: _id });

/**
 * Resolves to a page of events, newest first: those with rows of their own, and those that rows of messages hold. No more of the latter are read than fit on
 * the page: each row that holds none has an event of its own, so few are read in vain.
 */
export async function newestEvents(filter: EventFilter, request: PageRequest): Promise<Page<Event>> {
  const alone = await newestAlone(filter, request);
  const last = alone.next === null ? filter.from : alone.rows.at(-1)?.createdAt;
  const inRows = await newestInRows({ ...filter, from: last }, request);
  return mergedNewest([alone, { rows: inRows, next: null }], request.limit, positionOf);
}

function newestAlone({ projectId, name, notName, contactId, from, to }: EventFilter, request: PageRequest): Promise<Page<Event>> {
  const filter: QueryFilter<Event> = {
    projectId,
    ...(name !== undefined && { name }),
    ...(notName !== undefined && { name: { $ne: notName } }),
    ...(contactId !== undefined && { contactId }),
    ...((from || to) && { createdAt: { ...(from && { $gte: from }), ...(to && { $lt: to }) } }),
  };
  return newestFirst(EventModel, filter, request);
}

/** Finds the newest events that rows of messages hold: a contact's by its messages, all others by their instants. */
async function newestInRows(filter: EventFilter, { limit, after }: PageRequest): Promise<readonly Event[]> {
  if (filter.name !== undefined && !isRowEventName(filter.name)) return [];
  const { name, from, to } = filter;
  const isAsked = (event: Event): boolean =>
    (name === undefined || event.name === name) &&
    (!from || event.createdAt >= from) &&
    (!to || event.createdAt < to) &&
    (after === null || comesAfter(event, after));
  if (filter.contactId === undefined) return (await newestHistory(filter, { limit, after })).filter(isAsked);
  return inRowsFor({ ...filter, contactId: filter.contactId }, isAsked, { limit, after });
}

/** Reads until the page is full of events that no later one can come between. */
async function inRowsFor(
  { projectId, contactId, from, to }: EventFilter & { readonly contactId: string },
  isAsked: (event: Event) => boolean,
  { limit, after }: PageRequest,
): Promise<readonly Event[]> {
  const found: Event[] = [];
  for await (const { events, readDownTo } of historyOfContact(projectId, contactId, { from, to: after?.at ?? to })) {
    found.push(...events.filter(isAsked));
    if (found.filter(({ createdAt }) => createdAt > readDownTo).length > limit) break;
  }
  return found;
}

const comesAfter = ({ _id, createdAt }: Event, { at, id }: Position): boolean =>
  createdAt < at || (createdAt.getTime() === at.getTime() && _id < id);
