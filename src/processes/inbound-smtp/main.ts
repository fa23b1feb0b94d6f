import '../../platform/start-up/help-start';
import { tracing } from '../../platform/tracing';
import { setTimeout as wait } from 'node:timers/promises';
import mongoose from 'mongoose';
import { introduce, loadServerConfig, releaseOf } from '../../platform/config';
import { composedCore } from '../../composition/compose';
import { endWith, listenAt, stopSignal } from '../../platform/start-up';
import { createLogger } from '../../platform/log';
import { connectWhenThere, disconnectMongo, mongoAnswers, requireMongoUri } from '../../platform/mongo';
import { Probes, listenForOperators } from '../../platform/probes';
import { Membership, migrateAll } from '../../upkeep/migrations';
import { connectTemporal, temporalAnswers } from '../../platform/temporal';
import { InboundServer } from './server';

/** With the time for open messages less than the 20 seconds that a process may take to stop. */
const CLOSE_MS = 2_000;

/**
 * Runs inbound SMTP (`npm run smtp`) on INBOUND_SMTP_PORT. It takes mail as long as MongoDB is there, with or without Temporal, and puts it off until then. On SIGTERM
 * messages that are being received are finished.
 */
async function main(): Promise<void> {
  const config = loadServerConfig();
  requireMongoUri(config.MONGODB_URI);
  const log = createLogger(config, 'smtp');
  introduce(config, log);
  mongoose.set('bufferCommands', false);
  const stopping = new AbortController();
  let ready = false;
  const temporal = connectTemporal(config);
  const membership = new Membership('smtp', log, migrateAll, releaseOf(config));
  const core = composedCore(config, log, temporal);
  const probes = new Probes({
    mongodb: () => (ready ? mongoAnswers() : Promise.resolve(false)),
    temporal: () => temporalAnswers(temporal),
  });
  const stop = stopSignal(log, { say: () => probes.noteStopping(), seconds: config.DRAIN_SECONDS });
  await listenForOperators(config, log, { part: 'smtp', probes });
  const connecting = connectWhenThere(config.MONGODB_URI, log, stopping.signal)
    .then((connected) => connected && membership.begin(stopping.signal))
    .then((mayRun) => (ready = mayRun))
    .catch(endWith);
  const inbound = new InboundServer(core, () => ready);
  const place = { variable: 'INBOUND_SMTP_PORT', port: config.INBOUND_SMTP_PORT, host: config.HOST };
  const port = await listenAt(inbound.server.server, place);
  probes.noteStarted();
  // A supervisor says it in its own words.
  log[process.send ? 'debug' : 'info']({ host: config.HOST, port }, 'inbound SMTP is listening');
  process.send?.({ listening: port });
  await stop;
  log.info('inbound SMTP is stopping');
  stopping.abort();
  await inbound.close();
  await Promise.race([Promise.all([connecting.then(() => membership.end()).then(disconnectMongo), tracing()?.stop()]), wait(CLOSE_MS)]);
}

void main().then(() => process.exit(), endWith);
