import { chunks } from '../../platform/async';
import { databaseNow } from '../../platform/mongo';
import { slicesBetween, slicesOfRows } from '../emails';
import { heldNames } from '../../rules/email-events';
import { EventGroupModel } from './group-model';
import { storeSlices } from './slices';
import { TallyMarkModel } from './tally-model';
import type { TallyMark } from './tally-model';

/** A worker stores a slice a moment after its rows. */
const MOMENT_MS = 15_000;
/** A slice is made by the worker's clock, and its rows may be late. */
const OVERLAP_MS = 2 * 60_000;
/** Looks are so far apart. */
const EVERY_MS = 60_000;
/** How far the first look goes back. */
const BEGINNING_MS = 24 * 3_600_000;
const AT_ONCE = 1_000;

/**
 * Stores slices whose rows are there and which no worker has stored: it was lost between the two. May be killed, and run twice at once: what is stored again is
 * the same. Resolves to how many it was.
 */
export async function storeForgottenSlices(): Promise<number> {
  const now = (await databaseNow()).getTime();
  const mark = await TallyMarkModel.collection.findOne<TallyMark>({ _id: 'slices' as never });
  const looked = mark?.upTo.getTime() ?? now - BEGINNING_MS;
  const upTo = new Date(now - MOMENT_MS);
  if (upTo.getTime() - looked < EVERY_MS) return 0;
  const from = new Date(looked - OVERLAP_MS);
  let stored = 0;
  for (const ids of chunks(await slicesBetween(from, upTo), AT_ONCE)) {
    const missing = await withoutRow(ids);
    const found = missing.length > 0 ? await slicesOfRows(missing) : [];
    await storeSlices(found.map(({ grouped, ...slice }) => ({ ...slice, names: heldNames(slice.source, grouped) })));
    stored += found.length;
  }
  await TallyMarkModel.collection.updateOne({ _id: 'slices' as never }, { $set: { upTo } }, { upsert: true });
  return stored;
}

async function withoutRow(ids: readonly string[]): Promise<readonly string[]> {
  const rows = await EventGroupModel.collection.find({ _id: { $in: [...ids] as never[] } }, { projection: { _id: 1 } }).toArray();
  const there = new Set(rows.map(({ _id }) => _id as unknown as string));
  return ids.filter((id) => !there.has(id));
}
