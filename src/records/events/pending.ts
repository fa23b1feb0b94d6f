import { FAN_OUT_SHARDS } from '../../contracts/fan-out';
import { Batcher } from '../../platform/batch';
import { perDatabase, sameRows } from '../../platform/mongo';
import { EventModel, FAN_OUT_INDEX } from './model';
import type { Event } from './model';

const events = () => EventModel.collection;

export interface WaitingProject {
  readonly projectId: string;
  /** When the first of its events is to be delivered. */
  readonly since: Date;
}

/** Resolves to the projects with events in a shard, be it for a later time. Reads one key of the index for each, however much waits. */
export const projectsWaiting = (shard: number, maxTimeMS?: number): Promise<WaitingProject[]> =>
  events()
    .aggregate<WaitingProject>(
      [
        { $match: { fanOut: shard } },
        { $sort: { projectId: 1, fanOutAt: 1 } },
        { $group: { _id: '$projectId', since: { $first: '$fanOutAt' } } },
        { $project: { _id: 0, projectId: '$_id', since: 1 } },
      ],
      { hint: FAN_OUT_INDEX, ...(maxTimeMS !== undefined && { maxTimeMS }) },
    )
    .toArray();

interface Page {
  readonly shard: number;
  readonly projectId: string;
  readonly until: Date;
  readonly without: readonly string[];
  readonly limit: number;
}

/** Finds events of a shard and a project that are to be delivered up to `until`, in order, without the given ids. */
export const findPending = ({ shard, projectId, until, without, limit }: Page): Promise<Event[]> =>
  events()
    .find<Event>({ fanOut: shard, projectId, fanOutAt: { $lte: until }, _id: { $nin: [...without] } }, { hint: FAN_OUT_INDEX })
    .sort({ fanOutAt: 1, _id: 1 })
    .limit(limit)
    .toArray();

/** Limit of the count: if more wait, the answer is this. */
const COUNTED = 100_000;

/** Resolves to how many events of a project are to be delivered by now in these shards. */
export const countPending = (projectId: string, shards: readonly number[], now: Date): Promise<number> =>
  events().countDocuments({ fanOut: { $in: [...shards] }, projectId, fanOutAt: { $lte: now } }, { hint: FAN_OUT_INDEX, limit: COUNTED });

/**
 * Events that are delivered within this time are marked together, of all shards. Nothing waits for it, and it is one journal write for any
 * number of them.
 */
const MARK_MS = 50;

type HandedOn = Pick<Event, '_id' | 'projectId'>;

const mark = perDatabase(
  () =>
    new Batcher<HandedOn>(
      async (rows) => {
        const unset = { fanOut: '', fanOutAt: '', fanOutVersion: '', fanOutTries: '' };
        await events().updateMany({ ...sameRows(rows), fanOut: { $gte: 0 } }, { $unset: unset }, { hint: '_id_' });
      },
      { waitMs: MARK_MS },
    ),
);

/** Marks events as delivered. */
export const markHandedOn = (rows: readonly HandedOn[]): Promise<void> => mark().addAll(rows);

/** An event that a consumer failed on, and when it is tried again. */
export interface SetAside extends Pick<Event, '_id' | 'projectId'> {
  readonly tries: number;
  readonly until: Date;
}

/** Postpones events that a consumer could not take to their next try; one that was delivered meanwhile stays delivered. */
export async function putOff(shard: number, rows: readonly SetAside[]): Promise<void> {
  if (rows.length === 0) return;
  await events().bulkWrite(
    rows.map(({ _id, projectId, tries, until }) => ({
      updateOne: {
        filter: { _id, projectId, fanOut: shard },
        update: { $set: { fanOutAt: until, fanOutTries: tries } },
        hint: '_id_',
      },
    })),
    { ordered: false },
  );
}

/** Resolves to the shards with events that should have been delivered before `since`. */
export async function overdueFanOutShards(since: Date): Promise<readonly number[]> {
  const heads = await Promise.all(
    Array.from({ length: FAN_OUT_SHARDS }, (_, fanOut) =>
      events().findOne({ fanOut, projectId: { $gt: '' }, fanOutAt: { $lt: since } }, { hint: FAN_OUT_INDEX, projection: { _id: 1 } }),
    ),
  );
  return heads.flatMap((head, shard) => (head ? [shard] : []));
}
