import type { ClientSession } from 'mongoose';
import { Batcher, Sequence } from '../batch';
import { inTransaction, isTransient } from './transaction';
import { perDatabase } from './per-database';

/** Sequences of the work that writes the same rows, for each database. */
const writers = perDatabase(() => new Sequence());

/**
 * Runs work with the same key one after another within this process. Transactions that collide are repeated, and many writers of one document
 * would spend their time on that. Between processes, the database still decides.
 */
export const inSequence = <T>(key: string, work: () => Promise<T>): Promise<T> => writers().run([key], work);

/** Does works in one transaction; resolves to what came of each, in their order. */
type Commit<Work, Result> = (session: ClientSession, works: readonly Work[]) => Promise<readonly Result[]>;

interface Asked<Work> {
  readonly keys: readonly string[];
  readonly work: Work;
}

type Ended<Work, Result> = ReadonlyMap<Asked<Work>, PromiseSettledResult<Result>>;

/** A transaction stays short, and what is repeated after a conflict is little. */
const MOST = 50;

/**
 * Commits works in shared transactions: a work joins those that came for the same keys while the previous transaction ran. `keys` names the
 * rows that they write, the most contended first; all writes of these rows run in sequence. If one work fails, each is tried separately, so
 * that only its own caller sees the failure. Resolves when the work is committed.
 */
export function together<Work, Result>(commit: Commit<Work, Result>): (keys: readonly string[], work: Work) => Promise<Result> {
  const works = new Batcher((asked: readonly Asked<Work>[]) => commitAll(asked, commit), {
    keys: ({ keys }) => keys,
    sequence: { run: (keys, work) => writers().run(keys, work) },
    most: MOST,
  });
  return async (keys, work) => {
    const asked = { keys, work };
    const ended = (await works.add(asked)).get(asked) as PromiseSettledResult<Result>;
    if (ended.status === 'rejected') throw ended.reason;
    return ended.value;
  };
}

async function commitAll<Work, Result>(asked: readonly Asked<Work>[], commit: Commit<Work, Result>): Promise<Ended<Work, Result>> {
  const works = asked.map(({ work }) => work);
  try {
    const results = await inTransaction((session) => commit(session, works));
    return new Map(asked.map((one, index) => [one, { status: 'fulfilled', value: results[index] as Result }]));
  } catch (reason) {
    // A database that is away is away for each of them.
    if (asked.length === 1 || isTransient(reason)) return new Map(asked.map((one) => [one, { status: 'rejected', reason }]));
    const ended = new Map<Asked<Work>, PromiseSettledResult<Result>>();
    for (const one of asked) for (const [key, each] of await commitAll([one], commit)) ended.set(key, each);
    return ended;
  }
}
