import type { ClientSession } from 'mongoose';
import { newId } from '../../platform/core';
import type { PageRequest } from '../../platform/core';
import { databaseNow } from '../../platform/mongo';
import { findWritten, mailToRecipients, rowsHoldingEvents, rowsInSlices, rowsOfSlice, rowsQueuedIn, toEmail } from '../emails';
import type { Email, HeldSpan, WrittenRow } from '../emails';
import { GROUPED_NAMES, emailEventId, heldNames } from '../../rules/email-events';
import type { GroupedName } from '../../rules/email-events';
import { EventGroupModel } from './group-model';
import type { EventGroup } from './group-model';
import { listeningOf } from './listeners';
import type { Event } from './model';

const groups = () => EventGroupModel.collection;

/** Returns the row that stands for the events of a campaign's attempt. */
const sliceId = (attemptId: string): string => attemptId.replace('att_', 'evg_');

/**
 * Messages to which the same happened at one instant: their rows hold the events, each its own. A row is in two of them at most, by its acceptance and by what
 * came of it.
 */
export interface Slice {
  /** Id of the row of `event_groups` that represents them. */
  readonly id: string;
  readonly projectId: string;
  /** Set for a slice of a campaign, whose rows are found by their attempt; rows of other mail name their slice. */
  readonly campaignId?: string;
  /** The kind of mail. */
  readonly source: string;
  readonly names: readonly GroupedName[];
  /** When it happened to the last of them. */
  readonly at: Date;
  /** Number of its rows that exist. */
  readonly count: number;
}

interface CampaignSlice extends Pick<Slice, 'projectId' | 'at' | 'count'> {
  readonly attemptId: string;
  readonly campaignId: string;
  /** Number of names that its messages have reached, in their order. */
  readonly grouped: number;
}

/** Returns the slice of a campaign's attempt. */
export const sliceOfAttempt = ({ attemptId, grouped, ...slice }: CampaignSlice): Slice => ({
  ...slice,
  ...{ id: sliceId(attemptId), source: 'campaign', names: heldNames('campaign', grouped) },
});

/** Resolves to the slice of live messages of a project that are accepted at one instant; to null where `email.queued` of each is an event of its own. */
export async function sliceOfAccepted(emails: readonly Email[]): Promise<Slice | null> {
  const [first] = emails;
  if (!first) return null;
  const { projectId, source, createdAt: at } = first;
  const { hears } = await listeningOf(projectId);
  return hears('email.queued') ? null : { id: newId('evg'), projectId, source, names: ['email.queued'], at, count: emails.length };
}

/**
 * Lets the events of slices be known, with their rows or after them: lists read them from the rows, counts read how many they are. Written again by another that
 * found more of the rows, the greater count and the later instant are right.
 */
export async function storeSlices(slices: readonly Slice[], session?: ClientSession): Promise<void> {
  if (slices.length === 0) return;
  const receivedAt = await databaseNow();
  const writes = slices.map(({ id, projectId, campaignId, source, names, at, count }) => {
    const known = { ...(campaignId !== undefined && { campaignId }), names: [...names], source, receivedAt };
    const update = { $setOnInsert: known, $max: { count, createdAt: at } };
    return { updateOne: { filter: { _id: id, projectId }, update, upsert: true, hint: '_id_' } };
  });
  await groups().bulkWrite(writes, { ordered: false, ...(session && { session }) });
}

const isOfAccepted = ({ campaignId, names }: EventGroup): boolean => campaignId === undefined && names.at(-1) === 'email.queued';

/**
 * Resolves to the events of slices of a project, one for each message and name. Of messages that were accepted together, which may be thousands, the `newest`
 * do where a list wants no more.
 */
export async function eventsOfSlices(projectId: string, slices: readonly EventGroup[], newest?: PageRequest): Promise<Event[]> {
  const accepted = slices.filter(isOfAccepted);
  const others = slices.filter((slice) => !isOfAccepted(slice));
  const [queued, delivered] = await Promise.all([acceptedRows(projectId, accepted, newest), deliveredRows(projectId, others)]);
  return [...eventsBy(queuedIn, queued, accepted), ...eventsBy(deliveredIn, delivered, others)];
}

/** Rows of an instant are in the order of their events. */
async function acceptedRows(projectId: string, slices: readonly EventGroup[], newest?: PageRequest): Promise<readonly WrittenRow[]> {
  if (slices.length === 0) return [];
  const queued = slices.map(({ _id, createdAt }) => ({ id: _id, at: createdAt }));
  const after = newest?.after ? { at: newest.after.at, id: newest.after.id.replace('evt_', 'em_') } : null;
  return rowsQueuedIn(projectId, queued, newest && { limit: newest.limit, after });
}

async function deliveredRows(projectId: string, slices: readonly EventGroup[]): Promise<readonly WrittenRow[]> {
  const named = slices.flatMap(({ _id, campaignId }) => (campaignId === undefined ? _id : []));
  const rows = await Promise.all([
    named.length > 0 ? rowsInSlices(projectId, named) : [],
    ...slices.flatMap(({ _id, campaignId, createdAt }) =>
      campaignId === undefined ? [] : rowsOfSlice(projectId, campaignId, createdAt, _id.replace('evg_', 'att_')),
    ),
  ]);
  return rows.flat();
}

/** Names the slice of a row that holds some of its events. */
type SliceOfRow = (row: WrittenRow) => string | undefined;

const queuedIn: SliceOfRow = (row) => row.queuedIn;
const deliveredIn: SliceOfRow = ({ grouped, slice, attempt }) =>
  grouped === undefined ? undefined : (slice ?? sliceId(attempt?.id ?? ''));

const SLICES_OF_ROW = [queuedIn, deliveredIn];

/** Returns the events that rows hold by one of their slices, of those that are known. */
function eventsBy(sliceOf: SliceOfRow, rows: readonly WrittenRow[], slices: readonly EventGroup[]): Event[] {
  const known = new Map(slices.map((slice) => [slice._id, slice]));
  return rows.flatMap((row) => {
    const slice = known.get(sliceOf(row) ?? '');
    return slice ? eventsOfRow(row, slice) : [];
  });
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

/** Events, and the instant after which there are no further ones. */
interface HeldPage {
  readonly events: readonly Event[];
  readonly readDownTo: Date;
}

/** Reads the events of a span that rows hold for messages to a contact, roughly newest first, page after page. */
export async function* eventsHeldFor(projectId: string, contactId: string, span: HeldSpan): AsyncGenerator<HeldPage> {
  yield { events: await eventsOfRows(projectId, await campaignRows(projectId, contactId)), readDownTo: LATEST };
  for await (const { rows, readDownTo } of rowsHoldingEvents(projectId, contactId, span)) {
    yield { events: await eventsOfRows(projectId, rows), readDownTo };
  }
}

const LATEST = new Date(8.64e15);

async function eventsOfRows(projectId: string, rows: readonly WrittenRow[]): Promise<readonly Event[]> {
  if (rows.length === 0) return [];
  const ids = new Set(rows.flatMap((row) => SLICES_OF_ROW.flatMap((sliceOf) => sliceOf(row) ?? [])));
  const slices = await groups()
    .find<EventGroup>({ _id: { $in: [...ids] }, projectId }, { hint: '_id_' })
    .toArray();
  return SLICES_OF_ROW.flatMap((sliceOf) => eventsBy(sliceOf, rows, slices));
}

async function campaignRows(projectId: string, contactId: string): Promise<readonly WrittenRow[]> {
  const emails = await mailToRecipients({ projectId, contactIds: [contactId] }, { 'recipient.contactId': contactId, grouped: { $gt: 0 } });
  return emails.length === 0
    ? []
    : findWritten(
        projectId,
        emails.map(({ _id }) => _id),
      );
}

/** Contacts of the messages of slices. */
export async function contactsOfSlices(projectId: string, slices: readonly EventGroup[]): Promise<readonly string[]> {
  const events = await eventsOfSlices(projectId, slices);
  return events.flatMap(({ contactId }) => contactId ?? []);
}

/** Resolves to the slice that stands for a delivery of a message, which came back after all; null when none does. */
export async function sliceOfDelivered(projectId: string, emailId: string): Promise<string | null> {
  const [row] = await findWritten(projectId, [emailId]);
  return row?.grouped === GROUPED_NAMES.length ? (deliveredIn(row) ?? null) : null;
}
