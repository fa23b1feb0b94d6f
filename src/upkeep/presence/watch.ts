import type { Logger } from '../../platform/log';
import { metrics } from '../../platform/metrics';
import { readPresence } from './presence';

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
