import { databaseNow } from '../../platform/mongo';
import { findWritten, mailToRecipients, rowsOfSlice, toEmail } from '../emails';
import type { WrittenRow } from '../emails';
import { GROUPED_NAMES, emailEventId } from '../../rules/email-events';
import type { GroupedName } from '../../rules/email-events';
import { EventGroupModel } from './group-model';
import type { EventGroup } from './group-model';
import type { Event } from './model';

const groups = () => EventGroupModel.collection;

/** Returns the row that stands for the events of a campaign's attempt. */
const sliceId = (attemptId: string): string => attemptId.replace('att_', 'evg_');

/** Returns the names of what happened to messages, by how many of them their rows say. */
const namesOf = (grouped: number): readonly GroupedName[] => GROUPED_NAMES.slice(0, grouped);

/** Messages of a campaign that were queued, sent and mostly delivered at one instant: their rows say so, each for itself. */
export interface Slice {
  readonly attemptId: string;
  readonly projectId: string;
  readonly campaignId: string;
  readonly at: Date;
  readonly grouped: number;
  /** How many of its rows are there. */
  readonly count: number;
}

/**
 * Lets the events of slices be known, after their rows are there: lists read them from the rows, counts read how many they are. Written again by another that
 * found more of the rows, the greater count is right.
 */
export async function storeSlices(slices: readonly Slice[]): Promise<void> {
  if (slices.length === 0) return;
  const receivedAt = await databaseNow();
  const writes = slices.map(({ attemptId, projectId, campaignId, at, grouped, count }) => {
    const known = { projectId, campaignId, names: [...namesOf(grouped)], source: 'campaign', createdAt: at, receivedAt };
    const update = { $setOnInsert: { ...known, emails: [], contacts: [] }, $max: { count } };
    return { updateOne: { filter: { _id: sliceId(attemptId) as never }, update, upsert: true } };
  });
  await groups().bulkWrite(writes, { ordered: false });
}

/** Resolves to the events of a slice, one for each message and name. */
export async function eventsOfSlice({ _id, projectId, campaignId = '', createdAt, receivedAt }: EventGroup): Promise<Event[]> {
  const rows = await rowsOfSlice(projectId, campaignId, createdAt, _id.replace('evg_', 'att_'));
  return rows.flatMap((row) => eventsOfRow(row, { projectId, createdAt, receivedAt }));
}

type Instants = Pick<Event, 'projectId' | 'createdAt' | 'receivedAt'>;

function eventsOfRow(row: WrittenRow, { projectId, createdAt, receivedAt }: Instants): Event[] {
  const { _id: emailId, contactId } = toEmail(row);
  return namesOf(row.grouped ?? 0).map((name) => ({
    _id: emailEventId(emailId, name),
    projectId,
    contactId,
    emailId,
    name,
    data: name === 'email.queued' ? { source: 'campaign' } : { source: 'campaign', response: row.response ?? '' },
    testMode: false,
    createdAt,
    receivedAt,
    depth: 0,
  }));
}

/** Finds the events that slices hold for campaign messages to a contact. */
export async function slicedEventsOf(projectId: string, contactId: string): Promise<Event[]> {
  const emails = await mailToRecipients({ projectId, contactIds: [contactId] }, { 'recipient.contactId': contactId, grouped: { $gt: 0 } });
  if (emails.length === 0) return [];
  const rows = await findWritten(emails.map(({ _id }) => _id));
  const ids = [...new Set(rows.map(({ attempt }) => sliceId(attempt?.id ?? '')))];
  const slices = await groups()
    .find<EventGroup>({ _id: { $in: ids as never[] } })
    .toArray();
  const known = new Map(slices.map((slice) => [slice._id, slice]));
  return rows.flatMap((row) => {
    const slice = known.get(sliceId(row.attempt?.id ?? ''));
    return slice ? eventsOfRow(row, slice) : [];
  });
}

/** Contacts of the messages of slices. */
export async function contactsOfSlices(slices: readonly EventGroup[]): Promise<readonly string[]> {
  const events = await Promise.all(slices.map(eventsOfSlice));
  return events.flat().flatMap(({ contactId }) => contactId ?? []);
}

/** Resolves to the slice that stands for a delivery of a message, which came back after all; null when none does. */
export async function sliceOfDelivered(emailId: string): Promise<string | null> {
  const [row] = await findWritten([emailId]);
  return row?.grouped === GROUPED_NAMES.length ? sliceId(row.attempt?.id ?? '') : null;
}
