import { AGE_INDEX } from './indexes';
import { EmailModel } from './model';
import { OUTCOMES, times } from './outcome-counts';

/** Limit for a day's rows of a project: hundreds of thousands take a second. */
const READ_MS = 30_000;

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
        { $match: { $expr: OUTCOMES.sent } },
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
  const rows = await EmailModel.collection
    .aggregate<DomainRow>(
      [
        { $match: { projectId, createdAt: { $gte: since } } },
        { $sort: { createdAt: -1, _id: -1 } },
        { $limit: most },
        { $match: { testMode: false, source: { $ne: 'inbound' }, sentAt: { $type: 'date' }, bouncedAt: { $not: { $type: 'date' } } } },
        {
          $group: {
            _id: domainOfRecipient,
            sent: { $sum: 1 },
            complained: times(OUTCOMES.complained),
          },
        },
      ],
      { hint: AGE_INDEX },
    )
    .toArray();
  return new Map(rows.map(({ _id, sent, complained }) => [_id, { sent, complained }]));
}

/** The outcome of live mail to a domain. */
export interface DomainOutcomes {
  readonly domain: string;
  readonly sent: number;
  readonly delivered: number;
  /** Tried, and waiting for another attempt now: one that got through later is in `sent`. */
  readonly deferred: number;
  readonly bounced: number;
  readonly complained: number;
}

/** The outcome of live mail over a transport; null for mail that no transport is noted of, as there was one. */
export interface TransportOutcomes extends Omit<DomainOutcomes, 'domain' | 'complained'> {
  readonly transport: string | null;
}

/** An answer that kept a message from being delivered. */
export interface Trouble {
  readonly domain: string;
  readonly error: string;
}

/** The domain of a row's recipient, as an expression. */
export const domainOfRecipient = { $arrayElemAt: [{ $split: [{ $ifNull: ['$to', '$recipient.to'] }, '@'] }, -1] };

/**
 * Resolves to the newest live mail of a project since an instant that was tried, `most` messages at most. Erased people have no domain
 * any more.
 */
const triedSince = (projectId: string, since: Date, most: number) => [
  { $match: { projectId, createdAt: { $gte: since } } },
  { $sort: { createdAt: -1, _id: -1 } },
  { $limit: most },
  { $match: { testMode: false, source: { $ne: 'inbound' }, attempts: { $gt: 0 }, erased: { $ne: true } } },
];

const TRIED = {
  sent: times(OUTCOMES.sent),
  delivered: times(OUTCOMES.delivered),
  deferred: times({ $eq: ['$status', 'queued'] }),
  bounced: times(OUTCOMES.bounced),
};

/** Counts the outcomes of such mail by the domain of the recipient, those with most mail first. */
export const outcomesByRecipientDomain = (projectId: string, since: Date, most: number): Promise<readonly DomainOutcomes[]> =>
  EmailModel.collection
    .aggregate<DomainOutcomes>(
      [
        ...triedSince(projectId, since, most),
        {
          $group: {
            _id: domainOfRecipient,
            ...TRIED,
            complained: times(OUTCOMES.complained),
          },
        },
        { $project: { _id: 0, domain: '$_id', sent: 1, delivered: 1, deferred: 1, bounced: 1, complained: 1 } },
        { $sort: { sent: -1, deferred: -1, domain: 1 } },
      ],
      { hint: AGE_INDEX, maxTimeMS: READ_MS },
    )
    .toArray();

/** Counts the outcomes of such mail by the transport of its last attempt. */
export const outcomesByTransport = (projectId: string, since: Date, most: number): Promise<readonly TransportOutcomes[]> =>
  EmailModel.collection
    .aggregate<TransportOutcomes>(
      [
        ...triedSince(projectId, since, most),
        { $group: { _id: { $ifNull: ['$transport.name', null] }, ...TRIED } },
        { $project: { _id: 0, transport: '$_id', sent: 1, delivered: 1, deferred: 1, bounced: 1 } },
      ],
      { hint: AGE_INDEX, maxTimeMS: READ_MS },
    )
    .toArray();

/** Lists the answers to such mail that was not delivered, newest first. */
export const newestTroubles = (projectId: string, since: Date, most: number): Promise<readonly Trouble[]> =>
  EmailModel.collection
    .aggregate<Trouble>(
      [
        ...triedSince(projectId, since, most),
        { $match: { status: { $in: ['queued', 'bounced', 'failed'] }, error: { $type: 'string' } } },
        { $project: { _id: 0, domain: domainOfRecipient, error: 1 } },
      ],
      { hint: AGE_INDEX, maxTimeMS: READ_MS },
    )
    .toArray();
