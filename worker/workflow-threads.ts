import path from 'node:path';
import workerThreads from 'node:worker_threads';
import type { WorkerOptions } from 'node:worker_threads';

const LEAN = path.join(__dirname, 'lean-thread.cjs');

/**
 * Has the threads that begin within `work`, which run workflows, begin lean. The SDK watches each of some twenty-five calls into a workflow's code by a thread
 * of its own, and notes for each promise where it was made; both together are half of what a thread has to do for an execution (docs/performance.md). Our
 * workflows wait for nothing but Temporal, so that no call comes to no end, and say themselves where they are. Nothing of either can be set.
 */
export async function withLeanThreads<T>(work: () => Promise<T>): Promise<T> {
  const { Worker } = workerThreads;
  workerThreads.Worker = class extends Worker {
    constructor(file: string | URL, options?: WorkerOptions) {
      super(file, { ...options, execArgv: ['--require', LEAN] });
    }
  };
  try {
    return await work();
  } finally {
    workerThreads.Worker = Worker;
  }
}
