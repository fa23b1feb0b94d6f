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

/** Of messages of anybody: slices are small, and each stands for some. Of a contact's there is one in a group at most. */
const FEW_GROUPS = 20;

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

/** Reads groups and slices together, as many as say that they have a page, and more where they had not. That may be more than the page needs. */
async function eventsInGroups(filter: EventFilter, limit: number, after: Position | null): Promise<readonly Event[]> {
  const found: Event[] = [];
  let together: EventGroup[] = [];
  let promised = 0;
  for await (const group of groupsBefore(filter, limit, after)) {
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
const promisedBy = ({ names, emails, count = emails.length }: EventGroup, { name, contactId }: EventFilter): number =>
  (contactId === undefined ? count : 1) * (name === undefined ? names.length : 1);

/** Reads the asked events of groups. One row may be that of the position, and one more says that there is another page. */
async function eventsOf(
  groups: readonly EventGroup[],
  filter: EventFilter,
  limit: number,
  after: Position | null,
): Promise<readonly Event[]> {
  const slices = groups.filter(({ count }) => count !== undefined);
  const named = groups.filter(({ count }) => count === undefined).flatMap(eventsIn);
  const events = [...named, ...(await eventsOfSlices(filter.projectId, slices, { limit: limit + 2, after }))];
  return events.filter((event) => isAsked(event, filter) && (after === null || comesAfter(event, after)));
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
