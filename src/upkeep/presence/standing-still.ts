import { TASK_QUEUES } from '../../contracts/task-queues';
import type { TaskQueue } from '../../contracts/task-queues';
import { currentPause } from '../../sending/pause';
import { waitingFor } from '../backlog';
import { readPresence } from './presence';

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
