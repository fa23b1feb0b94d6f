import type { ClientSession } from 'mongoose';
import type { RowEventName, Holds } from '../../rules/email-events';
import type { Interval } from '../../rules/time-buckets';
import { momentsOf, namesOf } from './history';
import type { Moment } from './history';
import { LATE_INDEX } from './indexes';
import { EmailModel } from './model';
import type { Email, EmailSource } from './model';

const emails = () => EmailModel.collection;

/** When it was recorded, by the database's clock. */
export interface Recorded {
  readonly $gt: Date;
  readonly $lte?: Date;
}

/** The number of events of a name that rows of a project hold, by the UTC hour in which they happened. */
export interface MailCount {
  readonly projectId: string;
  /** Absent of `email.queued`, which no statistics count. */
  readonly source?: EmailSource;
  readonly name: RowEventName;
  readonly hour: Date;
  readonly count: number;
  readonly lastSeenAt: Date;
}

const [QUEUED, SENT] = momentsOf() as readonly [Moment, Moment];

interface Counting {
  readonly moment: Moment;
  readonly match: Readonly<Record<string, unknown>>;
  readonly hint: Readonly<Record<string, 1 | -1>>;
  /** Which of those count. */
  readonly times?: 1 | object;
}

const UNLESS_LATE = { $cond: [{ $gt: ['$recordedAt', null] }, 0, 1] };

/** Returns what to count: most rows were recorded at about their instants and are found by these, from indexes alone; the few others by `recordedAt`. */
function countings(received: Recorded, projectId?: string): readonly Counting[] {
  const whose = { projectId: projectId ?? { $gt: '' } };
  const late = { ...whose, recordedAt: received };
  return [
    { moment: SENT, match: { ...whose, ...SENT.match, sentAt: received }, hint: SENT.hint, times: UNLESS_LATE },
    { moment: SENT, match: late, hint: LATE_INDEX },
    { moment: QUEUED, match: { ...whose, createdAt: received, holdsQueued: 'at_once' }, hint: QUEUED.hint },
    { moment: QUEUED, match: { ...late, holdsQueued: 'late' }, hint: LATE_INDEX },
  ];
}

/**
 * Counts the events of rows that were recorded in a span, of one project or of all: of all names, or only what came of messages. What was undone is counted, and
 * was taken out of its hour.
 */
export async function historyRecorded(
  session: ClientSession,
  received: Recorded,
  { projectId, sentOnly = false }: { readonly projectId?: string; readonly sentOnly?: boolean } = {},
): Promise<readonly MailCount[]> {
  const counts: MailCount[] = [];
  // One after another: they are in one transaction.
  for (const counting of countings(received, projectId)) {
    if (!sentOnly || counting.moment === SENT) counts.push(...(await gather(session, counting)));
  }
  return counts;
}

/** Resolves to whether more than `most` rows have events that were recorded in a span. */
export async function isMoreHistory(session: ClientSession, received: Recorded, most: number): Promise<boolean> {
  for (const { match, hint } of countings(received)) {
    if ((await emails().countDocuments(match, { session, hint, limit: most + 1 })) > most) return true;
  }
  return false;
}

/** Counts what came of a project's mail from an instant up to another, exclusive, without what was undone. */
export async function historyBetween(session: ClientSession, projectId: string, from: Date, to: Date): Promise<readonly MailCount[]> {
  const match = { projectId, ...SENT.match, sentAt: { $gte: from, $lt: to } };
  const counted = (holds: Holds) => (holds === 'undone' ? (['email.sent'] as const) : namesOf(holds));
  return gather(session, { moment: SENT, match, hint: SENT.hint }, counted);
}

/** Notes that a delivery which a row holds bounced after all. Resolves to the instant for which it was counted; null where the row holds none. */
export async function undoRowEvents(session: ClientSession, { _id, projectId }: Pick<Email, '_id' | 'projectId'>): Promise<Date | null> {
  const row = await emails().findOneAndUpdate(
    { _id, projectId, holds: 'delivered' },
    { $set: { holds: 'undone' } },
    { session, hint: { _id: 1 } },
  );
  return (row as unknown as Pick<Email, 'sentAt'> | null)?.sentAt ?? null;
}

type RowCount = Omit<MailCount, 'name'> & { readonly holds: Holds };

async function gather(
  session: ClientSession,
  { moment: { at, names }, match, hint, times = 1 }: Counting,
  counted: (holds: Holds) => readonly RowEventName[] = namesOf,
): Promise<MailCount[]> {
  const hour = { $dateTrunc: { date: `$${at}`, unit: 'hour' } };
  const rows = await emails()
    .aggregate<RowCount>(
      [
        { $match: match },
        {
          $group: {
            _id: { projectId: '$projectId', hour, ...(at === 'sentAt' && { holds: '$holds', source: '$source' }) },
            count: { $sum: times },
            lastSeenAt: { $max: `$${at}` },
          },
        },
        { $match: { count: { $gt: 0 } } },
        { $replaceWith: { $mergeObjects: ['$_id', { count: '$count', lastSeenAt: '$lastSeenAt' }] } },
      ],
      { session, hint },
    )
    .toArray();
  return rows.flatMap(({ holds, ...row }) => (at === 'sentAt' ? counted(holds) : names).map((name) => ({ ...row, name })));
}

interface Bucket {
  readonly _id: Date;
  readonly count: number;
}

/** Counts events of a name, or of all, that rows of a project hold, by the UTC hour or day in which they happened. Reads indexes alone. */
export async function historyByBucket(
  { projectId, name }: { readonly projectId: string; readonly name?: string | undefined },
  { from, to, interval }: { readonly from: Date; readonly to: Date; readonly interval: Interval },
): Promise<readonly Bucket[]> {
  const counts = await Promise.all(
    momentsOf(name).map(({ at, match, hint }) =>
      emails()
        .aggregate<Bucket>(
          [
            { $match: { projectId, ...match, [at]: { $gte: from, $lt: to } } },
            { $group: { _id: { $dateTrunc: { date: `$${at}`, unit: interval } }, count: { $sum: timesOf(at, name) } } },
          ],
          { hint },
        )
        .toArray(),
    ),
  );
  return counts.flat();
}

// A row that was delivered has two events of its instant.
const timesOf = (at: Moment['at'], name: string | undefined) =>
  at === 'createdAt' || name !== undefined ? 1 : { $cond: [{ $eq: ['$holds', 'sent'] }, 1, 2] };
