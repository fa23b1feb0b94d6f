import { EventGroupModel } from './group-model';
import type { EventGroup } from './group-model';
import { EventModel } from './model';
import { contactsOfSlices } from './slices';

/** Resolves to the contacts with an event of one of these names since an instant of the database's clock. */
export async function contactsWithEvents(projectId: string, names: readonly string[], since: Date): Promise<readonly string[]> {
  const received = { receivedAt: { $gte: since }, projectId };
  const [alone, slices] = await Promise.all([
    EventModel.collection
      .aggregate<{ _id: string }>([
        { $match: { ...received, name: { $in: [...names] }, contactId: { $gt: '' } } },
        { $group: { _id: '$contactId' } },
      ])
      .toArray(),
    EventGroupModel.collection.find<EventGroup>({ ...received, names: { $in: [...names] } }).toArray(),
  ]);
  return [...new Set([...alone.map(({ _id }) => _id), ...(await contactsOfSlices(projectId, slices))])];
}
