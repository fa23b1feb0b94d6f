import { AGE_INDEX } from './indexes';
import { EmailModel } from './model';

/** Limit for a day's rows of a project: hundreds of thousands take a second. */
const READ_MS = 30_000;

const isSet = (member: string) => ({ $gt: [`$${member}`, null] });

/** Counts a project's live messages that were accepted in a span and handed over, by the domain of their sender. Reads all rows of the span. */
export const sentBySenderDomain = async (
  projectId: string,
  from: Date,
  to: Date,
): Promise<readonly { readonly domain: string; readonly sent: number }[]> => {
  const rows = await EmailModel.collection
    .aggregate<{ readonly _id: string; readonly sent: number }>(
      [
        { $match: { projectId, createdAt: { $gte: from, $lt: to }, testMode: false, source: { $ne: 'inbound' } } },
        { $match: { $expr: { $or: [isSet('sentAt'), isSet('bouncedAt')] } } },
        { $group: { _id: { $arrayElemAt: [{ $split: ['$fromEmail', '@'] }, -1] }, sent: { $sum: 1 } } },
      ],
      { hint: AGE_INDEX, maxTimeMS: READ_MS },
    )
    .toArray();
  return rows.map(({ _id: domain, sent }) => ({ domain, sent }));
};

interface DomainRow {
  readonly _id: string;
  readonly sent: number;
  readonly complained: number;
}

/**
 * Counts the newest `most` live messages of a project since an instant that were sent and did not bounce, and the complaints about them, by the domain of
 * the recipient.
 */
export async function sentByRecipientDomain(
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
