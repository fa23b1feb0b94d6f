import type { Position } from '../../platform/core';
import type { Event } from '../events';
import { HISTORY, historyOf, momentsOf } from './history';
import type { HistoryRow, Moment } from './history';
import { LATE_INDEX } from './indexes';
import { EmailModel } from './model';

const [QUEUED, SENT] = momentsOf() as readonly [Moment, Moment];

interface Reading {
  readonly at: 'createdAt' | 'sentAt' | 'recordedAt';
  readonly match: Readonly<Record<string, unknown>>;
  readonly hint: Readonly<Record<string, 1 | -1>>;
}

/** Rows by the instants at which their events were recorded: for most these are their own, for the few others `recordedAt`. */
const READINGS: readonly Reading[] = [
  { at: 'createdAt', match: { holdsQueued: 'at_once' }, hint: QUEUED.hint },
  { at: 'sentAt', match: { ...SENT.match, recordedAt: null }, hint: SENT.hint },
  { at: 'recordedAt', match: {}, hint: LATE_INDEX },
];

/** All that the row of the position holds may lie before it: one more row is always enough. */
const MORE = 1;

/**
 * Finds the events that rows of a project hold, recorded from a position up to an instant, in no order: the first ones, up to the limit or more, and perhaps others
 * outside of that span.
 */
export async function historyReceived(projectId: string, from: Position, upTo: Date, limit: number): Promise<readonly Event[]> {
  const found = await Promise.all(READINGS.map((reading) => rowsRecorded(reading, projectId, from, upTo, limit)));
  return [
    ...new Map(
      found
        .flat()
        .flatMap(historyOf)
        .map((event) => [event._id, event]),
    ).values(),
  ];
}

const rowsRecorded = ({ at, match, hint }: Reading, projectId: string, from: Position, upTo: Date, limit: number): Promise<HistoryRow[]> =>
  EmailModel.collection
    .find<HistoryRow>(
      {
        projectId,
        ...match,
        [at]: { $gte: from.at, $lte: upTo },
        $or: [{ [at]: { $gt: from.at } }, { _id: { $gte: from.id.slice(0, -1).replace('evt_', 'em_') } }],
      },
      { projection: HISTORY, hint },
    )
    .sort({ [at]: 1, _id: 1 })
    .limit(limit + MORE)
    .toArray();
