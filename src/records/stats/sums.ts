import type { ClientSession } from 'mongoose';
import type { Interval, Span } from './buckets';
import { COUNTERS, MailHourModel, SENDING_SOURCES } from './count';

export type MailSource = (typeof SENDING_SOURCES)[number] | 'inbound';
export const MAIL_SOURCES: readonly MailSource[] = [...SENDING_SOURCES, 'inbound'];

/** A bucket: its start, and each counter under `<source>_<counter>`. */
export type SumRow = { readonly _id: Date } & Readonly<Record<string, number>>;

const PAIRS = MAIL_SOURCES.flatMap((source) => COUNTERS.map((counter) => ({ source, counter, name: `${source}_${counter}` })));
const SUMS = Object.fromEntries(PAIRS.map(({ source, counter, name }) => [name, { $sum: `$${source}.${counter}` }]));

/** Adds the hours of a span up to buckets. The database does it: a long span has thousands of hours. */
export const sumHours = (session: ClientSession, projectId: string, { from, to }: Span, interval: Interval): Promise<SumRow[]> =>
  MailHourModel.collection
    .aggregate<SumRow>(
      [
        { $match: { projectId, hour: { $gte: from, $lt: to } } },
        { $group: { _id: { $dateTrunc: { date: '$hour', unit: interval } }, ...SUMS } },
      ],
      { session },
    )
    .toArray();
