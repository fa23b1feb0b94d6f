import '../src/platform/start-up/help-start';
import '../src/platform/tracing';
import { setFlagsFromString } from 'node:v8';
import { NativeConnection, Runtime } from '@temporalio/worker';
import type { Worker } from '@temporalio/worker';
import type { Client } from '@temporalio/client';
import { createActivities } from '../activities';
import type { ActivityDeps } from '../activities';
import { automationTriggers, automationWaits, checkAllExecutionsNow } from '../src/marketing/automations';
import { BacklogReader } from '../src/upkeep/backlog';
import { beginProcess, endProcess } from '../src/composition/process';
import { THREAD_FLAGS } from '../src/platform/config';
import type { ServerConfig } from '../src/platform/config';
import type { Core } from '../src/platform/core';
import { TASK_QUEUES } from '../src/contracts/task-queues';
import type { TaskQueue } from '../src/contracts/task-queues';
import { DeliveryHost } from '../src/sending/deliver';
import type { Consumer } from '../src/records/fan-out';
import { FanOutHost } from '../src/records/fan-out';
import { endWith, stopSignal } from '../src/platform/start-up';
import { describeFailure } from '../src/platform/log';
import type { Logger } from '../src/platform/log';
import { connectMongo, mongoAnswers } from '../src/platform/mongo';
import { checkAllNow } from '../src/platform/outbox';
import { Probes, listenForOperators } from '../src/platform/probes';
import type { Membership } from '../src/upkeep/migrations';
import { followSegments } from '../src/audience/segments';
import { ensureSchedules, ensureSearchAttributes, schedulesAreThere, temporalAnswers, temporalConnection } from '../src/platform/temporal';
import { WakeWatch } from '../src/platform/wake-ups';
import { WebhookHost, webhookDeliveries } from '../src/sending/webhooks';
import { createWorkers } from './create-workers';
import { patchGate } from './patches';
import { pollerFaults, polledQueues, untilAllEnded } from './poller-faults';
import { temporalMetrics, temporalLogger } from './temporal-metrics';
import { workflowCode } from './workflow-code';

const STOP_MS = 19_000;
const LOOK_MS = 15_000;

/** Consumers of events, in this order. */
const CONSUMERS: readonly Consumer[] = [followSegments, automationWaits, automationTriggers, webhookDeliveries];

/** Returns the task queues named on the command line; all when none is named. */
const chosenQueues = (names: readonly string[]): readonly TaskQueue[] => (names.length > 0 ? (names as TaskQueue[]) : TASK_QUEUES);

async function untilReached<T>(log: Logger, what: string, connect: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await connect();
    } catch (error) {
      const { type, message } = describeFailure(error);
      log.warn({ failure: { type, message } }, `${what} does not answer yet`);
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
  }
}

/** Installs the SDK's runtime, and answers operators from here on: also while servers are waited for. */
async function answerOperators(config: ServerConfig, log: Logger, client: Client, running: readonly Worker[]): Promise<Probes> {
  const exporter = config.METRICS_PORT === undefined ? null : await temporalMetrics();
  // Without it, the native side would write to the console directly, in colors.
  const telemetryOptions = { logging: { forward: {} }, ...(exporter && { metrics: exporter.metrics }) };
  Runtime.install({ logger: temporalLogger(log), shutdownSignals: [], telemetryOptions });
  const probes = new Probes({ mongodb: mongoAnswers, temporal: () => temporalAnswers(client), faults: () => pollerFaults(running) });
  await listenForOperators(config, log, { part: 'worker', probes, ...(exporter && { others: exporter.read }) });
  return probes;
}

/** Waits for both servers, and prepares them. */
async function reachServers(config: ServerConfig, log: Logger, client: Client, membership: Membership): Promise<NativeConnection> {
  await untilReached(log, 'MongoDB', () => connectMongo(config.MONGODB_URI));
  await membership.begin(new AbortController().signal);
  const connection = await untilReached(log, 'Temporal', () => NativeConnection.connect(temporalConnection(config)));
  await untilReached(log, 'Temporal', () => readyTemporal(config, log, client));
  return connection;
}

async function main(): Promise<void> {
  const { config, log, temporal: client, membership, core } = beginProcess('worker');
  const queues = chosenQueues(process.argv.slice(2));
  const running: Worker[] = [];
  const probes = await answerOperators(config, log, client, running);
  const connection = await reachServers(config, log, client, membership);
  const hosts = hostsOf(core, queues);
  await hosts.delivery?.start();
  const bundled = queues.includes('pumps') ? await workflowCode() : null;
  setFlagsFromString(THREAD_FLAGS);
  const workers = await createWorkers({
    connection,
    namespace: config.TEMPORAL_NAMESPACE,
    queues,
    delivery: hosts.delivery,
    ...(bundled && { workflowCode: bundled }),
    activities: createActivities({ core, ...hosts }),
    patches: patchGate(() => membership.oldest),
  });
  running.push(...workers);
  const stopAll = (): void => stop(log, workers, hosts);
  void stopSignal(log, { say: () => probes.noteStopping(), seconds: config.DRAIN_SECONDS }).then(stopAll);
  hosts.backlog?.start();
  const watching = watchTemporal(config, log, client);
  probes.noteStarted();
  log.info({ queues }, 'Worker is ready');
  const ended = untilAllEnded(workers, (error) => {
    log.fatal({ err: error }, 'A task queue can no longer be polled; the process ends');
    process.exitCode = 1;
    stopAll();
  });
  await Promise.all([ended, membership.sayPolled(() => polledQueues(workers))]);
  clearInterval(watching);
  await Promise.all([hosts.delivery?.stop(), hosts.fanOut?.stop(), hosts.webhooks?.stop(), hosts.backlog?.stop()]);
  await connection.close();
  await endProcess(membership);
}

/**
 * Prepares Temporal, also one that has lost everything: then everything that should run is started again. All is marked before the schedules are made: a process
 * that is killed in between leaves no schedules, by which the next one knows that it has to mark.
 */
async function readyTemporal(config: ServerConfig, log: Logger, client: Client): Promise<void> {
  await ensureSearchAttributes(client, config.TEMPORAL_NAMESPACE);
  if (!(await schedulesAreThere(client))) {
    const now = new Date();
    await Promise.all([checkAllNow(now), checkAllExecutionsNow(now)]);
  }
  await ensureSchedules(client, log);
}

/** Prepares a Temporal that loses its store while workers run, as at their start. */
function watchTemporal(config: ServerConfig, log: Logger, client: Client): NodeJS.Timeout {
  const check = async (): Promise<void> => {
    if (await schedulesAreThere(client)) return;
    log.error('Temporal has lost its schedules; creating them again, and checking what should run');
    await readyTemporal(config, log, client);
  };
  return setInterval(() => void check().catch((error: unknown) => log.warn({ err: error }, 'Temporal could not be checked')), LOOK_MS);
}

interface Hosts extends Pick<ActivityDeps, 'delivery' | 'fanOut' | 'webhooks'> {
  /** Also without METRICS_PORT: health and `admin status` say what it reads. */
  readonly backlog: BacklogReader | null;
}

function hostsOf(core: Core, queues: readonly TaskQueue[]): Hosts {
  const watch = new WakeWatch();
  return {
    delivery: queues.includes('delivery') ? new DeliveryHost(core, watch) : null,
    fanOut: queues.includes('pumps') ? new FanOutHost(core, watch, CONSUMERS) : null,
    webhooks: queues.includes('http') ? new WebhookHost(core, watch) : null,
    backlog: queues.includes('orchestration') ? new BacklogReader(core.log) : null,
  };
}

function stop(log: Logger, workers: readonly Worker[], { delivery, fanOut, webhooks }: Hosts): void {
  log.info('Stopping');
  setTimeout(() => process.exit(), STOP_MS).unref();
  delivery?.stop().catch((error: unknown) => log.error({ err: error }, 'Delivery did not stop cleanly'));
  fanOut?.stop().catch((error: unknown) => log.error({ err: error }, 'Fan-out did not stop cleanly'));
  webhooks?.stop().catch((error: unknown) => log.error({ err: error }, 'Webhooks did not stop cleanly'));
  for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
}

main().catch(endWith);
