import { setTimeout as wait } from 'node:timers/promises';
import mongoose from 'mongoose';
import { loadServerConfig } from '../src/config';
import { wakeFanOutThrough } from '../src/events/fan-out-wakes';
import { endWith, listenAt } from '../src/listen';
import { createLogger } from '../src/log';
import { connectWhenThere, disconnectMongo } from '../src/mongo/connect';
import { toldToStop } from '../src/stop-signal';
import { connectTemporal, temporalAnswers } from '../src/temporal/connect';
import { processCore } from '../src/temporal/process-core';
import { createApp } from './app';
import { drain } from './http/drain';
import { httpServer } from './http/server';
import type { Check } from './meta/routes';

/** With the time to drain less than the 20 seconds that a process may take to stop. */
const CLOSE_MS = 2_000;
const CHECK_MS = 2_000;

const pingMongo = async (): Promise<boolean> => (await mongoose.connection.db?.command({ ping: 1 })) !== undefined;

/** `up` when the answer is yes, and comes soon enough for whoever asks after our health. */
async function checked(answer: Promise<boolean>): Promise<Check> {
  const up = await Promise.race([answer.catch(() => false), wait(CHECK_MS, false, { ref: false })]);
  return up ? 'up' : 'down';
}

async function main(): Promise<void> {
  const config = loadServerConfig();
  const log = createLogger(config, 'api');
  mongoose.set('bufferCommands', false);
  const stop = toldToStop();
  const stopping = new AbortController();
  let ready = false;
  const connecting = connectWhenThere(config.MONGODB_URI, log, stopping.signal).then((connected) => (ready = connected));
  const temporal = connectTemporal(config);
  const core = processCore(config, log, temporal);
  wakeFanOutThrough(core);
  const health = async () => {
    const [mongodb, temporalState] = await Promise.all([
      checked(ready ? pingMongo() : Promise.resolve(false)),
      checked(temporalAnswers(temporal)),
    ]);
    return { mongodb, temporal: temporalState };
  };
  const server = httpServer(createApp({ core, health, ready: () => ready }));
  const port = await listenAt(server, { variable: 'PORT', port: config.PORT, host: config.HOST });
  log.info({ port }, 'listening');
  process.send?.({ listening: port });
  await stop;
  log.info('stopping');
  stopping.abort();
  await drain(server);
  // A server that does not answer is not said goodbye to.
  await Promise.race([Promise.all([connecting.then(disconnectMongo), temporal.connection.close()]), wait(CLOSE_MS)]);
}

void main().then(() => process.exit(0), endWith);
