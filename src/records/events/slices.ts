import { databaseNow } from '../../platform/mongo';
import { findWritten, mailToRecipients, rowsHoldingEvents, rowsInSlice, rowsOfSlice, toEmail } from '../emails';
import type { HeldSpan, WrittenRow } from '../emails';
import { GROUPED_NAMES, emailEventId, heldNames } from '../../rules/email-events';
import type { GroupedName } from '../../rules/email-events';
import { EventGroupModel } from './group-model';
import type { EventGroup } from './group-model';
import type { Event } from './model';

const groups = () => EventGroupModel.collection;

/** Returns the row that stands for the events of a campaign's attempt. */
const sliceId = (attemptId: string): string => attemptId.replace('att_', 'evg_');

/** Messages to which the same happened at one instant: their rows hold the events, each its own. */
export interface Slice {
  /** Of the row of `event_groups` that stands for them. */
  readonly id: string;
  readonly projectId: string;
  /** Of a slice of a campaign, whose rows are found by their attempt; of other mail the rows name their slice. */
  readonly campaignId?: string;
  /** What kind of mail. */
  readonly source: string;
  readonly names: readonly GroupedName[];
  readonly at: Date;
  /** How many of its rows are there. */
  readonly count: number;
}

interface CampaignSlice extends Pick<Slice, 'projectId' | 'at' | 'count'> {
  readonly attemptId: string;
  readonly campaignId: string;
  /** How many names its messages have come to, in their order. */
  readonly grouped: number;
}

/** Makes the slice of a campaign's attempt. */
export const sliceOfAttempt = ({ attemptId, grouped, ...slice }: CampaignSlice): Slice => ({
  ...slice,
  ...{ id: sliceId(attemptId), source: 'campaign', names: heldNames('campaign', grouped) },
});

/**
 * Lets the events of slices be known, after their rows are there: lists read them from the rows, counts read how many they are. Written again by another that
 * found more of the rows, the greater count is right.
 */
export async function storeSlices(slices: readonly Slice[]): Promise<void> {
  if (slices.length === 0) return;
  const receivedAt = await databaseNow();
  const writes = slices.map(({ id, projectId, campaignId, source, names, at, count }) => {
    const known = { projectId, ...(campaignId !== undefined && { campaignId }), names: [...names], source, createdAt: at, receivedAt };
    const update = { $setOnInsert: { ...known, emails: [], contacts: [] }, $max: { count } };
    return { updateOne: { filter: { _id: id as never }, update, upsert: true } };
  });
  await groups().bulkWrite(writes, { ordered: false });
}

/** Resolves to the events of a slice, one for each message and name. */
export async function eventsOfSlice(slice: EventGroup): Promise<Event[]> {
  const { _id, projectId, campaignId, createdAt } = slice;
  const rows = campaignId === undefined ? rowsInSlice(_id) : rowsOfSlice(projectId, campaignId, createdAt, _id.replace('evg_', 'att_'));
  return (await rows).flatMap((row) => eventsOfRow(row, slice));
}

function eventsOfRow(row: WrittenRow, { projectId, names, source, createdAt, receivedAt }: EventGroup): Event[] {
  const { _id: emailId, contactId } = toEmail(row);
  return names.map((name) => ({
    _id: emailEventId(emailId, name),
    projectId,
    contactId,
    emailId,
    name,
    data: name === 'email.queued' ? { source } : { source, response: row.response ?? '' },
    testMode: false,
    createdAt,
    receivedAt,
    depth: 0,
  }));
}

const sliceOfRow = ({ slice, attempt }: WrittenRow): string => slice ?? sliceId(attempt?.id ?? '');

/** Events, and the instant after which there are no further ones. */
interface HeldPage {
  readonly events: readonly Event[];
  readonly readDownTo: Date;
}

/** Reads the events of a span that rows hold for messages to a contact, roughly newest first, page after page. */
export async function* eventsHeldFor(projectId: string, contactId: string, span: HeldSpan): AsyncGenerator<HeldPage> {
  yield { events: await eventsOfRows(await campaignRows(projectId, contactId)), readDownTo: LATEST };
  for await (const { rows, readDownTo } of rowsHoldingEvents(projectId, contactId, span)) {
    yield { events: await eventsOfRows(rows), readDownTo };
  }
}

const LATEST = new Date(8.64e15);

async function eventsOfRows(rows: readonly WrittenRow[]): Promise<readonly Event[]> {
  if (rows.length === 0) return [];
  const slices = await groups()
    .find<EventGroup>({ _id: { $in: [...new Set(rows.map(sliceOfRow))] as never[] } })
    .toArray();
  const known = new Map(slices.map((slice) => [slice._id, slice]));
  return rows.flatMap((row) => {
    const slice = known.get(sliceOfRow(row));
    return slice ? eventsOfRow(row, slice) : [];
  });
}

async function campaignRows(projectId: string, contactId: string): Promise<readonly WrittenRow[]> {
  const emails = await mailToRecipients({ projectId, contactIds: [contactId] }, { 'recipient.contactId': contactId, grouped: { $gt: 0 } });
  return emails.length === 0 ? [] : findWritten(emails.map(({ _id }) => _id));
}

/** Contacts of the messages of slices. */
export async function contactsOfSlices(slices: readonly EventGroup[]): Promise<readonly string[]> {
  const events = await Promise.all(slices.map(eventsOfSlice));
  return events.flat().flatMap(({ contactId }) => contactId ?? []);
}

/** Resolves to the slice that stands for a delivery of a message, which came back after all; null when none does. */
export async function sliceOfDelivered(emailId: string): Promise<string | null> {
  const [row] = await findWritten([emailId]);
  return row?.grouped === GROUPED_NAMES.length ? sliceOfRow(row) : null;
}
