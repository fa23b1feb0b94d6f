import type { Server } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import mongoose from 'mongoose';
import { introduce, loadServerConfig, releaseOf } from '../platform/config';
import { createLogger } from '../platform/log';
import { connectWhenThere, disconnectMongo, mongoAnswers, requireMongoUri } from '../platform/mongo';
import { Probes, listenForOperators } from '../platform/probes';
import type { Operators } from '../platform/probes';
import { endWith, listenAt, stopSignal } from '../platform/start-up';
import { connectTemporal, temporalAnswers } from '../platform/temporal';
import { tracing } from '../platform/tracing';
import { Membership, migrateAll } from '../upkeep/migrations';
import { composedCore } from './compose';

/** With the time to drain less than the 20 seconds that a process may take to stop. */
const CLOSE_MS = 2_000;

/** Reads the settings and creates the core of a process; no server is contacted yet. Throws a list of faults of the settings. */
export function beginProcess(part: 'api' | 'worker' | 'smtp') {
  const config = loadServerConfig();
  requireMongoUri(config.MONGODB_URI);
  const log = createLogger(config, part);
  introduce(config, log);
  const temporal = connectTemporal(config);
  return {
    config,
    log,
    temporal,
    membership: new Membership(part, log, migrateAll, releaseOf(config)),
    core: composedCore(config, log, temporal),
  };
}

/** Gives back what a process holds of MongoDB, and sends the last traces. */
export const endProcess = (membership: Membership) => Promise.all([membership.end().then(disconnectMongo), tracing()?.stop()]);

/** The server of a process, once its core, its probes and the state of its database are known. */
interface Listener extends Pick<Operators, 'mayBeCertified'> {
  /** The setting that names the port. */
  readonly variable: 'PORT' | 'INBOUND_SMTP_PORT';
  readonly server: Server;
  /** Servers of the same process that listen elsewhere. */
  readonly besides?: readonly { readonly variable: 'SUBMISSION_PORT' | 'SUBMISSION_TLS_PORT'; readonly server: Server }[];
  /** Finishes what has begun. */
  readonly close: () => Promise<void>;
  /** Called when the database can be used; `mayRun` is false when the process was stopped before. */
  readonly connected?: (mayRun: boolean) => void;
}

interface Opening extends Pick<ReturnType<typeof beginProcess>, 'config' | 'core' | 'log'> {
  readonly probes: Probes;
  readonly ready: () => boolean;
  /** Aborted when the process stops. */
  readonly stopping: AbortSignal;
}

/** Runs a process that listens at once, with or without a database, until it is asked to stop. */
export async function listenUntilStopped(part: 'api' | 'smtp', open: (opening: Opening) => Listener): Promise<void> {
  const { config, log, temporal, membership, core } = beginProcess(part);
  mongoose.set('bufferCommands', false);
  const stopping = new AbortController();
  let isReady = false;
  const mongodb = () => (isReady ? mongoAnswers() : Promise.resolve(false));
  const probes = new Probes({ mongodb, temporal: () => temporalAnswers(temporal) });
  const stop = stopSignal(log, { say: () => probes.noteStopping(), seconds: config.DRAIN_SECONDS });
  const {
    server,
    variable,
    besides = [],
    close,
    connected,
    ...others
  } = open({
    config,
    core,
    log,
    probes,
    ready: () => isReady,
    stopping: stopping.signal,
  });
  await listenForOperators(config, log, { part, probes, ...others });
  const connecting = connectWhenThere(config.MONGODB_URI, log, stopping.signal)
    .then((isConnected) => isConnected && membership.begin(stopping.signal))
    .then((mayRun) => {
      connected?.(mayRun);
      isReady = mayRun;
    })
    .catch(endWith);
  const port = await listenAt(server, { variable, port: config[variable], host: config.HOST });
  for (const other of besides) {
    await listenAt(other.server, { variable: other.variable, port: config[other.variable] ?? 0, host: config.HOST });
  }
  probes.noteStarted();
  // A supervisor says it in its own words.
  log[process.send ? 'debug' : 'info']({ host: config.HOST, port }, 'The process is listening');
  process.send?.({ listening: port });
  await stop;
  log.info('The process is stopping');
  stopping.abort();
  await close();
  // A server that does not answer is not said goodbye to. Temporal's connection ends with the process: a call that is tried again when it is closed throws.
  await Promise.race([connecting.then(() => endProcess(membership)), wait(CLOSE_MS)]);
}
