import { CLOCKS_MS, slicesBetween, slicesOfRows } from '../emails';
import { heldNames } from '../../rules/email-events';
import { EventGroupModel } from './group-model';
import { storeSlices } from './slices';
import { TallyMarkModel } from './tally-model';
import type { TallyMark } from './tally-model';

/** A worker stores a slice a moment after its rows. */
const MOMENT_MS = 15_000;

interface Look {
  readonly mark: Exclude<TallyMark['_id'], 'all'>;
  /** Age of a slice, by the clock of its worker. */
  readonly age: number;
  /** Checks again the slices of this time before: their rows may be late. */
  readonly overlap: number;
}

/** Each slice is looked at twice: soon, and when it has its rows even if the clock that it was made by is as far behind as clocks may be. */
const LOOKS: readonly Look[] = [
  { mark: 'slices', age: MOMENT_MS, overlap: 2 * 60_000 },
  { mark: 'slices-again', age: CLOCKS_MS + MOMENT_MS, overlap: 0 },
];

/** Looks are so far apart. */
const EVERY_MS = 60_000;
/** Time range of the first check. */
const BEGINNING_MS = 24 * 3_600_000;
/** After a long pause a check proceeds in steps of this length, and ends after a while: the next one continues. */
const STEP_MS = 10 * 60_000;
const LIMIT_MS = 10_000;

/**
 * Stores slices whose rows are there and which no worker has stored: it was lost between the two. May be killed, and run twice at once: what is stored again is
 * the same. `now` is the database's. Resolves to how many it was.
 */
export async function storeForgottenSlices(now: Date): Promise<number> {
  let stored = 0;
  for (const look of LOOKS) stored += await goOn(look, now);
  return stored;
}

async function goOn({ mark: _id, age, overlap }: Look, now: Date): Promise<number> {
  const mark = await TallyMarkModel.collection.findOne<TallyMark>({ _id });
  let looked = mark?.upTo.getTime() ?? now.getTime() - BEGINNING_MS;
  const upTo = now.getTime() - age;
  if (upTo - looked < EVERY_MS) return 0;
  const deadline = performance.now() + LIMIT_MS;
  let stored = 0;
  for (let from = looked - overlap; looked < upTo && performance.now() < deadline; from = looked) {
    looked = Math.min(upTo, looked + STEP_MS);
    stored += await storeForgotten(new Date(from), new Date(looked));
    await TallyMarkModel.collection.updateOne({ _id }, { $set: { upTo: new Date(looked) } }, { upsert: true });
  }
  return stored;
}

async function storeForgotten(from: Date, to: Date): Promise<number> {
  let stored = 0;
  for await (const ids of slicesBetween(from, to)) {
    const missing = ids.length > 0 ? await withoutRow(ids) : [];
    const found = missing.length > 0 ? await slicesOfRows(missing) : [];
    await storeSlices(found.map(({ grouped, ...slice }) => ({ ...slice, names: heldNames(slice.source, grouped) })));
    stored += found.length;
  }
  return stored;
}

async function withoutRow(ids: readonly string[]): Promise<readonly string[]> {
  const rows = await EventGroupModel.collection.find({ _id: { $in: [...ids] } }, { projection: { _id: 1 } }).toArray();
  const there = new Set(rows.map(({ _id }) => _id));
  return ids.filter((id) => !there.has(id));
}
