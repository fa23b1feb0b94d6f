import type { PageRequest } from '../../platform/core';
import type { Event } from '../events';
import { HELD_WITHIN_MS, HISTORY, contactOf, historyOf, momentsOf } from './history';
import type { HistoryRow, Moment } from './history';
import { CONTACT_INDEX, LATE_INDEX } from './indexes';
import { filtersOf } from './mail-to-recipients';
import { EmailModel } from './model';

const emails = () => EmailModel.collection;

/** When events happened; each end may be open. */
interface Span {
  /** Inclusive. */
  readonly from?: Date | undefined;
  /** Exclusive. */
  readonly to?: Date | undefined;
}

export interface HistoryFilter extends Span {
  readonly projectId: string;
  readonly name?: string | undefined;
}

/**
 * Finds the newest events that rows of a project hold, in no order: up to one more than the limit, and perhaps the one of the position and others beyond the
 * page. Reads along an index for each moment. Rows that hold no event have a row in `events`: the caller bounds the span by those.
 */
export async function newestHistory(filter: HistoryFilter, request: PageRequest): Promise<Event[]> {
  const found = await Promise.all(momentsOf(filter.name).map(async (moment) => eventsAt(moment, await newestAt(moment, filter, request))));
  return found.flat();
}

const eventsAt = ({ names }: Moment, rows: readonly HistoryRow[]): Event[] =>
  rows.flatMap(historyOf).filter(({ name }) => (names as readonly string[]).includes(name));

/** A row may have two events beyond the position, or before it: two more rows are always enough. */
const MORE = 2;

const newestAt = (
  { at, match, hint }: Moment,
  { projectId, from, to }: HistoryFilter,
  { limit, after }: PageRequest,
): Promise<HistoryRow[]> =>
  emails()
    .find<HistoryRow>(
      {
        projectId,
        ...match,
        [at]: { $type: 'date', ...(from && { $gte: from }), ...(to && { $lt: to }), ...(after && { $lte: after.at }) },
        ...(after && { $or: [{ [at]: { $lt: after.at } }, { _id: { $lt: after.id.replace('evt_', 'em_') } }] }),
      },
      { projection: HISTORY, hint },
    )
    .sort({ [at]: -1, _id: -1 })
    .limit(limit + MORE)
    .toArray();

/** The most by which the clocks of processes may differ. */
const CLOCKS_MS = 3_600_000;
const PAGE = 500;

/** Events, and the instant after which there are no further ones. */
interface HistoryPage {
  readonly events: readonly Event[];
  readonly readDownTo: Date;
}

/** Reads the events of a span that rows hold for messages to a contact, roughly newest first, page after page: first those of campaigns, whose `_id` names it. */
export async function* historyOfContact(projectId: string, contactId: string, { from, to }: Span): AsyncGenerator<HistoryPage> {
  yield { events: await historyOfCampaigns(projectId, contactId), readDownTo: LATEST };
  const createdAt = {
    ...(from && { $gte: new Date(from.getTime() - HELD_WITHIN_MS - CLOCKS_MS) }),
    ...(to && { $lte: new Date(to.getTime() + CLOCKS_MS) }),
  };
  const filter = { projectId, contactId, ...((from || to) && { createdAt }), $or: [{ holds: { $gt: '' } }, { holdsQueued: { $gt: '' } }] };
  const cursor = emails()
    .find<HistoryRow>(filter, { projection: HISTORY, hint: CONTACT_INDEX })
    .sort({ createdAt: -1, _id: -1 })
    .batchSize(PAGE);
  let events: Event[] = [];
  for await (const row of cursor) {
    events.push(...historyOf(row));
    if (events.length < PAGE) continue;
    yield { events, readDownTo: new Date(row.createdAt.getTime() + HELD_WITHIN_MS + CLOCKS_MS) };
    events = [];
  }
  yield { events, readDownTo: new Date(0) };
}

const LATEST = new Date(8.64e15);

async function historyOfCampaigns(projectId: string, contactId: string): Promise<Event[]> {
  const found: Event[] = [];
  for (const filter of await filtersOf({ projectId, contactIds: [contactId] })) {
    const rows = emails().find<HistoryRow>({ ...filter, 'recipient.contactId': contactId, holds: { $gt: '' } }, { projection: HISTORY });
    for (const row of await rows.toArray()) found.push(...historyOf(row));
  }
  return found;
}

/** An event may be recorded this long after it happened. */
const BEFORE_MS = 60_000;

/** Resolves to the contacts whose rows hold an event of one of these names that was recorded since an instant of the database's clock, or a little before. */
export async function contactsInHistory(projectId: string, names: readonly string[], since: Date): Promise<readonly string[]> {
  const options = { projection: { contactId: 1, recipient: 1 } };
  const from = new Date(since.getTime() - BEFORE_MS);
  const moments = [...new Set(names.flatMap(momentsOf))];
  if (moments.length === 0) return [];
  const rows = await Promise.all([
    ...moments.map(({ at, match, hint }) =>
      emails()
        .find<HistoryRow>({ projectId, ...match, [at]: { $gte: from } }, { ...options, hint })
        .toArray(),
    ),
    emails()
      .find<HistoryRow>({ projectId, recordedAt: { $gte: since } }, { ...options, hint: LATE_INDEX })
      .toArray(),
  ]);
  return rows.flat().flatMap((row) => contactOf(row) ?? []);
}
