import { timePrefix } from '../../platform/core';
import type { PageRequest } from '../../platform/core';
import { NEWEST_FIRST, newestBeyond } from '../../platform/mongo';
import { HELD_WITHIN_MS } from './held-events';
import { EmailModel } from './model';
import { AGE_INDEX, CAMPAIGN_INDEX, CONTACT_INDEX, SLICE_INDEX } from './indexes';
import type { EmailSource } from './model';
import type { WrittenRow } from './written-once';

const EVENTS_OF = { recipient: 1, to: 1, contactId: 1, queuedIn: 1, slice: 1, grouped: 1, response: 1, attempt: 1, createdAt: 1 } as const;

/** Matches rows whose events are held by a slice: the messages that an attempt of a campaign sent, all accepted at one instant. */
export const rowsOfSlice = (projectId: string, campaignId: string, at: Date, attemptId: string): Promise<WrittenRow[]> =>
  EmailModel.collection
    .find<WrittenRow>(
      { projectId, campaignId, createdAt: at, 'attempt.id': attemptId, grouped: { $gt: 0 } },
      { projection: EVENTS_OF, hint: CAMPAIGN_INDEX },
    )
    .toArray();

/** Matches rows that hold the events of slices. */
export const rowsInSlices = (projectId: string, ids: readonly string[]): Promise<WrittenRow[]> =>
  EmailModel.collection.find<WrittenRow>({ projectId, slice: { $in: [...ids] } }, { projection: EVENTS_OF, hint: SLICE_INDEX }).toArray();

/** A slice of messages that were accepted at an instant. */
interface Queued {
  readonly id: string;
  readonly at: Date;
}

/** Matches rows of a project that say in which of these slices they were queued: all of them, or the newest. Rows of one slice have one instant. */
export const rowsQueuedIn = (projectId: string, slices: readonly Queued[], newest?: PageRequest): Promise<WrittenRow[]> =>
  EmailModel.collection
    .find<WrittenRow>(
      {
        ...{ projectId, createdAt: { $in: slices.map(({ at }) => at) }, queuedIn: { $in: slices.map(({ id }) => id) } },
        ...(newest?.after && { $and: [newestBeyond(newest.after)] }),
      },
      { projection: EVENTS_OF, hint: AGE_INDEX, limit: newest?.limit ?? 0 },
    )
    .sort(NEWEST_FIRST)
    .toArray();

/** Largest expected difference between the clocks of processes. */
export const CLOCKS_MS = 3_600_000;
const PAGE = 500;

/** When events happened; each end may be open. */
export interface HeldSpan {
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

/** Rows, and the instant after which no further ones hold events. */
export interface HoldingRows {
  readonly rows: readonly WrittenRow[];
  readonly readDownTo: Date;
}

/** Reads mail to a contact whose rows hold events, but for that of campaigns whose `_id` names the recipient: newest first, page after page. */
export async function* rowsHoldingEvents(projectId: string, contactId: string, { from, to }: HeldSpan): AsyncGenerator<HoldingRows> {
  const createdAt = {
    ...(from && { $gte: new Date(from.getTime() - HELD_WITHIN_MS - CLOCKS_MS) }),
    ...(to && { $lte: new Date(to.getTime() + CLOCKS_MS) }),
  };
  const filter = { projectId, contactId, ...((from || to) && { createdAt }), $or: [{ grouped: { $gt: 0 } }, { queuedIn: { $gt: '' } }] };
  const cursor = EmailModel.collection
    .find<WrittenRow>(filter, { projection: EVENTS_OF, hint: CONTACT_INDEX })
    .sort(NEWEST_FIRST)
    .batchSize(PAGE);
  let rows: WrittenRow[] = [];
  for await (const row of cursor) {
    rows.push(row);
    if (rows.length < PAGE) continue;
    yield { rows, readDownTo: new Date(row.createdAt.getTime() + HELD_WITHIN_MS + CLOCKS_MS) };
    rows = [];
  }
  yield { rows, readDownTo: new Date(0) };
}

/** Returns what ids of slices of an instant begin with. */
const idAt = (at: Date): string => timePrefix('evg', at.getTime());

/** Reads the slices that were made within a span and have rows, page after page. Reads one key of the index for each. */
export async function* slicesBetween(from: Date, to: Date): AsyncGenerator<readonly string[]> {
  const made = { slice: { $gte: idAt(from), $lt: idAt(to) } };
  const cursor = EmailModel.collection
    .aggregate<{ _id: string }>([{ $match: made }, { $group: { _id: '$slice' } }], { hint: SLICE_INDEX })
    .batchSize(PAGE);
  let ids: string[] = [];
  for await (const { _id } of cursor) {
    ids.push(_id);
    if (ids.length < PAGE) continue;
    yield ids;
    ids = [];
  }
  yield ids;
}

/** The facts of a slice from its rows. */
export interface RowsOfSlice {
  readonly id: string;
  readonly projectId: string;
  readonly source: EmailSource;
  readonly grouped: number;
  readonly at: Date;
  readonly count: number;
}

/** Resolves to what slices are by their rows. */
export const slicesOfRows = (ids: readonly string[]): Promise<RowsOfSlice[]> =>
  EmailModel.collection
    .aggregate<RowsOfSlice>(
      [
        { $match: { slice: { $in: [...ids] } } },
        {
          $group: {
            _id: '$slice',
            projectId: { $first: '$projectId' },
            source: { $first: '$source' },
            grouped: { $max: '$grouped' },
            at: { $max: { $max: ['$sentAt', '$createdAt'] } },
            count: { $sum: 1 },
          },
        },
        { $project: { _id: 0, id: '$_id', projectId: 1, source: 1, grouped: 1, at: 1, count: 1 } },
      ],
      { hint: SLICE_INDEX },
    )
    .toArray();
