import { fetchScope, findMongod, findTemporal } from './binaries';
import type { DataDir } from './data-dir';
import { mongodPart, programPart, temporalPart } from './parts';
import type { Program, Runner, Part } from './parts';
import type { Progress } from './progress';
import type { FetchScope } from './run';
import type { HostCheck, Log, Settings } from './settings';
import { StartError } from './start-error';
import { guardUi } from './temporal';

/** The ports of everything that runs on this machine. */
export interface Ports {
  readonly api: number;
  readonly inbound: number;
  readonly submission: number;
  readonly temporalUi: number;
  /** Port of the web UI itself. */
  readonly temporalUiBehind: number;
  readonly mongod: number;
  readonly temporal: number;
  readonly sinkSmtp: number;
  readonly sinkHttp: number;
}

/** The product, as a start needs it. */
export interface Setup {
  readonly settings: Settings;
  readonly log: Log;
  readonly progress: Progress;
  /** Breaks a start off. */
  readonly signal: AbortSignal;
  readonly runner: Runner;
  /** The search attributes of Temporal's namespace: the type of each, by its name. */
  readonly searchAttributes: Readonly<Record<string, string>>;
  /** Decides which hosts may see Temporal's web UI. */
  readonly isOwnHost: HostCheck;
  /** If TEMPORAL_UI_PORT is this one and taken, any port is used instead. */
  readonly defaultUiPort: number;
  /** The port of SMTP submission where SUBMISSION_PORT names none and it is free. */
  readonly defaultSubmissionPort: number;
}

/** The servers to start, and the work to do meanwhile. */
export interface Servers<T> {
  /** Takes all mail where no SMTP_URL is given. */
  readonly sink: Program;
  /** Prepares the database for the programs; called once it accepts writes, when Temporal may still be starting. */
  readonly prepare: () => Promise<T>;
  /** Called when a server must be downloaded, so that there is time for other work. */
  readonly onFetch: () => void;
}

type Starting = Setup & Servers<unknown> & { readonly dir: DataDir; readonly ports: Ports };

/** Does as Promise.all, but waits for all, and the error names every failure. */
export async function allOf<T extends readonly unknown[]>(work: T): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const results = await Promise.allSettled(work);
  const [first, ...others] = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as Error] : []));
  if (first && others.length === 0) throw first;
  if (first) throw new StartError([first, ...others].map(({ message }) => message).join('\n'));
  return results.map((result) => (result as PromiseFulfilledResult<unknown>).value) as never;
}

/** Does `work`; throws its failure as a `StartError`, for a person to mend. */
async function orSay<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new StartError((error as Error).message, { cause: error });
  }
}

/** Starts a part, and resolves when it is ready. */
export const started = (part: Part, progress: Progress): Promise<void> => progress.during(part.name, orSay(part.start()));

/** Finds or fetches a binary by `find`, and shows how far that is. What is found at once says nothing. */
function found(what: string, { progress, log, signal, onFetch }: Starting, find: (scope: FetchScope) => Promise<string>): Promise<string> {
  const title = `looking for ${what}`;
  const show = progress.teller(title);
  const say = (line: string): void => {
    progress.clear();
    log.info(line);
    onFetch();
  };
  return progress.during(title, orSay(find(fetchScope(say, { signal, ...(show && { show }) }))));
}

type Run = (part: Part) => Promise<void>;

async function startMongod(starting: Starting, run: Run): Promise<void> {
  const { settings, dir, ports, log, signal } = starting;
  const binary = await found('mongod', starting, (scope) => findMongod(settings, scope));
  signal.throwIfAborted();
  await run(mongodPart(dir, { binary, dbPath: dir.mongo, port: ports.mongod }, log));
}

async function startTemporal(starting: Starting, run: Run): Promise<void> {
  const { settings, searchAttributes, dir, ports, log, signal, isOwnHost } = starting;
  const binary = await found('Temporal', starting, (scope) => findTemporal(settings, scope));
  signal.throwIfAborted();
  const place = {
    binary,
    port: ports.temporal,
    namespace: settings.TEMPORAL_NAMESPACE,
    searchAttributes,
    dbFile: dir.temporal,
    uiPort: ports.temporalUiBehind,
  };
  await guardUi(ports.temporalUi, ports.temporalUiBehind, isOwnHost);
  await run(temporalPart(dir, place, log));
}

async function startDatabase<T>(starting: Starting, run: Run, prepare: () => Promise<T>): Promise<T> {
  if (!starting.settings.MONGODB_URI) await startMongod(starting, run);
  starting.signal.throwIfAborted();
  return starting.progress.during('preparing the database', prepare());
}

/**
 * Starts the servers that are not given, each as soon as its binary is available: downloading one delays none of the others. Each is put
 * into `running` before it runs. Resolves to the result of `prepare`.
 */
export async function startServers<T>(
  setup: Setup,
  servers: Servers<T>,
  at: { readonly dir: DataDir; readonly ports: Ports },
  running: Part[],
): Promise<T> {
  const { settings, log, progress, runner } = setup;
  const starting: Starting = { ...setup, ...servers, ...at };
  const run: Run = (part) => {
    running.push(part);
    return started(part, progress);
  };
  const [prepared] = await allOf([
    startDatabase(starting, run, servers.prepare),
    settings.TEMPORAL_ADDRESS ? null : startTemporal(starting, run),
    settings.SMTP_URL ? null : run(programPart(runner, servers.sink, log)),
  ] as const);
  return prepared;
}

const STOPPED_LAST = ['temporal', 'mongod'];

/** Returns the parts in the order in which they stop: first the sink, then Temporal, then mongod, which the others use. */
export const stoppingOrder = (servers: readonly Part[]): Part[] =>
  servers.toSorted((a, b) => STOPPED_LAST.indexOf(a.name) - STOPPED_LAST.indexOf(b.name));
