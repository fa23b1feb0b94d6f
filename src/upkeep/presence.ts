import { TASK_QUEUES } from '../contracts/task-queues';
import type { TaskQueue } from '../contracts/task-queues';
import { EVERYWHERE, metrics } from '../platform/metrics';
import type { Metered } from '../platform/metrics';
import { knownParts } from './migrations';
import type { KnownPart } from './migrations';
import type { Logger } from '../platform/log';
import { currentPause } from '../sending/pause';
import { waitingFor } from './backlog';

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
interface Presence {
  readonly parts: Readonly<Record<Metered, Count>>;
  /** Number of workers that poll each task queue. */
  readonly workers: Readonly<Record<TaskQueue, number>>;
}

/** Reads in the database which processes there are: each says so every ten seconds, and is taken for lost after thirty. */
async function readPresence(): Promise<Presence> {
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

/** The consequence if no worker polls a task queue. */
const WAITING: Readonly<Record<TaskQueue, string>> = {
  orchestration: 'Campaigns, automations, imports, scheduled mail and checks of domains wait',
  pumps: 'Outgoing mail, events and webhooks wait',
  delivery: 'Outgoing mail waits',
  http: 'Webhooks and HTTP requests of automations wait',
  bulk: 'Imports, campaigns, segments and erasures wait',
};

/** Texts about a backlog although there are workers; the age of the oldest item follows. */
const BEHIND = {
  mail: 'Outgoing mail waits: the oldest message has been due',
  events: 'Segments, automations and webhooks are behind: the oldest event has waited',
  outbox: 'Campaigns, automations and imports wait for Temporal: the oldest has waited',
  checks: 'Automations, campaigns and imports that were lost do not start again: the oldest check has been due',
  webhooks: 'Webhooks wait: the oldest delivery has been due',
  imports: 'Imports wait: one has made no progress',
  campaigns: 'A campaign hangs: nothing holds it, and it has sent nothing',
} as const;

const BEHIND_MS = 10 * 60_000;

/** Resolves to sentences about what is stalled: because a process is missing, or although all run; to none if all is well. */
export async function standingStill(): Promise<readonly string[]> {
  const [{ parts, workers }, pause] = await Promise.all([readPresence(), currentPause()]);
  const missing = withoutWorker(workers, parts.worker.running);
  // What waits for a worker that is not there is old because of that.
  const waits = missing.length > 0 ? missing : await behind(pause !== null);
  return [...(pause ? [PAUSED] : []), ...waits, ...(isInboundGone(parts.smtp) ? [NO_INBOUND] : [])];
}

async function behind(isPaused: boolean): Promise<readonly string[]> {
  const waiting = await waitingFor();
  if (!waiting) return [];
  const kinds = (Object.keys(BEHIND) as (keyof typeof BEHIND)[]).filter((kind) => !(isPaused && kind === 'mail'));
  return kinds.flatMap((kind) => (waiting[kind] < BEHIND_MS ? [] : [`${BEHIND[kind]} for ${inWords(waiting[kind])}`]));
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const inWords = (ms: number): string => (ms < 2 * HOUR_MS ? `${Math.floor(ms / MINUTE_MS)} minutes` : `${Math.floor(ms / HOUR_MS)} hours`);

const PAUSED = 'Sending is paused by an operator: mail is accepted, and waits until sending is resumed';

const NO_INBOUND = 'Received mail, bounces and complaints do not arrive: the inbound SMTP process is gone';

// One that never ran, or that was stopped in order, is not wanted.
const isInboundGone = ({ running, lostToday }: { readonly running: number; readonly lostToday: number }): boolean =>
  running === 0 && lostToday > 0;

function withoutWorker(workers: Readonly<Record<TaskQueue, number>>, running: number): readonly string[] {
  if (running === 0) return ['Outgoing mail, campaigns, automations, imports and webhooks wait: no worker runs'];
  const queues = TASK_QUEUES.filter((queue) => workers[queue] === 0);
  return queues.map((queue) => `${WAITING[queue]}: no worker polls the task queue \`${queue}\``);
}
