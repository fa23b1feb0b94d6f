import { contactsInHistory } from '../emails';
import { EventModel } from './model';

/** Resolves to the contacts with an event of one of these names since an instant of the database's clock; to some with one of a little before, too. */
export async function contactsWithEvents(projectId: string, names: readonly string[], since: Date): Promise<readonly string[]> {
  const [alone, inRows] = await Promise.all([
    EventModel.collection
      .aggregate<{ _id: string }>([
        { $match: { receivedAt: { $gte: since }, projectId, name: { $in: [...names] }, contactId: { $gt: '' } } },
        { $group: { _id: '$contactId' } },
      ])
      .toArray(),
    contactsInHistory(projectId, names, since),
  ]);
  return [...new Set([...alone.map(({ _id }) => _id), ...inRows])];
}
