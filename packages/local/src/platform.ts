import { setTimeout as sleep } from 'node:timers/promises';
import { openDataDir } from './data-dir';
import type { DataDir } from './data-dir';
import { isHeldByUs, takeLock } from './lock';
import type { Lock } from './lock';
import { runningMongod } from './mongod';
import { endProcess } from './os-processes';
import { programPart } from './parts';
import type { Program, Part } from './parts';
import { awaitFreePort, freePorts, isPortFree, keptPorts } from './ports';
import { allOf, startServers, started, stoppingOrder } from './servers';
import type { Ports, Servers, Setup } from './servers';
import type { Log } from './settings';
import { StartError } from './start-error';
import { runningTemporal } from './temporal';

/** The parts of a killed supervisor end within this time. */
const LEFTOVERS_WITHIN_MS = 6_000;
const LOCK_WITHIN_MS = 25_000;
/** Time for a holder that does not say that it is stopping to say so. */
const LOCK_DOUBT_MS = 2_500;

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

// Servers that outlived a killed supervisor are ended; they are started again as ours.
async function endLeftovers(dir: DataDir, log: Log): Promise<void> {
  const pids = [runningMongod(dir.mongo)?.pid ?? null, runningTemporal(dir.temporal)].filter((pid) => pid !== null);
  if (pids.length > 0) log.info({ pids }, 'ending servers that an earlier run left behind');
  await Promise.all(pids.map((pid) => endProcess(pid, 30_000)));
}

type Three = [number, number, number];
type Four = [...Three, number];

async function requireFree(variable: string, port: number, host: string): Promise<void> {
  if (await awaitFreePort(port, host, LEFTOVERS_WITHIN_MS)) return;
  throw new StartError(`Port ${port} of ${host} is taken by another program. Set ${variable} to a free one, or to 0 for any.`);
}

// The web UI is no part of the platform: if its default port is taken, it gets any other.
async function chooseUiPort({ defaultUiPort, log }: Setup, wanted: number, other: number): Promise<number> {
  if (wanted !== defaultUiPort) await requireFree('TEMPORAL_UI_PORT', wanted, '127.0.0.1');
  if (await isPortFree(wanted)) return wanted;
  log.info(`Port ${wanted} is taken by another program; Temporal's web UI is at port ${other}`);
  return other;
}

// A start that says nothing of submission has it at the default port, or at any other where that is taken.
async function chooseSubmissionPort({ settings, defaultSubmissionPort, log }: Setup, other: number): Promise<number> {
  const wanted = settings.SUBMISSION_PORT;
  if (wanted !== undefined) {
    if (wanted > 0) await requireFree('SUBMISSION_PORT', wanted, settings.HOST);
    return wanted || other;
  }
  if (await isPortFree(defaultSubmissionPort, settings.HOST)) return defaultSubmissionPort;
  log.info(`Port ${defaultSubmissionPort} is taken by another program; SMTP submission is at port ${other}`);
  return other;
}

/** Chooses where everything listens. `programs` answer their operators at METRICS_PORT and the ports after it. */
async function choosePorts(setup: Setup, dir: DataDir, programs: number): Promise<Ports> {
  const { settings } = setup;
  const any = (await freePorts(4)) as Four;
  const [api, inbound, wantedUi] = [settings.PORT, settings.INBOUND_SMTP_PORT, settings.TEMPORAL_UI_PORT].map(
    (port, i) => port || any[i],
  ) as Three;
  await requireFree('PORT', api, settings.HOST);
  await requireFree('INBOUND_SMTP_PORT', inbound, settings.HOST);
  const first = settings.METRICS_PORT ?? 0;
  for (let n = 0; first > 0 && n < programs; n++) await requireFree('METRICS_PORT', first + n, settings.METRICS_HOST);
  const temporalUi = settings.TEMPORAL_ADDRESS ? wantedUi : await chooseUiPort(setup, wantedUi, any[2]);
  const submission = await chooseSubmissionPort(setup, any[3]);
  return {
    api,
    inbound,
    submission,
    temporalUi,
    ...(await keptPorts(dir.ports, ['mongod', 'temporal', 'temporalUiBehind', 'sinkSmtp', 'sinkHttp'])),
  };
}

/** The platform on this machine. Call its steps in this order: `open`, `startServers`, `startPrograms`; `stop` at any time. */
export class LocalPlatform {
  private readonly servers: Part[] = [];
  private readonly programs: Part[] = [];
  private lock: Lock | undefined;

  constructor(private readonly setup: Setup) {}

  /**
   * Locks the data folder, ends what a killed predecessor left, and chooses the ports, of which `programs` may need one each for their operators. Rejects with
   * a `StartError` when a person has to mend something, as all steps do.
   */
  async open(programs: number): Promise<{ readonly dir: DataDir; readonly ports: Ports }> {
    const { settings, log, signal } = this.setup;
    const dir = openDataDir(settings.DATA_DIR);
    this.lock = await lockDataDir(dir, signal);
    await endLeftovers(dir, log);
    return { dir, ports: await choosePorts(this.setup, dir, programs) };
  }

  /** Starts the servers that are not given. Resolves, to what `prepare` did, when they are ready. */
  startServers<T>(at: { readonly dir: DataDir; readonly ports: Ports }, servers: Servers<T>): Promise<T> {
    return startServers(this.setup, servers, at, this.servers);
  }

  /** Starts programs, and resolves when all are ready. */
  async startPrograms(programs: readonly Program[]): Promise<void> {
    const { runner, log, progress, signal } = this.setup;
    signal.throwIfAborted();
    this.programs.push(...programs.map((program) => programPart(runner, program, log)));
    await allOf(this.programs.map((part) => started(part, progress)));
  }

  /** Rejects when a part keeps dying; never resolves. */
  failure(): Promise<never> {
    return Promise.race([...this.servers, ...this.programs].map((part) => part.gaveUp));
  }

  /** Ends the programs, then the servers that they use: first the sink, then Temporal, then mongod. */
  async stop(): Promise<void> {
    this.lock?.announceStop();
    await Promise.all(this.programs.map((part) => part.stop()));
    for (const server of stoppingOrder(this.servers)) await server.stop();
    this.lock?.release();
  }
}
