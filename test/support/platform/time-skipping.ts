import { TestWorkflowEnvironment } from '@temporalio/testing';
import { DefaultLogger, Runtime, Worker, makeTelemetryFilterString } from '@temporalio/worker';
import { ensureSearchAttributes } from '../../../src/platform/temporal/search-attributes';
import { createWorkers } from '../../../worker/create-workers';
import type { WorkerSetup } from '../../../worker/create-workers';
import { forTheFile } from '../run/for-the-file';
import { testWorkflowCode, timeSkippingExecutable } from '../run/servers';

const START_WITHIN_MS = 120_000;

/**
 * Starts a Temporal server whose time can be skipped, once for each test file. The SDK gives its Java process five seconds to come up,
 * which a busy machine does not keep, so that a start which took longer is begun again.
 */
export async function startTimeSkipping(): Promise<TestWorkflowEnvironment> {
  Runtime.install({
    logger: new DefaultLogger('ERROR'),
    telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR', other: 'ERROR' }) } },
  });
  const executable = { type: 'existing-path' as const, path: await timeSkippingExecutable() };
  const deadline = Date.now() + START_WITHIN_MS;
  for (;;) {
    try {
      const env = await TestWorkflowEnvironment.createTimeSkipping({ server: { executable } });
      await ensureSearchAttributes(env.client, env.namespace ?? 'default');
      return env;
    } catch (error) {
      if (Date.now() > deadline || !String(error).includes('ephemeral server')) throw error;
    }
  }
}

/** Task queues with the activities of their workers. Those of `http` and `bulk` run no workflows. */
type Queues = Readonly<Record<string, object>>;

const ACTIVITIES_ONLY = ['http', 'bulk'];

/** Starts a worker for each queue. Resolves to what ends them. */
async function startWorkers({ nativeConnection: connection }: TestWorkflowEnvironment, queues: Queues): Promise<() => Promise<void>> {
  const workers = await Promise.all(
    Object.entries(queues).map(([taskQueue, activities]) =>
      Worker.create({
        ...{ connection, taskQueue, activities },
        ...(!ACTIVITIES_ONLY.includes(taskQueue) && { workflowBundle: testWorkflowCode() }),
      }),
    ),
  );
  const running = Promise.all(workers.map((worker) => worker.run()));
  return async () => {
    for (const worker of workers) worker.shutdown();
    await running;
  };
}

/** Runs workflows on activities of the test's own, on the queues that are named, for as long as `work` takes. */
export async function withActivities<T>(env: TestWorkflowEnvironment, queues: Queues, work: () => Promise<T>): Promise<T> {
  const end = await startWorkers(env, { orchestration: {}, ...queues });
  try {
    return await work();
  } finally {
    await end();
  }
}

/** A server whose time can be skipped for the tests of a file, and a worker for each queue that is named. */
export function aTimeSkippingServer(queues: Queues = {}): TestWorkflowEnvironment {
  let end: (() => Promise<void>) | undefined;
  return forTheFile(
    async () => {
      const env = await startTimeSkipping();
      end = await startWorkers(env, queues);
      return env;
    },
    async (env) => {
      await end?.();
      await env.teardown();
    },
  );
}

/**
 * A server whose time can be skipped for the tests of a file, and a worker for workflows as the product makes it: with the product's workflows unless others
 * are made.
 */
export function anOrchestrator(
  make: () => Promise<Pick<WorkerSetup, 'activities'> & Partial<Pick<WorkerSetup, 'workflowCode' | 'patches'>>>,
): TestWorkflowEnvironment {
  let end: (() => Promise<void>) | undefined;
  return forTheFile(
    async () => {
      const env = await startTimeSkipping();
      const place = { connection: env.nativeConnection, namespace: env.namespace ?? 'default', queues: ['orchestration'] as const };
      const workers = await createWorkers({ ...place, workflowCode: testWorkflowCode(), ...(await make()) });
      const running = Promise.all(workers.map((worker) => worker.run()));
      end = async () => {
        for (const worker of workers) worker.shutdown();
        await running;
      };
      return env;
    },
    async (env) => {
      await end?.();
      await env.teardown();
    },
  );
}
