/** Split by what saturates them; each scales as a worker pool of its own. */
export const TASK_QUEUES = ['orchestration', 'delivery', 'http', 'bulk'] as const;
export type TaskQueue = (typeof TASK_QUEUES)[number];
