import { NativeConnection, Runtime } from '@temporalio/worker';
import type { Worker } from '@temporalio/worker';
import { createActivities } from '../activities';
import { automationTriggers } from '../src/automations/triggers';
import { automationWaits } from '../src/automations/waits';
import { loadServerConfig } from '../src/config';
import { TASK_QUEUES, withPumps } from '../src/contracts/task-queues';
import type { TaskQueue } from '../src/contracts/task-queues';
import { DeliveryHost } from '../src/delivery/host';
import { wakeFanOutThrough } from '../src/events/fan-out-wakes';
import type { Consumer } from '../src/fan-out/consumers';
import { FanOutHost } from '../src/fan-out/host';
import { createLogger } from '../src/log';
import type { Logger } from '../src/log';
import { connectMongo, createIndexes, disconnectMongo } from '../src/mongo/connect';
import { followSegments } from '../src/segments/follow';
import { toldToStop } from '../src/stop-signal';
import { connectTemporal } from '../src/temporal/connect';
import { processCore } from '../src/temporal/process-core';
import { ensureSchedules } from '../src/temporal/schedules';
import { ensureSearchAttributes } from '../src/temporal/search-attributes';
import { WakeWatch } from '../src/wakes/watch';
import { WebhookHost } from '../src/webhooks/host';
import { webhookDeliveries } from '../src/webhooks/tell';
import { createWorkers } from './create-workers';
import { temporalLogger } from './temporal-logger';
import { workflowCode } from './workflow-code';

const STOP_MS = 19_000;

/** Whom events are handed to, in this order. */
const CONSUMERS: readonly Consumer[] = [followSegments, automationWaits, automationTriggers, webhookDeliveries];

/** Task queues named on the command line, and what belongs to them; all of them when none is. */
function chosenQueues(names: readonly string[]): readonly TaskQueue[] {
  const unknown = names.filter((name) => !(TASK_QUEUES as readonly string[]).includes(name));
  if (unknown.length > 0) throw new Error(`No task queue is called ${unknown.join(', ')}; there are ${TASK_QUEUES.join(', ')}`);
  return names.length > 0 ? withPumps(names as TaskQueue[]) : TASK_QUEUES;
}

async function untilReached<T>(log: Logger, what: string, connect: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await connect();
    } catch (error) {
      log.warn({ err: error }, `${what} does not answer yet`);
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
  }
}

async function main(): Promise<void> {
  const config = loadServerConfig();
  const queues = chosenQueues(process.argv.slice(2));
  const log = createLogger(config, 'worker');
  Runtime.install({ logger: temporalLogger(log), shutdownSignals: [] });
  await untilReached(log, 'MongoDB', async () => {
    await connectMongo(config.MONGODB_URI);
    await createIndexes();
  });
  const client = connectTemporal(config);
  const core = processCore(config, log, client);
  const connection = await untilReached(log, 'Temporal', () => NativeConnection.connect({ address: config.TEMPORAL_ADDRESS }));
  await untilReached(log, 'Temporal', async () => {
    await ensureSearchAttributes(client, config.TEMPORAL_NAMESPACE);
    await ensureSchedules(client, log);
  });
  const watch = new WakeWatch();
  wakeFanOutThrough(core);
  const delivery = queues.includes('delivery') ? new DeliveryHost(core, watch) : null;
  const fanOut = queues.includes('pumps') ? new FanOutHost(core, watch, CONSUMERS) : null;
  const webhooks = queues.includes('http') ? new WebhookHost(core, watch) : null;
  await delivery?.start();
  const bundled = queues.includes('pumps') ? await workflowCode() : null;
  const workers = await createWorkers({
    connection,
    namespace: config.TEMPORAL_NAMESPACE,
    queues,
    delivery,
    ...(bundled && { workflowCode: bundled }),
    activities: createActivities({ core, delivery, fanOut, webhooks }),
  });
  void toldToStop().then(() => stop(log, workers, { delivery, fanOut, webhooks }));
  log.info({ queues }, 'Worker is ready');
  await Promise.all(workers.map((worker) => worker.run()));
  await Promise.all([delivery?.stop(), fanOut?.stop(), webhooks?.stop()]);
  await connection.close();
  await disconnectMongo();
}

interface Hosts {
  readonly delivery: DeliveryHost | null;
  readonly fanOut: FanOutHost | null;
  readonly webhooks: WebhookHost | null;
}

function stop(log: Logger, workers: readonly Worker[], { delivery, fanOut, webhooks }: Hosts): void {
  log.info('Stopping');
  setTimeout(() => process.exit(0), STOP_MS).unref();
  delivery?.stop().catch((error: unknown) => log.error({ err: error }, 'Delivery did not stop in order'));
  fanOut?.stop().catch((error: unknown) => log.error({ err: error }, 'Fan-out did not stop in order'));
  webhooks?.stop().catch((error: unknown) => log.error({ err: error }, 'Webhooks did not stop in order'));
  for (const worker of workers) worker.shutdown();
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
});
