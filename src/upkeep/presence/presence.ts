import { TASK_QUEUES } from '../../contracts/task-queues';
import type { TaskQueue } from '../../contracts/task-queues';
import { EVERYWHERE } from '../../platform/metrics';
import type { Metered } from '../../platform/metrics';
import { knownParts } from '../migrations';
import type { KnownPart } from '../migrations';

/** No question may keep the database busy for longer. */
const MOST_MS = 2_000;

const LOST_MS = 15 * 60_000;

interface Count {
  readonly running: number;
  /** Gone within the last 15 minutes, without stopping in order. */
  readonly lost: number;
  /** The same within the last day. */
  readonly lostToday: number;
}

/** Which processes of the platform there are. */
export interface Presence {
  readonly parts: Readonly<Record<Metered, Count>>;
  /** Number of workers that poll each task queue. */
  readonly workers: Readonly<Record<TaskQueue, number>>;
}

/** Reads in the database which processes there are: each says so every ten seconds, and is taken for lost after thirty. */
export async function readPresence(): Promise<Presence> {
  const known = await knownParts(MOST_MS);
  const workers = known.filter((each) => each.part === 'worker' && isRunning(each));
  return {
    parts: byKey(EVERYWHERE, (part) => countOf(known.filter((each) => each.part === part))),
    workers: byKey(TASK_QUEUES, (queue) => workers.filter(({ queues }) => queues?.includes(queue) ?? true).length),
  };
}

const isRunning = ({ silentMs }: KnownPart): boolean => silentMs <= 0;

function countOf(known: readonly KnownPart[]): Count {
  const lost = known.filter((each) => !isRunning(each));
  return {
    running: known.length - lost.length,
    lost: lost.filter(({ silentMs }) => silentMs < LOST_MS).length,
    lostToday: lost.length,
  };
}

const byKey = <Key extends string, Value>(keys: readonly Key[], valueOf: (key: Key) => Value): Record<Key, Value> =>
  Object.fromEntries(keys.map((key) => [key, valueOf(key)])) as Record<Key, Value>;
