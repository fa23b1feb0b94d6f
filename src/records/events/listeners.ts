import type { ClientSession } from 'mongoose';
import { batched } from '../../platform/batch';
import { AppError } from '../../platform/core';
import { inSequence, inTransaction, isTransient, perDatabase, model, rowSchema } from '../../platform/mongo';
import { Schema } from 'mongoose';

/** The names that automations, segments and webhooks of a project listen to: one small document, read with every batch of events. */
interface Listeners {
  /** The project; with `/` and a number, a stripe, which only counts references. */
  readonly _id: string;
  /** Grows with each change, for caches of listeners to compare. */
  readonly version: number;
  readonly entries: readonly { readonly id: string; readonly names: readonly string[] }[];
  /** All names together; `*` and `<prefix>.*` stand for more. */
  readonly names: readonly string[];
  /** Grows with writes that name what a delete may remove. */
  readonly references?: number;
}

const listenersSchema = rowSchema<Listeners>({
  _id: { type: String, required: true },
  version: { type: Number, required: true },
  entries: { type: [Schema.Types.Mixed], required: true },
  names: { type: [String], required: true },
  references: Number,
});
export const ListenersModel = model<Listeners>('Listeners', listenersSchema, 'event_listeners');

/**
 * Registers a listener: from the commit on, events of these names are delivered to it (`automation/<id>`, `segment/<id>`, `webhook/<id>`). `*` is all names,
 * `email.*` all names with a prefix. Replaces the listener's earlier names; no names at all removes it. Resolves to the version of the listeners that this makes.
 */
export async function listenTo(session: ClientSession, projectId: string, id: string, names: readonly string[]): Promise<number> {
  const own = { $literal: [...new Set(names)] };
  const isOwn = { $eq: ['$$this.id', { $literal: id }] };
  const entriesWhere = (cond: object) => ({ $filter: { input: { $ifNull: ['$entries', []] }, cond } });
  const ownEntry = names.length > 0 ? [{ id: { $literal: id }, names: own }] : [];
  const listeners = await ListenersModel.collection.findOneAndUpdate(
    { _id: projectId },
    [
      {
        $set: {
          version: { $add: [{ $ifNull: ['$version', 0] }, 1] },
          entries: { $concatArrays: [entriesWhere({ $not: [isOwn] }), ownEntry] },
          left: { $setDifference: [allNames({ $map: { input: entriesWhere(isOwn), in: '$$this.names' } }), own] },
        },
      },
      // Of a thousand listeners, the names of all are put together only where one has left a name that others may have.
      {
        $set: {
          names: { $cond: [{ $eq: ['$left', []] }, { $setUnion: [{ $ifNull: ['$names', []] }, own] }, allNames('$entries.names')] },
        },
      },
      { $unset: 'left' },
    ],
    { session, upsert: true, returnDocument: 'after', projection: { version: 1 } },
  );
  return (listeners as unknown as Pick<Listeners, 'version'>).version;
}

/** Returns the expression of the names of several lists, each once. A union of one list after another would compare each of them with all before it. */
const allNames = (lists: object | string) => ({
  $setUnion: [{ $reduce: { input: lists, initialValue: [], in: { $concatArrays: ['$$value', '$$this'] } } }],
});

/**
 * Serializes deletes with writes that add a reference: both bump this row, MongoDB aborts one, and its retry sees the other. Changes of
 * listeners (an automation that is activated, a segment that is edited or deleted) bump the same row.
 */
export async function lockReferences(session: ClientSession, projectId: string): Promise<void> {
  await ListenersModel.collection.updateOne(
    { _id: projectId },
    { $inc: { version: 1 }, $setOnInsert: { entries: [], names: [] } },
    { session, upsert: true },
  );
}

/** Rows of a project that writes without a listener meet removals in, one for each process as far as they suffice. */
const STRIPES = 8;

const anyStripe = (): number => Math.floor(Math.random() * STRIPES);

/** The stripe that this process writes. It moves to another one when it meets another process there. */
const stripe = perDatabase(() => ({ number: anyStripe() }));

const inStripe = (projectId: string, number: number) => ({
  filter: { _id: `${projectId}/${number}` },
  update: { $inc: { references: 1 }, $setOnInsert: { version: 0, entries: [], names: [] } },
});

/**
 * Locks references for the writes that come with every request, and change no listener: they meet removals that call `lockAllReferences`,
 * and not each other, also when several processes write for one project.
 */
export async function meetReferences(session: ClientSession, projectId: string): Promise<void> {
  const own = stripe();
  const { filter, update } = inStripe(projectId, own.number);
  try {
    await ListenersModel.collection.updateOne(filter, update, { session, upsert: true });
  } catch (error) {
    if (isTransient(error)) own.number = anyStripe();
    throw error;
  }
}

/**
 * Locks references like `lockReferences`, also against writes that call `meetReferences`. Writes all stripes: one that does not exist yet
 * could be the next to be written.
 */
export async function lockAllReferences(session: ClientSession, projectId: string): Promise<void> {
  await lockReferences(session, projectId);
  const writes = Array.from({ length: STRIPES }, (_, number) => ({ updateOne: { ...inStripe(projectId, number), upsert: true } }));
  await ListenersModel.collection.bulkWrite(writes, { session, ordered: false });
}

/** Time for which a request waits to start and retries its transaction: somewhat less than its caller waits. */
const REQUEST_MS = 25_000;

/**
 * Runs a request's transaction that changes a project's listeners, or what others refer to. All of them write one document, so within this process they run
 * one after another, in the order of their arrival; of two processes' at the same moment one is retried, after a random pause, as long as its
 * caller waits. Throws `unavailable`, with nothing done, when it would start too late for that.
 */
export function withReferenceLock<T>(projectId: string, work: (session: ClientSession) => Promise<T>): Promise<T> {
  const deadline = performance.now() + REQUEST_MS;
  return inSequence(`references/${projectId}`, () => {
    const leftMs = deadline - performance.now();
    if (leftMs <= 0)
      throw new AppError('unavailable', 'Too many changes to this project at once; try again', [], { headers: { 'Retry-After': '2' } });
    return inTransaction(work, leftMs);
  });
}

/** The listeners of a project now. */
export interface Listening {
  readonly version: number;
  readonly hears: (name: string) => boolean;
}

const DEAF: Listening = { version: 0, hears: () => false };

const load = perDatabase(() =>
  batched(async (projectIds: readonly string[]) => {
    const rows = await ListenersModel.collection
      .find<Omit<Listeners, 'entries'>>({ _id: { $in: [...projectIds] } }, { projection: { version: 1, names: 1 } })
      .toArray();
    return new Map(rows.map((row) => [row._id, { version: row.version, hears: hearing(new Set(row.names)) }]));
  }),
);

/** Resolves to the listeners, never older than the question: a listener that was added before it is in the answer. */
export const listeningOf = async (projectId: string): Promise<Listening> => (await load()(projectId)) ?? DEAF;

/**
 * Returns a lookup of the listeners for long-running work: it reads again once its answer is older than `forMs`, and if it is older than
 * `since` (by the monotonic clock), when the current part of the work began. An answer is never older than the work.
 */
export function listeningWhile(projectId: string, forMs: number): (since?: number) => Promise<Listening> {
  let asked = Number.NEGATIVE_INFINITY;
  let answer: Promise<Listening>;
  return (since = asked) => {
    if (asked >= since && performance.now() - asked <= forMs) return answer;
    asked = performance.now();
    answer = listeningOf(projectId);
    answer.catch(() => (asked = Number.NEGATIVE_INFINITY));
    return answer;
  };
}

const hearing =
  (names: ReadonlySet<string>) =>
  (name: string): boolean =>
    names.has(name) || names.has('*') || names.has(`${name.slice(0, name.indexOf('.'))}.*`);
