import { TestWorkflowEnvironment } from '@temporalio/testing';
import { DefaultLogger, Runtime, Worker, makeTelemetryFilterString } from '@temporalio/worker';
import { ensureSearchAttributes } from '../../src/platform/temporal/search-attributes';
import { forTheFile } from './for-the-file';
import { testWorkflowCode, timeSkippingExecutable } from './servers';

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

/** Task queues with the activities of their workers. All but `http` run workflows too. */
type Queues = Readonly<Record<string, object>>;

interface Running {
  readonly env: TestWorkflowEnvironment;
  readonly end: () => Promise<void>;
}

async function startWorkers(queues: Queues): Promise<Running> {
  const env = await startTimeSkipping();
  const { nativeConnection: connection } = env;
  const workers = await Promise.all(
    Object.entries(queues).map(([taskQueue, activities]) =>
      Worker.create({ connection, taskQueue, activities, ...(taskQueue !== 'http' && { workflowBundle: testWorkflowCode() }) }),
    ),
  );
  const running = Promise.all(workers.map((worker) => worker.run()));
  const end = async (): Promise<void> => {
    for (const worker of workers) worker.shutdown();
    await running;
    await env.teardown();
  };
  return { env, end };
}

/** A server whose time can be skipped for the tests of a file, and a worker for each queue that is named. */
export function aTimeSkippingServer(queues: Queues = {}): TestWorkflowEnvironment {
  let started: Running | undefined;
  return forTheFile(
    async () => (started = await startWorkers(queues)).env,
    () => started?.end(),
  );
}
