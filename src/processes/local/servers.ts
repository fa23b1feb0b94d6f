import { migrateAll } from '../../upkeep/migrations';
import type { Config, ServerConfig } from '../../platform/config';
import { makeLink } from '../../records/console-sessions';
import type { Logger } from '../../platform/log';
import { connectMongo, disconnectMongo } from '../../platform/mongo';
import type { ProjectKeys } from '../../records/projects';
import { fetchScope, findMongod, findTemporal } from './binaries';
import type { FetchScope } from './binaries';
import type { DataDir } from './data-dir';
import { ensureDefaultProject } from './default-project';
import type { Part } from './part';
import { mongodPart, sinkPart, temporalPart } from './parts';
import type { Progress } from './progress';
import { StartError } from './start-error';
import { guardUi } from './ui-guard';

/** Where everything listens that runs on this machine. */
export interface Ports {
  readonly api: number;
  readonly inbound: number;
  readonly temporalUi: number;
  /** Where the web UI itself listens. */
  readonly temporalUiBehind: number;
  readonly mongod: number;
  readonly temporal: number;
  readonly sinkSmtp: number;
  readonly sinkHttp: number;
}

interface Starting {
  readonly config: Config;
  /** The settings with which the parts run. */
  readonly effective: ServerConfig;
  readonly dir: DataDir;
  readonly ports: Ports;
  readonly log: Logger;
  readonly progress: Progress;
  readonly signal: AbortSignal;
  /** Called when a server has to be fetched, so that there is time for other work. */
  readonly onFetch: () => void;
}

interface Prepared {
  readonly keys: ProjectKeys | null;
  readonly consoleLink: string | null;
}

/** Does as Promise.all, but waits for all, and the error names every failure. */
export async function allOf<T extends readonly unknown[]>(work: T): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const results = await Promise.allSettled(work);
  const [first, ...others] = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as Error] : []));
  if (first && others.length === 0) throw first;
  if (first) throw new StartError([first, ...others].map(({ message }) => message).join('\n'));
  return results.map((result) => (result as PromiseFulfilledResult<unknown>).value) as never;
}

/** Does `work`, whose failure is for a person to mend. */
async function orSay<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new StartError((error as Error).message, { cause: error });
  }
}

/** Starts a part, and resolves when it is ready. */
export const started = (part: Part, progress: Progress): Promise<void> => progress.during(part.name, orSay(part.start()));

const sayIn =
  (progress: Progress, log: Logger) =>
  (line: string): void => {
    progress.clear();
    log.info(line);
  };

/** Finds or fetches a binary by `find`, and shows how far that is. What is found at once says nothing. */
function found(what: string, { progress, log, signal, onFetch }: Starting, find: (scope: FetchScope) => Promise<string>): Promise<string> {
  const title = `looking for ${what}`;
  const show = progress.teller(title);
  const sayInLog = sayIn(progress, log);
  const say = (line: string): void => {
    sayInLog(line);
    onFetch();
  };
  return progress.during(title, orSay(find(fetchScope(say, { signal, ...(show && { show }) }))));
}

type Run = (part: Part) => Promise<void>;

async function startMongod(starting: Starting, run: Run): Promise<void> {
  const { config, dir, ports, log, signal } = starting;
  const binary = await found('mongod', starting, (scope) => findMongod(config, scope));
  signal.throwIfAborted();
  await run(mongodPart(dir, { binary, dbPath: dir.mongo, port: ports.mongod }, log));
}

async function startTemporal(starting: Starting, run: Run): Promise<void> {
  const { config, dir, ports, log, signal } = starting;
  const binary = await found('Temporal', starting, (scope) => findTemporal(config, scope));
  signal.throwIfAborted();
  const place = {
    binary,
    port: ports.temporal,
    namespace: config.TEMPORAL_NAMESPACE,
    dbFile: dir.temporal,
    uiPort: ports.temporalUiBehind,
  };
  await guardUi(ports.temporalUi, ports.temporalUiBehind, config.PUBLIC_URL);
  await run(temporalPart(dir, place, log));
}

/** Migrates the database, since here nothing else does so before the parts start, and makes the first project and a way into its console. */
async function prepareDatabase({ effective, dir, progress, log }: Starting): Promise<Prepared> {
  await connectMongo(effective.MONGODB_URI, { poolSize: 2 });
  try {
    await migrateAll(sayIn(progress, log));
    const keys = await ensureDefaultProject(dir);
    return { keys, consoleLink: keys && (await makeLink(keys.projectId, effective.PUBLIC_URL)).url };
  } finally {
    await disconnectMongo();
  }
}

async function startDatabase(starting: Starting, run: Run): Promise<Prepared> {
  if (!starting.config.MONGODB_URI) await startMongod(starting, run);
  starting.signal.throwIfAborted();
  return starting.progress.during('migrating the database', prepareDatabase(starting));
}

/** Starts the servers that are not given, each as soon as its binary is there: fetching one holds up none of the others. Each is put into `servers` before it runs. */
export async function startServers(starting: Starting, servers: Part[]): Promise<Prepared> {
  const { config, dir, ports, log, progress } = starting;
  const run: Run = (part) => {
    servers.push(part);
    return started(part, progress);
  };
  const [prepared] = await allOf([
    startDatabase(starting, run),
    config.TEMPORAL_ADDRESS ? null : startTemporal(starting, run),
    config.SMTP_URL ? null : run(sinkPart(dir, ports.sinkSmtp, ports.sinkHttp, log)),
  ] as const);
  return prepared;
}

const STOPPED_LAST = ['temporal', 'mongod'];

/** First the sink, then Temporal, then mongod, which the others use. */
export const stoppingOrder = (servers: readonly Part[]): Part[] =>
  servers.toSorted((a, b) => STOPPED_LAST.indexOf(a.name) - STOPPED_LAST.indexOf(b.name));
