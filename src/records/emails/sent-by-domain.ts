import { AGE_INDEX } from './indexes';
import { EmailModel } from './model';

/** Limit for a day's rows of a project: hundreds of thousands take a second. */
const READ_MS = 30_000;

const isSet = (member: string) => ({ $gt: [`$${member}`, null] });

/** Counts a project's live messages that were accepted in a span and handed over, by the domain of their sender. Reads all rows of the span. */
export const countSentByDomain = async (
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
