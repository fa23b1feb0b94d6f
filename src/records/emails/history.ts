import type { Event } from '../events';
import { ROW_EVENT_NAMES, HOLDS, emailEventId } from '../../rules/email-events';
import type { RowEventName, Holds } from '../../rules/email-events';
import type { Outcome } from './attempts';
import { AGE_INDEX, HISTORY_INDEX } from './indexes';
import type { Email } from './model';
import type { EmailRow } from './row';

/**
 * The events of a message that its row holds because they have no listener. They are stored nowhere else; `historyOf` returns them (docs/decisions/0077). A row
 * and its events are one write, so that one never exists without the other:
 *
 * | killed                                | found                  | happens                                                  |
 * |---------------------------------------|------------------------|----------------------------------------------------------|
 * | before the row of an acceptance        | nothing                | the caller got no answer                                 |
 * | before the row of an outcome           | `sending`, or a claim  | in doubt: sent again, or taken over, after the lease     |
 * | after it, before it is counted         | the row                | the next tally finds it by its instants, and counts it   |
 * | while it is counted                    | the row, the old mark  | counts and mark are one transaction: it is counted again |
 */
export interface RowEvents {
  /** It was queued at `createdAt`; `late` if that was recorded with the outcome, long after. */
  readonly holdsQueued?: 'at_once' | 'late';
  /** The outcome, at `sentAt`. */
  readonly holds?: Holds;
  /** The answer of the next server. */
  readonly response?: string;
  /** When the row was written, by the database's clock, where that was not at about the time of its instants. */
  readonly recordedAt?: Date;
}

/** Members of a row that say its events. */
export const HISTORY = {
  projectId: 1,
  source: 1,
  contactId: 1,
  recipient: 1,
  createdAt: 1,
  sentAt: 1,
  holdsQueued: 1,
  holds: 1,
  response: 1,
  recordedAt: 1,
} as const;

export type HistoryRow = Pick<EmailRow, '_id' | 'projectId' | 'source' | 'contactId' | 'recipient' | 'createdAt' | 'sentAt'> & RowEvents;

/** Returns the contact of a row, wherever it says it. */
export const contactOf = ({ recipient, contactId }: Pick<HistoryRow, 'recipient' | 'contactId'>): string | null =>
  (recipient ? recipient.contactId : contactId) ?? null;

/** Returns the names of what came of a message. */
export const namesOf = (holds: Holds | undefined): readonly RowEventName[] =>
  ROW_EVENT_NAMES.filter((name) => name !== 'email.queued' && holds !== undefined && HOLDS[name].includes(holds));

/** Returns the events that a row holds, in their order. */
export function historyOf(row: HistoryRow): Event[] {
  const { _id: emailId, projectId, source, createdAt, sentAt, holdsQueued, holds, response = '', recordedAt } = row;
  const event = (name: RowEventName, at: Date, data: Event['data'], receivedAt: Date): Event => ({
    _id: emailEventId(emailId, name),
    projectId,
    contactId: contactOf(row),
    emailId,
    name,
    data,
    testMode: false,
    createdAt: at,
    receivedAt,
    depth: 0,
  });
  const queued = holdsQueued ? [event('email.queued', createdAt, { source }, (holdsQueued === 'late' && recordedAt) || createdAt)] : [];
  if (!sentAt) return queued;
  return [...queued, ...namesOf(holds).map((name) => event(name, sentAt, { source, response }, recordedAt ?? sentAt))];
}

// A row of a campaign is written when the message was sent, with all its events; of other mail that it was queued is written first.
const isWrittenOnce = ({ source }: Pick<HistoryRow, 'source'>): boolean => source === 'campaign';

/** The row holds only what happens within a day of its message's creation: a search for events of an instant looks among the messages of the day before it. */
export const HELD_WITHIN_MS = 24 * 3_600_000;

/** Returns whether what happens to a message now may be held by its row. */
export const mayHold = ({ createdAt }: Pick<Email, 'createdAt'>, at: Date): boolean => at.getTime() - createdAt.getTime() < HELD_WITHIN_MS;

/** A row that is written within this time of its instants is counted by them. Counts go up to an instant that is three times as long ago. */
const TIMELY_MS = 30_000;

/** Returns whether an instant is about now, by the database's clock. */
export const isTimely = (at: Date, now: Date): boolean => Math.abs(now.getTime() - at.getTime()) <= TIMELY_MS;

/** Returns what the row of an accepted message is to say, written at `now` by the database's clock, in addition to its outcome. */
export function holding(outcome: Outcome, now: Date): Partial<Email> & RowEvents {
  const { email, set } = outcome;
  const sentAt = sentAtOf(outcome);
  const isOne = isWrittenOnce(email);
  const isLate = !isTimely(isOne ? email.createdAt : sentAt, now);
  return {
    ...(set.deliveredAt ? { holds: 'delivered', deliveredAt: sentAt } : { holds: 'sent' }),
    sentAt,
    response: responseOf(outcome),
    ...(isOne && HELD_AT_ONCE),
    ...(isLate && { recordedAt: now }),
    ...(isOne && isLate && recordedLate(now)),
  };
}

// A message is accepted before it is sent, also where the clock of the process that accepted it is ahead.
const sentAtOf = ({ email: { createdAt }, set: { sentAt } }: Outcome): Date => (sentAt && sentAt > createdAt ? sentAt : createdAt);

function responseOf({ events }: Outcome): string {
  const response = events[0]?.data?.['response'];
  return typeof response === 'string' ? response : '';
}

/** Matches rows that hold events which were recorded after an instant of the database's clock. */
export const recordedAfter = (at: Date): Readonly<Record<string, unknown>>[] => [
  { holds: { $gt: '' }, sentAt: { $gt: at } },
  { holdsQueued: { $gt: '' }, createdAt: { $gt: at } },
  { recordedAt: { $gt: at } },
];

/** Members of a row that holds `email.queued`, recorded at about `createdAt`. */
export const HELD_AT_ONCE: RowEvents = { holdsQueued: 'at_once' };

/** Returns whether a row holds what came of its message. */
export const isHolder = ({ holds }: RowEvents): boolean => holds !== undefined;

/** Returns additional members for a row of a campaign that is written late. */
export const recordedLate = (now: Date): RowEvents => ({ holdsQueued: 'late', recordedAt: now });

/** An instant of rows, which of them have events of it, and the index that has them in its order. */
export interface Moment {
  readonly at: 'createdAt' | 'sentAt';
  readonly names: readonly RowEventName[];
  readonly match: Readonly<Record<string, unknown>>;
  readonly hint: Readonly<Record<string, 1 | -1>>;
}

/** Returns the moments of events of a name, or of all. */
export const momentsOf = (name?: string): readonly Moment[] =>
  [QUEUED, name === 'email.delivered' ? DELIVERED : SENT].filter(
    ({ names }) => name === undefined || (names as readonly string[]).includes(name),
  );

const QUEUED: Moment = { at: 'createdAt', names: ['email.queued'], match: { holdsQueued: { $gt: '' } }, hint: AGE_INDEX };
const SENT: Moment = {
  at: 'sentAt',
  names: ['email.sent', 'email.delivered'],
  hint: HISTORY_INDEX,
  match: { holds: { $in: HOLDS['email.sent'] } },
};
const DELIVERED: Moment = { ...SENT, match: { holds: { $in: HOLDS['email.delivered'] } } };
