import { isGroupedName } from '../rules/email-events';
import { EventGroupModel } from './group-model';
import type { EventGroup } from './group-model';
import { eventsIn } from './groups';
import { EventModel } from './model';
import type { Event } from './model';
import { slicedEventsOf } from './slices';

interface Asked {
  readonly projectId: string;
  readonly contactId: string;
  readonly name: string;
  readonly liveOnly: boolean;
}

type Received = Pick<Event, '_id' | 'data' | 'receivedAt'>;

/** Events of a name and a contact that were received after `since` and up to `until`, the first ones first. Reads the indexes of the contact's events. */
export async function eventsReceived(
  { projectId, contactId, name, liveOnly }: Asked,
  since: Date,
  until: Date,
): Promise<readonly Received[]> {
  const receivedAt = { $gt: since, $lte: until };
  const alone = await EventModel.collection
    .find<Received>({ projectId, contactId, name, receivedAt, ...(liveOnly && { testMode: false }) } as never, {
      projection: { data: 1, receivedAt: 1 },
    })
    .toArray();
  if (!isGroupedName(name)) return alone.sort(earlier);
  const groups = await EventGroupModel.collection
    .find<EventGroup>({ projectId, contacts: contactId, names: name, receivedAt } as never)
    .toArray();
  const grouped = groups.flatMap(eventsIn).filter((event) => event.contactId === contactId && event.name === name);
  const sliced = (await slicedEventsOf(projectId, contactId)).filter(
    (event) => event.name === name && event.receivedAt > since && event.receivedAt <= until,
  );
  return [...alone, ...grouped, ...sliced].sort(earlier);
}

const earlier = (a: Received, b: Received): number => a.receivedAt.getTime() - b.receivedAt.getTime() || (a._id < b._id ? -1 : 1);
