import { perDatabase } from '../../platform/mongo';
import { historyOfContact } from '../emails';
import { batched } from '../../platform/batch';
import { isRowEventName } from '../../rules/email-events';
import { EventModel } from './model';
import type { Event } from './model';

interface Asked {
  readonly projectId: string;
  readonly contactId: string;
  readonly name: string;
  readonly liveOnly: boolean;
}

type Received = Pick<Event, '_id' | 'data' | 'emailId' | 'receivedAt'>;

/**
 * Finds events of a name and a contact that were received after `since` and up to `until`, the first ones first. Reads the indexes of the contact's events; one
 * query answers all that ask together.
 */
export async function eventsReceived(asked: Asked, since: Date, until: Date): Promise<readonly Received[]> {
  const alone = (await storedAlone()({ ...asked, since, until })) ?? [];
  if (!isRowEventName(asked.name)) return [...alone].sort(earlier);
  return [...alone, ...(await inRows(asked, since, until))].sort(earlier);
}

async function inRows({ projectId, contactId, name }: Asked, since: Date, until: Date): Promise<readonly Received[]> {
  const found: Event[] = [];
  for await (const { events } of historyOfContact(projectId, contactId, { from: since, to: until })) found.push(...events);
  return found.filter((event) => event.name === name && event.receivedAt > since && event.receivedAt <= until);
}

type Span = Asked & { readonly since: Date; readonly until: Date };

/** Limit for the branches of a query, each served by the index. */
const SPANS_IN_QUERY = 50;

const storedAlone = perDatabase(() =>
  batched(async (spans: readonly Span[]): Promise<ReadonlyMap<Span, Event[]>> => {
    const found: Event[] = [];
    for (let from = 0; from < spans.length; from += SPANS_IN_QUERY) {
      const $or = spans.slice(from, from + SPANS_IN_QUERY).map(({ projectId, contactId, name, liveOnly, since, until }) => ({
        projectId,
        contactId,
        name,
        receivedAt: { $gt: since, $lte: until },
        ...(liveOnly && { testMode: false }),
      }));
      found.push(...(await EventModel.collection.find<Event>({ $or }, { projection: NEEDED }).toArray()));
    }
    return new Map(spans.map((span) => [span, found.filter((event) => isIn(span, event))]));
  }),
);

const NEEDED = { projectId: 1, contactId: 1, emailId: 1, name: 1, testMode: 1, data: 1, receivedAt: 1 };

const isIn = ({ projectId, contactId, name, liveOnly, since, until }: Span, event: Event): boolean =>
  event.projectId === projectId &&
  event.contactId === contactId &&
  event.name === name &&
  !(liveOnly && event.testMode) &&
  event.receivedAt > since &&
  event.receivedAt <= until;

const earlier = (a: Received, b: Received): number => a.receivedAt.getTime() - b.receivedAt.getTime() || (a._id < b._id ? -1 : 1);
