import { TASK_QUEUES } from '../../contracts/task-queues';
import type { TaskQueue } from '../../contracts/task-queues';
import { EVERYWHERE, metrics } from '../../platform/metrics';
import type { Metered } from '../../platform/metrics';
import { knownParts } from '../migrations';
import type { KnownPart } from '../migrations';
import type { Logger } from '../../platform/log';

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

const EVERY_MS = 15_000;

/** Keeps the gauges of processes and task queues, also while no worker runs; a scrape asks the database nothing. What cannot be read has no value. */
export function watchPresence(log: Pick<Logger, 'warn'>, signal: AbortSignal, everyMs = EVERY_MS): void {
  const read = (): void => {
    showPresence().catch((error: unknown) => {
      forgetPresence();
      log.warn({ err: error }, 'The list of processes could not be read; its metrics have no value');
    });
  };
  read();
  const timer = setInterval(read, everyMs).unref();
  signal.addEventListener('abort', () => clearInterval(timer));
}

/** Reads which processes there are, and sets the gauges. */
export async function showPresence(): Promise<void> {
  const { parts, workers } = await readPresence();
  for (const [task_queue, count] of Object.entries(workers)) metrics.taskQueueWorkers.set({ task_queue }, count);
  for (const [part, { running, lost }] of Object.entries(parts)) {
    metrics.processes.set({ part, state: 'running' }, running);
    metrics.processes.set({ part, state: 'lost' }, lost);
  }
}

function forgetPresence(): void {
  metrics.taskQueueWorkers.reset();
  metrics.processes.reset();
}
