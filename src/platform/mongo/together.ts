import type { ClientSession } from 'mongoose';
import { inTransaction, isTransient } from './transaction';
import { inSequence } from './in-sequence';

/** Does works in one transaction; resolves to what came of each, in their order. */
type Commit<Work, Result> = (session: ClientSession, works: readonly Work[]) => Promise<readonly Result[]>;

interface Waiting<Work, Result> {
  readonly work: Work;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** A transaction stays short, and what is repeated after a conflict is little. */
const MOST = 50;

/**
 * Commits works in shared transactions: a work joins those that came for the same keys while the previous transaction ran. `keys` names the
 * rows that they write, the most contended first; all writes of these rows run in sequence. If one work fails, each is tried separately, so
 * that only its own caller sees the failure. Resolves when the work is committed.
 */
export function together<Work, Result>(commit: Commit<Work, Result>): (keys: readonly string[], work: Work) => Promise<Result> {
  const queues = new Map<string, Waiting<Work, Result>[]>();

  function begin(queue: string, keys: readonly string[], first: Waiting<Work, Result>): void {
    const works = [first];
    queues.set(queue, works);
    const commitTheseNow = () => {
      if (queues.get(queue) === works) queues.delete(queue);
      return commitAll(works, commit);
    };
    void keys.reduceRight<() => Promise<void>>((next, key) => () => inSequence(key, next), commitTheseNow)();
  }

  return (keys, work) => {
    const queue = keys.join(' ');
    return new Promise((resolve, reject) => {
      const waiting = { work, resolve, reject };
      const works = queues.get(queue);
      if (works && works.length < MOST) works.push(waiting);
      else begin(queue, keys, waiting);
    });
  };
}

async function commitAll<Work, Result>(waiting: readonly Waiting<Work, Result>[], commit: Commit<Work, Result>): Promise<void> {
  try {
    const results = await inTransaction((session) =>
      commit(
        session,
        waiting.map(({ work }) => work),
      ),
    );
    waiting.forEach(({ resolve }, index) => resolve(results[index] as Result));
  } catch (error) {
    // An unavailable database fails each of them.
    if (waiting.length === 1 || isTransient(error)) for (const { reject } of waiting) reject(error);
    else for (const one of waiting) await commitAll([one], commit);
  }
}
