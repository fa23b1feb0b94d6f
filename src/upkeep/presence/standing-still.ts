import { TASK_QUEUES } from '../../contracts/task-queues';
import type { TaskQueue } from '../../contracts/task-queues';
import { readPresence } from './presence';

/** What waits while no worker takes a task queue. */
const WAITING: Readonly<Record<TaskQueue, string>> = {
  orchestration: 'Campaigns, automations, imports, scheduled mail and checks of domains wait',
  pumps: 'Outgoing mail, events and webhooks wait',
  delivery: 'Outgoing mail waits',
  http: 'Webhooks and HTTP requests of automations wait',
  bulk: 'Imports, campaigns, segments and erasures wait',
};

/** Says in words, for people, what stands still because a process is not there; nothing while all goes on. */
export async function standingStill(): Promise<readonly string[]> {
  const { parts, workers } = await readPresence();
  return [...withoutWorker(workers, parts.worker.running), ...(isInboundGone(parts.smtp) ? [NO_INBOUND] : [])];
}

const NO_INBOUND = 'Received mail, bounces and complaints do not arrive: the process of inbound SMTP is gone';

/** One that never ran, or that was stopped in order, is not wanted. */
const isInboundGone = ({ running, lostToday }: { readonly running: number; readonly lostToday: number }): boolean =>
  running === 0 && lostToday > 0;

function withoutWorker(workers: Readonly<Record<TaskQueue, number>>, running: number): readonly string[] {
  if (running === 0) return ['Outgoing mail, campaigns, automations, imports and webhooks wait: no worker runs'];
  const queues = TASK_QUEUES.filter((queue) => workers[queue] === 0);
  return queues.map((queue) => `${WAITING[queue]}: no worker takes the task queue \`${queue}\``);
}
