import { compose } from '../../../src/composition/compose';
import { setTimeout as wait } from 'node:timers/promises';
import { NativeConnection, Runtime, DefaultLogger } from '@temporalio/worker';
import { createActivities } from '../../../activities';
import { loadServerConfig } from '../../../src/platform/config/config';
import type { Consumer } from '../../../src/records/fan-out/host';
import { FanOutHost } from '../../../src/records/fan-out/host';
import { createLogger } from '../../../src/platform/log';
import { connectMongo, disconnectMongo } from '../../../src/platform/mongo/connect';
import { connectTemporal, processCore } from '../../../src/platform/temporal/connect';
import { ensureSchedules } from '../../../src/platform/temporal/schedules';
import { WakeWatch } from '../../../src/platform/wake-ups';
import { createWorkers } from '../../../worker/create-workers';
import { workflowCode } from '../../../worker/workflow-code';
import { recorder } from './fan-out';

/** Slow enough for a test to kill the process in the middle. */
const slowly: Consumer = { name: 'slow', handle: () => wait(15) };

/** A worker for workflows and events, whose only consumer notes what it is given. Until it is killed or stopped. */
async function main(): Promise<void> {
  Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [] });
  const config = loadServerConfig();
  await connectMongo(config.MONGODB_URI);
  const client = connectTemporal(config);
  const core = processCore(config, createLogger(config, 'test'), client);
  compose(core);
  const connection = await NativeConnection.connect({ address: config.TEMPORAL_ADDRESS });
  await ensureSchedules(client, core.log);
  const fanOut = new FanOutHost(core, new WakeWatch(), [recorder, slowly]);
  const workers = await createWorkers({
    connection,
    namespace: config.TEMPORAL_NAMESPACE,
    queues: ['orchestration', 'pumps'],
    workflowCode: await workflowCode(),
    activities: createActivities({ core, delivery: null, fanOut, webhooks: null }),
  });
  process.once('SIGTERM', () => {
    void fanOut.stop();
    for (const worker of workers) worker.shutdown();
  });
  process.stdout.write('Recording worker is ready\n');
  await Promise.all(workers.map((worker) => worker.run()));
  await connection.close();
  await disconnectMongo();
  process.exit(0);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
});
