import { EventGroupModel } from './group-model';
import { EventModel } from './model';

/** The contacts of whom something of these names was told since an instant of the database's clock. */
export async function contactsToldOf(projectId: string, names: readonly string[], since: Date): Promise<readonly string[]> {
  const received = { receivedAt: { $gte: since }, projectId };
  const [alone, grouped] = await Promise.all([
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
  ]);
  return [...new Set([...alone, ...grouped].flatMap(({ _id }) => _id ?? []))];
}
