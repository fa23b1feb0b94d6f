/**
 * Flags of Node for worker processes. Much is made for each message and forgotten at once: with room for it, it is gone before it is looked at, which
 * takes a fifth off a worker's work in a campaign (docs/performance.md). Everything that starts workers says the same.
 */
export const WORKER_FLAGS = ['--max-semi-space-size=64'] as const;
