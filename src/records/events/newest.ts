import type { QueryFilter } from 'mongoose';
import { mergedNewest, newestFirst } from '../../platform/mongo';
import type { Page } from '../../platform/mongo';
import type { PageRequest, Position } from '../../platform/core';
import { isGroupedName } from '../../rules/email-events';
import { EventGroupModel } from './group-model';
import type { EventGroup } from './group-model';
import { eventsIn } from './groups';
import { EventModel } from './model';
import type { Event } from './model';
import { eventsHeldFor, eventsOfSlice } from './slices';

interface EventFilter {
  readonly projectId: string;
  readonly name?: string | undefined;
  /** All names but this one, which is never stored in groups. */
  readonly notName?: string;
  readonly contactId?: string | undefined;
  /** Inclusive. */
  readonly from?: Date | undefined;
  /** Exclusive. */
  readonly to?: Date | undefined;
}

/** Of messages of anybody: a group holds tens of them. Of a contact's there is one in a group at most. */
const FEW_GROUPS = 4;

const LATEST = new Date(8.64e15);

const positionOf = ({ _id, createdAt }: Event): Position => ({ at: createdAt, id: _id });

/** Resolves to a page of events, newest first: from single rows and from groups. */
export async function newestEvents(filter: EventFilter, request: PageRequest): Promise<Page<Event>> {
  const pages = await Promise.all([newestAlone(filter, request), newestInGroups(filter, request)]);
  return mergedNewest(pages, request.limit, positionOf);
}

function newestAlone({ projectId, name, notName, contactId, from, to }: EventFilter, request: PageRequest): Promise<Page<Event>> {
  const filter: QueryFilter<Event> = {
    projectId,
    ...(name !== undefined && { name }),
    ...(notName !== undefined && { name: { $ne: notName } }),
    ...(contactId !== undefined && { contactId }),
    ...((from || to) && { createdAt: within(from, to) }),
  };
  return newestFirst(EventModel, filter, request);
}

const within = (from: Date | undefined, to: Date | undefined) => ({ ...(from && { $gte: from }), ...(to && { $lt: to }) });

/** Finds the newest events in groups, without a position, since all of them are read. */
async function newestInGroups(filter: EventFilter, { limit, after }: PageRequest): Promise<Page<Event>> {
  const found: Event[] = [];
  if (filter.name !== undefined && !isGroupedName(filter.name)) return { rows: found, next: null };
  if (filter.contactId !== undefined) found.push(...(await heldFor(filter.contactId, filter, limit, after)));
  return { rows: [...found, ...(await eventsInGroups(filter, limit, after))], next: null };
}

/** Reads until the page is full of events that no later one can come between. */
async function heldFor(contactId: string, filter: EventFilter, limit: number, after: Position | null): Promise<readonly Event[]> {
  const { projectId, from, to } = filter;
  const found: Event[] = [];
  for await (const { events, readDownTo } of eventsHeldFor(projectId, contactId, { from, to: after?.at ?? to })) {
    for (const event of events) {
      if (isAsked(event, filter) && isWithin(event, filter) && (after === null || comesAfter(event, after))) found.push(event);
    }
    if (found.filter(({ createdAt }) => createdAt > readDownTo).length > limit) break;
  }
  return found;
}

/** Reads whole groups and slices, which may be more than the page needs. */
async function eventsInGroups(filter: EventFilter, limit: number, after: Position | null): Promise<readonly Event[]> {
  const found: Event[] = [];
  for await (const group of groupsBefore(filter, limit, after)) {
    const last = found.at(-1);
    if (last && found.length > limit && group.createdAt < last.createdAt) break;
    const events = group.count === undefined ? eventsIn(group) : await eventsOfSlice(group);
    const asked = events.filter((event) => isAsked(event, filter));
    found.push(...(after === null ? asked : asked.filter((event) => comesAfter(event, after))));
  }
  return found;
}

const isWithin = ({ createdAt }: Event, { from, to }: EventFilter): boolean => (!from || createdAt >= from) && (!to || createdAt < to);

const isAsked = (event: Event, { name, contactId }: EventFilter): boolean =>
  (name === undefined || event.name === name) && (contactId === undefined || event.contactId === contactId);

const comesAfter = ({ _id, createdAt }: Event, { at, id }: Position): boolean =>
  createdAt < at || (createdAt.getTime() === at.getTime() && _id < id);

function groupsBefore({ projectId, name, contactId, from, to }: EventFilter, limit: number, after: Position | null) {
  const filter = {
    projectId,
    ...(name !== undefined && { names: name }),
    ...(contactId !== undefined && { contacts: contactId }),
    createdAt: { $lte: after?.at ?? LATEST, ...within(from, to) },
  };
  return EventGroupModel.collection
    .find<EventGroup>(filter as never)
    .sort({ createdAt: -1, _id: -1 })
    .batchSize(contactId === undefined ? FEW_GROUPS : limit + 1);
}
