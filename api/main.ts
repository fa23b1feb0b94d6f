import '../src/platform/start-up/help-start';
import { tracing } from '../src/platform/tracing';
import { setTimeout as wait } from 'node:timers/promises';
import mongoose from 'mongoose';
import { composedCore } from '../src/composition/compose';
import { introduce, loadServerConfig, releaseOf } from '../src/platform/config';
import { isTrackingHost } from '../src/sending/domains';
import { endWith, listenAt, stopSignal } from '../src/platform/start-up';
import { createLogger } from '../src/platform/log';
import { ANSWER_MS } from '../src/platform/core';
import { boundOthers, connectWhenThere, disconnectMongo, mongoAnswers, requireMongoUri } from '../src/platform/mongo';
import { Probes, checked, listenForOperators } from '../src/platform/probes';
import { Membership, migrateAll } from '../src/upkeep/migrations';
import { connectTemporal, temporalAnswers } from '../src/platform/temporal';
import { createApp } from './app';
import { drain } from './http/drain';
import { httpServer } from './http/server';

/** With the time to drain less than the 20 seconds that a process may take to stop. */
const CLOSE_MS = 2_000;

async function main(): Promise<void> {
  const config = loadServerConfig();
  requireMongoUri(config.MONGODB_URI);
  const log = createLogger(config, 'api');
  introduce(config, log);
  mongoose.set('bufferCommands', false);
  const stopping = new AbortController();
  let ready = false;
  const temporal = connectTemporal(config);
  const membership = new Membership('api', log, migrateAll, releaseOf(config));
  const core = composedCore(config, log, temporal);
  const mongodb = () => (ready ? mongoAnswers() : Promise.resolve(false));
  const probes = new Probes({ mongodb, temporal: () => temporalAnswers(temporal) });
  const stop = stopSignal(log, { say: () => probes.noteStopping(), seconds: config.DRAIN_SECONDS });
  await listenForOperators(config, log, { part: 'api', probes, mayBeCertified: isTrackingHost });
  const connecting = connectWhenThere(config.MONGODB_URI, log, stopping.signal)
    .then((connected) => connected && membership.begin(stopping.signal))
    .then((mayRun) => {
      // What was done to the schema took as long as it did; from now on all queries are for requests.
      boundOthers(ANSWER_MS);
      ready = mayRun;
      probes.noteStarted();
    })
    .catch(endWith);
  const health = async () => {
    const [database, processes] = await Promise.all([checked(mongodb()), checked(temporalAnswers(temporal))]);
    return { mongodb: database, temporal: processes };
  };
  const app = createApp({ core, health, probe: (path) => probes.answer(path), ready: () => ready });
  const server = httpServer(app, config.PUBLIC_URL);
  const port = await listenAt(server, { variable: 'PORT', port: config.PORT, host: config.HOST });
  // A supervisor says it in its own words.
  log[process.send ? 'debug' : 'info']({ port }, 'listening');
  process.send?.({ listening: port });
  await stop;
  log.info('stopping');
  stopping.abort();
  await drain(server);
  // A server that does not answer is not said goodbye to. Temporal's connection ends with the process: a call that is tried again when it is closed throws.
  await Promise.race([Promise.all([connecting.then(() => membership.end()).then(disconnectMongo), tracing()?.stop()]), wait(CLOSE_MS)]);
}

void main().then(() => process.exit(), endWith);
