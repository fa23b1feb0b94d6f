import { EventGroupModel } from './group-model';
import type { EventGroup } from './group-model';
import { EventModel } from './model';
import { contactsOfSlices } from './slices';

/** Resolves to the contacts with an event of one of these names since an instant of the database's clock. */
export async function contactsWithEvents(projectId: string, names: readonly string[], since: Date): Promise<readonly string[]> {
  const received = { receivedAt: { $gte: since }, projectId };
  const [alone, grouped, slices] = await Promise.all([
    EventModel.collection
      .aggregate<{ _id: string }>([
        { $match: { ...received, name: { $in: [...names] }, contactId: { $gt: '' } } },
        { $group: { _id: '$contactId' } },
      ])
      .toArray(),
    EventGroupModel.collection
      .aggregate<{ _id: string | null }>([
        { $match: { ...received, names: { $in: [...names] } } },
        { $unwind: '$contacts' },
        { $group: { _id: '$contacts' } },
      ])
      .toArray(),
    EventGroupModel.collection.find<EventGroup>({ ...received, names: { $in: [...names] }, count: { $gt: 0 } } as never).toArray(),
  ]);
  const sliced = (await contactsOfSlices(projectId, slices)).map((_id) => ({ _id }));
  return [...new Set([...alone, ...grouped, ...sliced].flatMap(({ _id }) => _id ?? []))];
}
