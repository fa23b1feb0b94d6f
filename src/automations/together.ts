import type { ClientSession } from 'mongoose';
import { inTransaction, isTransient } from '../mongo/transaction';
import { inTurn } from '../mongo/turns';
import { partOf } from './counts';
import type { Execution } from './execution-model';

/** A step of an execution that waits for a transaction. */
interface Step<Work> {
  readonly execution: Execution;
  readonly work: Work;
}

interface Waiting<Work> extends Step<Work> {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

type Commit<Work> = (session: ClientSession, steps: readonly Step<Work>[]) => Promise<void>;

/** A transaction stays short, and what is repeated after a conflict is little. */
const MOST = 50;

/**
 * Commits steps in transactions that they share: one goes with those that came for the same row of counters while the transaction before it ran, in turn with
 * all that writes what is `shared`, too. Where one of them fails, each is tried by itself, so that a failure is its own alone. Resolves when it is committed.
 */
export function stepsTogether<Work>(commit: Commit<Work>): (step: Step<Work>, shared: string | null) => Promise<void> {
  const queues = new Map<string, Waiting<Work>[]>();

  function begin(key: string, part: string, shared: string | null, first: Waiting<Work>): void {
    const steps = [first];
    queues.set(key, steps);
    const inPart = () =>
      inTurn(part, () => {
        if (queues.get(key) === steps) queues.delete(key);
        return commitAll(steps, commit);
      });
    void (shared === null ? inPart() : inTurn(shared, inPart));
  }

  return (step, shared) => {
    const part = partOf(step.execution);
    const key = `${part} ${shared ?? ''}`;
    return new Promise((resolve, reject) => {
      const waiting = { ...step, resolve, reject };
      const queue = queues.get(key);
      if (queue && queue.length < MOST) queue.push(waiting);
      else begin(key, part, shared, waiting);
    });
  };
}

async function commitAll<Work>(steps: readonly Waiting<Work>[], commit: Commit<Work>): Promise<void> {
  try {
    await inTransaction((session) => commit(session, steps));
    for (const { resolve } of steps) resolve();
  } catch (error) {
    // A database that is away is away for each of them.
    if (steps.length === 1 || isTransient(error)) for (const { reject } of steps) reject(error);
    else for (const step of steps) await commitAll([step], commit);
  }
}
