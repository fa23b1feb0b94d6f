import type { QueryFilter } from 'mongoose';
import { mergedNewest, newestFirst } from '../../platform/mongo';
import type { Page } from '../../platform/mongo';
import type { PageRequest, Position } from '../../platform/core';
import { isGroupedName } from '../../rules/email-events';
import { EventGroupModel } from './group-model';
import type { EventGroup } from './group-model';
import { EventModel } from './model';
import type { Event } from './model';
import { eventsHeldFor, eventsOfSlices } from './slices';

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

/** Groups that are read together: each stands for several messages. */
const FEW_GROUPS = 20;

const LATEST = new Date(8.64e15);

const positionOf = ({ _id, createdAt }: Event): Position => ({ at: createdAt, id: _id });

/** Resolves to a page of events, newest first: from rows of their own and from rows of messages. */
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

/** Finds the newest events that rows of messages hold, without a position, since all of them are read: a contact's by its messages, all others by their groups. */
async function newestInGroups(filter: EventFilter, { limit, after }: PageRequest): Promise<Page<Event>> {
  if (filter.name !== undefined && !isGroupedName(filter.name)) return { rows: [], next: null };
  const { contactId } = filter;
  const rows = contactId === undefined ? await eventsInGroups(filter, limit, after) : await heldFor(contactId, filter, limit, after);
  return { rows, next: null };
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

/** Reads groups until their counts add up to a page, and more where filtering leaves too few. That may be more than the page needs. */
async function eventsInGroups(filter: EventFilter, limit: number, after: Position | null): Promise<readonly Event[]> {
  const found: Event[] = [];
  let together: EventGroup[] = [];
  let promised = 0;
  for await (const group of groupsBefore(filter, after)) {
    const last = together.at(-1);
    if (last && promised > limit && group.createdAt < last.createdAt) {
      found.push(...(await eventsOf(together, filter, limit, after)));
      if (found.length > limit) return found;
      [together, promised] = [[], found.length];
    }
    together.push(group);
    promised += promisedBy(group, filter);
  }
  return [...found, ...(await eventsOf(together, filter, limit, after))];
}

/** Returns how many events of a group are asked for at most. */
const promisedBy = ({ names, count }: EventGroup, { name }: EventFilter): number => count * (name === undefined ? names.length : 1);

/** Reads the asked events of groups. One row may be that of the position, and one more says that there is another page. */
async function eventsOf(
  groups: readonly EventGroup[],
  filter: EventFilter,
  limit: number,
  after: Position | null,
): Promise<readonly Event[]> {
  const events = await eventsOfSlices(filter.projectId, groups, { limit: limit + 2, after });
  return events.filter((event) => isAsked(event, filter) && (after === null || comesAfter(event, after)));
}

const isWithin = ({ createdAt }: Event, { from, to }: EventFilter): boolean => (!from || createdAt >= from) && (!to || createdAt < to);

const isAsked = (event: Event, { name, contactId }: EventFilter): boolean =>
  (name === undefined || event.name === name) && (contactId === undefined || event.contactId === contactId);

const comesAfter = ({ _id, createdAt }: Event, { at, id }: Position): boolean =>
  createdAt < at || (createdAt.getTime() === at.getTime() && _id < id);

function groupsBefore({ projectId, name, from, to }: EventFilter, after: Position | null) {
  const filter = {
    projectId,
    ...(name !== undefined && { names: name }),
    createdAt: { $lte: after?.at ?? LATEST, ...within(from, to) },
  };
  return EventGroupModel.collection.find<EventGroup>(filter).sort({ createdAt: -1, _id: -1 }).batchSize(FEW_GROUPS);
}
