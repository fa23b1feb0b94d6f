import type { Worker } from '@temporalio/worker';
import { runsWorkflows } from './create-workers';

/** Resolves when all of them have ended. When one fails, `end` is called: a process that does a part of its work looks healthy and is not. */
export async function untilAllEnded(workers: readonly Pick<Worker, 'run'>[], end: (error: unknown) => void): Promise<void> {
  let hasFailed = false;
  const ended = workers.map((worker) =>
    worker.run().catch((error: unknown) => {
      if (!hasFailed) end(error);
      hasFailed = true;
    }),
  );
  await Promise.all(ended);
}

/** Returns which of the workers have ended or poll no longer: nothing of those task queues is done by this process any more. */
export const pollerFaults = (workers: readonly Worker[]): readonly string[] => workers.flatMap(faultsOf);

/** Returns the task queues that these workers poll at this moment. */
export const polledQueues = (workers: readonly Worker[]): readonly string[] =>
  workers.filter((worker) => worker.getState() === 'RUNNING' && faultsOf(worker).length === 0).map(({ options }) => options.taskQueue);

function faultsOf(worker: Worker): readonly string[] {
  const { taskQueue } = worker.options;
  const state = worker.getState();
  if (state === 'INITIALIZED') return [];
  if (state !== 'RUNNING') return [`the worker of ${taskQueue} is ${state.toLowerCase()}`];
  const { workflowPollerState, activityPollerState } = worker.getStatus();
  const polls = { activity: activityPollerState, ...(runsWorkflows(taskQueue) && { workflow: workflowPollerState }) };
  return Object.entries(polls).flatMap(([kind, poller]) =>
    poller === 'POLLING' ? [] : [`the ${kind} poller of ${taskQueue} is ${poller.toLowerCase()}`],
  );
}
