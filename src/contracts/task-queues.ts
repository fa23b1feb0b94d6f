/**
 * Split by what saturates them; each scales as a worker pool of its own. `pumps` has the workflows that keep mail, events and webhooks moving, and the
 * handing on of events: they never wait behind other workflows.
 */
export const TASK_QUEUES = ['orchestration', 'pumps', 'delivery', 'http', 'bulk'] as const;
export type TaskQueue = (typeof TASK_QUEUES)[number];
