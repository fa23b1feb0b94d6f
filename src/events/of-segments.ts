import { EventModel } from './model';

/** The contacts of whom something of these names was told since an instant of the database's clock. */
export async function contactsToldOf(projectId: string, names: readonly string[], since: Date): Promise<readonly string[]> {
  const rows = await EventModel.collection
    .aggregate<{ _id: string }>([
      { $match: { receivedAt: { $gte: since }, projectId, name: { $in: [...names] }, contactId: { $gt: '' } } },
      { $group: { _id: '$contactId' } },
    ])
    .toArray();
  return rows.map(({ _id }) => _id);
}
