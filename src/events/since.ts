import { EventModel } from './model';
import type { Event } from './model';

/** Events of a name and a contact that were received after `since` and up to `until`, the first ones first. Reads the index of the contact's events. */
export const eventsReceived = (
  {
    projectId,
    contactId,
    name,
    liveOnly,
  }: { readonly projectId: string; readonly contactId: string; readonly name: string; readonly liveOnly: boolean },
  since: Date,
  until: Date,
): Promise<Pick<Event, '_id' | 'data'>[]> =>
  EventModel.collection
    .find<Pick<Event, '_id' | 'data'>>(
      { projectId, contactId, name, receivedAt: { $gt: since, $lte: until }, ...(liveOnly && { testMode: false }) } as never,
      { projection: { data: 1 } },
    )
    .sort({ receivedAt: 1, _id: 1 })
    .toArray();
