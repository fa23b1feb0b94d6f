import { Worker } from '@temporalio/worker';
import type { NativeConnection, PatchActivationInput } from '@temporalio/worker';
import type { Activities } from '../activities';
import type { TaskQueue } from '../src/contracts/task-queues';
import { tracing } from '../src/platform/tracing';
import type { PatchGate } from './patches';

export interface WorkerSetup {
  readonly connection: NativeConnection;
  readonly namespace: string;
  readonly queues: readonly TaskQueue[];
  /** With the task queue of this process alone, for pumps that are given to it. */
  readonly delivery?: { readonly queue: string } | null;
  readonly activities: Activities;
  /** Bundled already; without it, the sources are bundled here. */
  readonly workflowCode?: { readonly codePath: string };
  /** Without it all patches are taken. */
  readonly patches?: PatchGate | null;
}

/** Running work is finished or handed back within this time. */
const GRACE = '15 seconds';

/**
 * Workflows that a process keeps in memory between their tasks. What waits for a month is forgotten, and read again from its short history when something
 * comes: with the SDK's own bound, ten thousand that wait took 1.4 GB.
 */
const CACHED_WORKFLOWS = 200;

/** Workflow tasks at the same time. Steps of automations, which run within them, leave places to others (`src/marketing/automations/local-stretches.ts`); eight are for polls. */
const TASKS = 64;

/** A workflow whose worker was lost moves to another one after this time: customers' mail waits for it. */
const STICKY = '2 seconds';

const RUNS_WORKFLOWS: ReadonlySet<string> = new Set(['orchestration', 'pumps']);

/** Returns whether workers of a task queue carry out workflows, and not activities alone. */
export const runsWorkflows = (taskQueue: string): boolean => RUNS_WORKFLOWS.has(taskQueue);

/** Creates one Temporal worker for each task queue; `orchestration` and `pumps` run workflow code. */
export function createWorkers(setup: WorkerSetup): Promise<Worker[]> {
  const queues = [...setup.queues, ...(setup.delivery ? [setup.delivery.queue] : [])];
  return Promise.all(queues.map((queue) => createOne(setup, queue)));
}

const createOne = ({ connection, namespace, activities, workflowCode, patches }: WorkerSetup, taskQueue: string): Promise<Worker> =>
  Worker.create({
    connection,
    namespace,
    taskQueue,
    activities,
    ...tracing()?.workerOptions,
    shutdownGraceTime: GRACE,
    maxConcurrentActivityTaskExecutions: 100,
    maxConcurrentWorkflowTaskExecutions: TASKS,
    maxCachedWorkflows: CACHED_WORKFLOWS,
    stickyQueueScheduleToStartTimeout: STICKY,
    ...(patches && { patchActivationCallback: ({ patchId }: PatchActivationInput) => patches(patchId) }),
    ...(runsWorkflows(taskQueue) && (workflowCode ? { workflowBundle: workflowCode } : { workflowsPath: require.resolve('../workflows') })),
  });
