import { AGE_INDEX } from './indexes';
import { EmailModel } from './model';

interface DomainRow {
  readonly _id: string;
  readonly sent: number;
  readonly complained: number;
}

/**
 * Counts the newest `most` live messages of a project since an instant that were sent and did not bounce, and the complaints about them, by the domain of
 * the recipient.
 */
export async function sentByDomain(
  projectId: string,
  since: Date,
  most: number,
): Promise<ReadonlyMap<string, { readonly sent: number; readonly complained: number }>> {
  const address = { $ifNull: ['$to', '$recipient.to'] };
  const rows = await EmailModel.collection
    .aggregate<DomainRow>(
      [
        { $match: { projectId, createdAt: { $gte: since } } },
        { $sort: { createdAt: -1, _id: -1 } },
        { $limit: most },
        { $match: { testMode: false, source: { $ne: 'inbound' }, sentAt: { $type: 'date' }, bouncedAt: { $not: { $type: 'date' } } } },
        {
          $group: {
            _id: { $arrayElemAt: [{ $split: [address, '@'] }, -1] },
            sent: { $sum: 1 },
            complained: { $sum: { $cond: [{ $gt: ['$complainedAt', null] }, 1, 0] } },
          },
        },
      ],
      { hint: AGE_INDEX },
    )
    .toArray();
  return new Map(rows.map(({ _id, sent, complained }) => [_id, { sent, complained }]));
}
