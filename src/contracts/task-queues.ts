/**
 * Split by what saturates them; each scales as a worker pool of its own. `pumps` has the workflows that keep mail, events and webhooks moving, and the
 * handing on of events: they never wait behind other workflows.
 */
export const TASK_QUEUES = ['orchestration', 'pumps', 'delivery', 'http', 'bulk'] as const;
export type TaskQueue = (typeof TASK_QUEUES)[number];

/** Adds the pumps to a worker that runs workflows, so that a pool that is named by its queues serves them after an update. */
export const withPumps = (queues: readonly TaskQueue[]): readonly TaskQueue[] =>
  queues.includes('orchestration') && !queues.includes('pumps') ? [...queues, 'pumps'] : queues;
