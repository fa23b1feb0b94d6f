import { FAN_OUT_SHARDS } from '../contracts/fan-out';
import { EventModel } from './model';
import type { Event } from './model';

const events = () => EventModel.collection;

/** Events of a shard that are to be handed on up to `until`, in order; those whose ids are given are left out. */
export const findPending = (shard: number, until: Date, without: readonly string[], limit: number): Promise<Event[]> =>
  events()
    .find<Event>({ fanOut: shard, fanOutAt: { $lte: until }, _id: { $nin: [...without] } } as never)
    .sort({ fanOutAt: 1, _id: 1 })
    .limit(limit)
    .toArray();

/** Events that were handed on wait no more. */
export async function markHandedOn(shard: number, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const unset = { fanOut: '', fanOutAt: '', fanOutTries: '' };
  await events().updateMany({ _id: { $in: [...ids] }, fanOut: shard } as never, { $unset: unset });
}

export interface SetAside {
  readonly id: string;
  readonly tries: number;
  readonly until: Date;
}

/** Events that somebody could not take wait for their next try; one that was handed on meanwhile stays so. */
export async function putOff(shard: number, rows: readonly SetAside[]): Promise<void> {
  if (rows.length === 0) return;
  await events().bulkWrite(
    rows.map(({ id, tries, until }) => ({
      updateOne: { filter: { _id: id, fanOut: shard } as never, update: { $set: { fanOutAt: until, fanOutTries: tries } } },
    })),
    { ordered: false },
  );
}

/** Shards with events that should have been handed on before `since`. */
export async function overdueFanOutShards(since: Date): Promise<readonly number[]> {
  const heads = await Promise.all(
    Array.from({ length: FAN_OUT_SHARDS }, (_, fanOut) =>
      events().findOne({ fanOut, fanOutAt: { $lt: since } }, { projection: { _id: 1 }, sort: { fanOutAt: 1 } }),
    ),
  );
  return heads.flatMap((head, shard) => (head ? [shard] : []));
}
