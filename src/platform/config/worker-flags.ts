/**
 * Flags of Node for worker processes. Much is made for each message and forgotten at once: with room for it, it is gone before it is looked at, which
 * takes a fifth off a worker's work in a campaign (docs/performance.md). Everything that starts workers says the same.
 */
export const WORKER_FLAGS = ['--max-semi-space-size=64'] as const;

/**
 * What is said to V8 in a worker process before its threads begin: they run workflows, which make little, and with the room of the process each would grow by
 * 128 MiB, and keep it.
 */
export const THREAD_FLAGS = '--max-semi-space-size=8';
