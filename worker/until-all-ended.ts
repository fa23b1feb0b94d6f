import type { Worker } from '@temporalio/worker';

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
