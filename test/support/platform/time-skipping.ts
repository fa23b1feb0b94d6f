import { spawn } from 'node:child_process';
import { WorkflowNotFoundError } from '@temporalio/client';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { DefaultLogger, Runtime, Worker, makeTelemetryFilterString } from '@temporalio/worker';
import { ensureSearchAttributes } from '../../../src/platform/temporal/search-attributes';
import { temporalReady } from '../../../packages/local/src/temporal';
import { createWorkers } from '../../../worker/create-workers';
import type { WorkerSetup } from '../../../worker/create-workers';
import { forTheFile } from '../run/for-the-file';
import { freePort, testWorkflowCode, timeSkippingExecutable } from '../run/servers';

const START_WITHIN_MS = 120_000;

const logErrorsOnly = (): Runtime =>
  Runtime.install({
    logger: new DefaultLogger('ERROR'),
    telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR', other: 'ERROR' }) } },
  });

/** The SDK's public functions assume that the time of an existing server cannot be skipped, and take no options of the connection. */
interface Connecting {
  create(how: object): Promise<TestWorkflowEnvironment>;
}

/**
 * The server closes a connection that pings it more often than every five minutes, and the SDK then repeats the call under way. A repeated lock or unlock of its
 * time counts twice: from then on, its time stops or runs ahead.
 */
const WITHOUT_PINGS = { channelArgs: { 'grpc.keepalive_time_ms': 86_400_000 } };

const connect = (how: object): Promise<TestWorkflowEnvironment> =>
  (TestWorkflowEnvironment as unknown as Connecting).create({ ...how, connectionOptions: WITHOUT_PINGS, supportsTimeSkipping: true });

/** Starts a server, which ends with the test run. The SDK would give its process five seconds to come up, which a busy machine does not keep. */
async function startServer(): Promise<{ readonly address: string; end(): void }> {
  const [port, executable] = await Promise.all([freePort(), timeSkippingExecutable()]);
  const server = spawn(executable, [String(port)], { stdio: 'ignore' });
  server.unref();
  const address = `127.0.0.1:${port}`;
  await temporalReady(address, 'default', START_WITHIN_MS);
  return { address, end: () => void server.kill() };
}

async function connectTo(address: string): Promise<TestWorkflowEnvironment> {
  logErrorsOnly();
  const env = await connect({ server: { type: 'existing' }, address });
  await ensureSearchAttributes(env.client, 'default');
  return env;
}

/** Starts a Temporal server whose time can be skipped, and begins now. Tearing it down ends the server. */
export async function startTimeSkipping(): Promise<TestWorkflowEnvironment> {
  const { address, end } = await startServer();
  const env = await connectTo(address);
  const disconnect = env.teardown.bind(env);
  env.teardown = () => disconnect().finally(end);
  return env;
}

/** The server that the files of this process share: each start takes seconds of processor time. */
let shared: ReturnType<typeof startServer> | undefined;

/** Connects to the shared server. Its time is later than it is: by all that earlier files have skipped. */
export async function borrowTimeSkipping(): Promise<TestWorkflowEnvironment> {
  return connectTo((await (shared ??= startServer())).address);
}

/** A minute that is skipped takes milliseconds. */
const PASSES_WITHIN_MS = 10_000;

/**
 * Disconnects from the shared server. Workflows that are open there are ended: their timers would stop the time of later files. A server whose time does not pass
 * is not shared on.
 */
export async function returnTimeSkipping(env: TestWorkflowEnvironment): Promise<void> {
  const { executions } = await env.connection.workflowService.listOpenWorkflowExecutions({ namespace: 'default' });
  for (const { execution } of executions) {
    const ended = (error: unknown): void => {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    };
    await env.client.workflow
      .getHandle(execution?.workflowId ?? '')
      .terminate()
      .then(undefined, ended);
  }
  // A test that failed before its activity was done leaves the time locked: the next file would wait for nothing.
  const aMinute = env.connection.withDeadline(Date.now() + PASSES_WITHIN_MS, () => env.sleep('1 minute'));
  const passes = await aMinute.then(
    () => true,
    () => false,
  );
  await env.teardown();
  if (passes) return;
  (await shared)?.end();
  shared = undefined;
}

/** Task queues with the activities of their workers. Those of `http` and `bulk` run no workflows. */
type Queues = Readonly<Record<string, object>>;

const ACTIVITIES_ONLY = ['http', 'bulk'];

/** Starts a worker for each queue. Resolves to what ends them. */
async function startWorkers({ nativeConnection: connection }: TestWorkflowEnvironment, queues: Queues): Promise<() => Promise<void>> {
  const workers = await Promise.all(
    Object.entries(queues).map(([taskQueue, activities]) =>
      Worker.create({
        connection,
        taskQueue,
        activities,
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

/** Runs activities of the test's own, on the queues that are named, for as long as `work` takes. */
export async function withActivities<T>(env: TestWorkflowEnvironment, queues: Queues, work: () => Promise<T>): Promise<T> {
  const end = await startWorkers(env, queues);
  try {
    return await work();
  } finally {
    await end();
  }
}

/** A server whose time can be skipped for the tests of a file, and a worker for each queue that is named. */
export function aTimeSkippingServer(queues: Queues): TestWorkflowEnvironment {
  let end: (() => Promise<void>) | undefined;
  return forTheFile(
    async () => {
      const env = await borrowTimeSkipping();
      end = await startWorkers(env, queues);
      return env;
    },
    async (env) => {
      await end?.();
      await returnTimeSkipping(env);
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
      const env = await borrowTimeSkipping();
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
      await returnTimeSkipping(env);
    },
  );
}
