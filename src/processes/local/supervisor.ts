import { setTimeout as sleep } from 'node:timers/promises';
import { DEFAULT_UI_PORT, loadServerConfig } from '../../platform/config';
import type { Config, ServerConfig } from '../../platform/config';
import { portTaken } from '../../platform/start-up';
import type { Logger } from '../../platform/log';
import type { ProjectKeys } from '../../records/projects';
import { bundleAhead } from './bundle-ahead';
import { buildConsole } from './console';
import { openDataDir } from './data-dir';
import type { DataDir } from './data-dir';
import { isHeldByUs, takeLock } from './lock';
import type { Lock } from './lock';
import { mongoUriAt, runningMongod } from './mongod';
import { endProcess } from './os-processes';
import type { Part } from './part';
import { codePart } from './parts';
import type { Progress } from './progress';
import { awaitFreePort, freePorts, isPortFree, keptPorts } from './ports';
import { allOf, startServers, started, stoppingOrder } from './servers';
import type { Ports } from './servers';
import { StartError } from './start-error';
import { CODE_PARTS, environmentOf, metricsPortOf, partEnvironment } from './settings';
import { runningTemporal } from './temporal';

/** A killed supervisor's parts are gone after so long. */
const LEFTOVERS_WITHIN_MS = 6_000;
const LOCK_WITHIN_MS = 25_000;
/** How long a holder that does not say that it is stopping may take to say so. */
const LOCK_DOUBT_MS = 2_500;

/** What runs on this machine once all parts do. */
export interface Ready {
  readonly config: ServerConfig;
  readonly keys: ProjectKeys | null;
  readonly dir: DataDir;
  readonly hasInbox: boolean;
  readonly hasTemporalUi: boolean;
  /** Signs in to the console, once; null where there is none. */
  readonly consoleLink: string | null;
}

async function lockDataDir(dir: DataDir, signal: AbortSignal): Promise<Lock> {
  for (const begun = Date.now(); ; await sleep(100, undefined, { signal })) {
    const lock = takeLock(dir.lock);
    if (isHeldByUs(lock)) return lock;
    if (Date.now() - begun > (lock.stopping ? LOCK_WITHIN_MS : LOCK_DOUBT_MS)) {
      throw new StartError(
        `${dir.root} is in use by another Lettermill, process ${lock.pid}. Stop that one, or set DATA_DIR to another folder.`,
      );
    }
  }
}

/** Servers that outlived a killed supervisor are ended; they are started again as ours. */
async function endLeftovers(dir: DataDir, log: Logger): Promise<void> {
  const pids = [runningMongod(dir.mongo)?.pid ?? null, runningTemporal(dir.temporal)].filter((pid) => pid !== null);
  if (pids.length > 0) log.info({ pids }, 'ending servers that an earlier run left behind');
  await Promise.all(pids.map((pid) => endProcess(pid, 30_000)));
}

type Three = [number, number, number];

async function requireFree(variable: string, port: number, host: string): Promise<void> {
  if (await awaitFreePort(port, host, LEFTOVERS_WITHIN_MS)) return;
  throw new StartError(portTaken({ variable, port, host }));
}

/** The web UI is no part of the platform: where the port that it has unless another one is named is taken, it gets any. */
async function chooseUiPort(wanted: number, other: number, log: Logger): Promise<number> {
  if (wanted !== DEFAULT_UI_PORT) await requireFree('TEMPORAL_UI_PORT', wanted, '127.0.0.1');
  if (await isPortFree(wanted)) return wanted;
  log.info(`Port ${wanted} is taken by another program; Temporal's web UI is at port ${other}`);
  return other;
}

async function choosePorts(config: Config, dir: DataDir, log: Logger): Promise<Ports> {
  const any = (await freePorts(3)) as Three;
  const [api, inbound, wantedUi] = [config.PORT, config.INBOUND_SMTP_PORT, config.TEMPORAL_UI_PORT].map(
    (port, i) => port || any[i],
  ) as Three;
  await requireFree('PORT', api, config.HOST);
  await requireFree('INBOUND_SMTP_PORT', inbound, config.HOST);
  const first = config.METRICS_PORT ?? 0;
  for (const part of first > 0 ? CODE_PARTS : []) await requireFree('METRICS_PORT', metricsPortOf(first, part), config.METRICS_HOST);
  const temporalUi = config.TEMPORAL_ADDRESS ? wantedUi : await chooseUiPort(wantedUi, any[2], log);
  return { api, inbound, temporalUi, ...(await keptPorts(dir.ports, ['mongod', 'temporal', 'temporalUiBehind', 'sinkSmtp', 'sinkHttp'])) };
}

/** What runs on this machine. */
export class Platform {
  private readonly servers: Part[] = [];
  private readonly parts: Part[] = [];
  private lock: Lock | undefined;

  constructor(
    private readonly config: Config,
    private readonly log: Logger,
    private readonly progress: Progress,
  ) {}

  /** Starts what is missing, then the parts. Resolves when the API takes requests; rejects with a `StartError` when a person has to mend something. */
  async start(signal: AbortSignal): Promise<Ready> {
    const { config, log, progress } = this;
    const dir = openDataDir(config.DATA_DIR);
    this.lock = await lockDataDir(dir, signal);
    await endLeftovers(dir, log);
    const ports = await choosePorts(config, dir, log);
    const environment = partEnvironment(config, dir, { ...ports, mongodbUri: mongoUriAt(ports.mongod) });
    const effective = loadServerConfig(environment);
    const building = progress.during('building the console', buildConsole(log, signal));
    let isBundling = false;
    const onFetch = (): void => {
      if (!isBundling) bundleAhead(signal);
      isBundling = true;
    };
    const prepared = await startServers({ config, effective, dir, ports, log, progress, signal, onFetch }, this.servers);
    signal.throwIfAborted();
    this.parts.push(...CODE_PARTS.map((name) => codePart(name, effective, environmentOf(name, config, environment), log)));
    await allOf(this.parts.map((part) => started(part, progress)));
    return {
      config: { ...effective, TEMPORAL_UI_PORT: ports.temporalUi },
      keys: prepared.keys,
      dir,
      hasInbox: !config.SMTP_URL,
      hasTemporalUi: !config.TEMPORAL_ADDRESS,
      consoleLink: (await building) ? prepared.consoleLink : null,
    };
  }

  /** Rejects when a part keeps dying; never resolves. */
  failure(): Promise<never> {
    return Promise.race([...this.servers, ...this.parts].map((part) => part.gaveUp));
  }

  /** Ends the parts, then the servers that they use: first the sink, then Temporal, then mongod. */
  async stop(): Promise<void> {
    this.lock?.announceStop();
    await Promise.all(this.parts.map((part) => part.stop()));
    for (const server of stoppingOrder(this.servers)) await server.stop();
    this.lock?.release();
  }
}
