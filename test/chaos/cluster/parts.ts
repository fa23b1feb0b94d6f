import { Part, Platform, eventually } from '../../support/platform/platform';
import { ReplicaSet } from '../../support/run/replica-set';
import { freePorts } from '../../../packages/local/src/ports';
import { scratchDir } from '../../support/run/test-run';
import { Balancer } from './balancer';
import type { Backend } from './balancer';
import { Wires } from './wires';

/** Of each worker. */
export const [LEDGER_CHUNK, CONNECTIONS] = [200, 10];
const WHOLE_MS = 120_000;

const SETTINGS = {
  SMTP_RETRY_SECONDS: '1,1,2,2,5,5,10,10,10',
  SMTP_CONNECTIONS: String(CONNECTIONS),
  LEDGER_CHUNK: String(LEDGER_CHUNK),
};

const urlOf = (port: number | string): string => `http://127.0.0.1:${port}`;

/** Two API processes, three workers and two of SMTP on three mongods, with a balancer in front of each kind that clients reach. */
export interface Cluster {
  readonly set: ReplicaSet;
  /** With the first API process and the first worker. */
  readonly platform: Platform;
  readonly apis: readonly Part[];
  readonly workers: readonly Part[];
  readonly smtps: readonly Part[];
  /** Of two machines: one has a process of each kind, one a worker and SMTP. */
  readonly wires: readonly Wires[];
  readonly balancers: { readonly api: Balancer; readonly smtp: Balancer };
  /** Resolves once all members of the replica set take part, and the balancers leave no process out. Throws if a process has ended. */
  whole(): Promise<void>;
  stop(): Promise<void>;
}

interface Smtp {
  readonly part: Part;
  readonly backend: Backend;
}

async function smtpOf(env: Readonly<Record<string, string>>): Promise<Smtp> {
  const [inbound = 0, submission = 0, probes = 0] = await freePorts(3);
  const ports = { INBOUND_SMTP_PORT: String(inbound), SUBMISSION_PORT: String(submission), METRICS_PORT: String(probes) };
  const part = new Part('src/processes/inbound-smtp/main.ts', { ...env, ...ports, INBOUND_TLS_SELF_SIGNED: 'true' }, 'is listening');
  return { part, backend: { port: submission, ready: `${urlOf(probes)}/readyz` } };
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const apiBackend = (port: number | string): Backend => ({ port: Number(port), ready: `${urlOf(port)}/readyz` });

async function startOn(set: ReplicaSet, platform: Platform, undo: (() => Promise<unknown>)[]): Promise<Cluster> {
  const wires = [await Wires.to(set.members, platform.smtp.port), await Wires.to(set.members, platform.smtp.port)] as const;
  undo.unshift(() => Promise.all(wires.map((each) => each.close())));
  const [here, there] = wires.map((each) => ({ ...platform.env, ...each.env })) as [Record<string, string>, Record<string, string>];
  const [port = 0] = await freePorts(1);
  const api = new Part('api/main.ts', { ...here, PORT: String(port) }, 'istening');
  const workers = [here, there].map((env) => new Part('worker/main.ts', env, 'Worker is ready'));
  const smtps = [await smtpOf(here), await smtpOf(there)];
  const parts = [api, ...workers, ...smtps.map(({ part }) => part)];
  undo.unshift(() => Promise.all(parts.map((part) => part.stop())));
  await Promise.all(parts.map((part) => part.start()));
  const balancers = {
    api: await Balancer.start([apiBackend(platform.env['PORT'] ?? 0), apiBackend(port)]),
    smtp: await Balancer.start(smtps.map(({ backend }) => backend)),
  };
  undo.unshift(() => Promise.all(Object.values(balancers).map((balancer) => balancer.close())));
  const whole = async (): Promise<void> => {
    const ended = [platform.api, platform.worker, ...parts].find(({ pid }) => !isRunning(pid));
    if (ended) throw new Error(`A process has ended:\n${ended.output}`);
    await set.whole();
    await eventually('the balancers leave none out', () => balancers.api.isWhole && balancers.smtp.isWhole, WHOLE_MS);
  };
  return {
    set,
    platform,
    apis: [platform.api, api],
    workers: [platform.worker, ...workers],
    smtps: smtps.map(({ part }) => part),
    wires,
    balancers,
    whole,
    stop: () => undone(undo),
  };
}

async function undone(undo: readonly (() => Promise<unknown>)[]): Promise<void> {
  for (const each of undo) await each();
}

/** Starts all of it; `electionMs` is how long the mongods miss a primary before they elect another one. */
export async function startCluster(electionMs: number): Promise<Cluster> {
  const set = await ReplicaSet.start(scratchDir('cluster'), electionMs);
  /** What is started last ends first. */
  const undo: (() => Promise<unknown>)[] = [() => set.stop()];
  try {
    const platform = await Platform.start({ mongoUri: set.uri, env: SETTINGS });
    undo.unshift(() => platform.stop());
    return await startOn(set, platform, undo);
  } catch (error) {
    await undone(undo);
    throw error;
  }
}
