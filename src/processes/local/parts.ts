import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { closeSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerConfig } from '../../platform/config';
import type { Logger } from '../../platform/log';
import { API_FLAGS, WORKER_ENVIRONMENT, WORKER_FLAGS, childEnvironment } from '../../platform/config';
import { logFileOf, openLog } from './data-dir';
import type { DataDir } from './data-dir';
import { mongodCommand, mongodReady } from './mongod';
import type { Command, MongodPlace } from './mongod';
import { Part } from './part';
import type { CodePart } from './settings';
import { temporalCommand, temporalReady } from './temporal';
import type { TemporalPlace } from './temporal';

const ROOT = path.resolve(__dirname, '../../..');
const CHILD = path.join(__dirname, 'child.ts');
const RUN = path.join(ROOT, 'src/run.cjs');

const API_WITHIN_MS = 60_000;
const DRAIN_MS = 21_000;
const SERVER_PATIENCE_MS = 30_000;

const ENTRIES: Readonly<Record<CodePart, string>> = {
  api: 'api/main.ts',
  worker: 'worker/main.ts',
  smtp: 'src/processes/inbound-smtp/main.ts',
};

/** Spawns a server in a process group of its own: Ctrl-C in a terminal reaches the supervisor alone, which stops them in order. Its files are for their owner alone. */
function spawnServer({ command, args, env }: Command, dir: DataDir, name: string): ChildProcess {
  const log = openLog(dir, name);
  const others = process.umask(0o077);
  try {
    return spawn(command, args, { stdio: ['ignore', log, log], detached: true, env: childEnvironment(env) });
  } finally {
    process.umask(others);
    closeSync(log);
  }
}

/** Runs a file of ours on a channel, by which it knows that we are there. */
const spawnCode = (
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  flags: readonly string[] = [],
): ChildProcess =>
  spawn(process.execPath, [...flags, RUN, CHILD, path.join(ROOT, file), ...args], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    detached: true,
  });

/** Describes mongod on the data in `dir`. */
export function mongodPart(dir: DataDir, place: MongodPlace, log: Logger): Part {
  return new Part(
    {
      name: 'mongod',
      spawn: () => spawnServer(mongodCommand(place), dir, 'mongod'),
      ready: () => mongodReady(place.port),
      patienceMs: SERVER_PATIENCE_MS,
      logFile: logFileOf(dir, 'mongod'),
    },
    log,
  );
}

/** Describes Temporal on the data in `dir`. */
export function temporalPart(dir: DataDir, place: TemporalPlace, log: Logger): Part {
  return new Part(
    {
      name: 'temporal',
      spawn: () => spawnServer(temporalCommand(place), dir, 'temporal'),
      ready: () => temporalReady(`127.0.0.1:${place.port}`, place.namespace),
      patienceMs: SERVER_PATIENCE_MS,
      logFile: logFileOf(dir, 'temporal'),
    },
    log,
  );
}

/** Resolves when `url` answers 200. Rejects when that takes longer than `withinMs`. */
async function answering(url: string, withinMs: number): Promise<void> {
  for (const deadline = Date.now() + withinMs; ; await sleep(100)) {
    const response = await fetch(url, { signal: AbortSignal.timeout(2000) }).catch(() => null);
    await response?.body?.cancel();
    if (response?.status === 200) return;
    if (Date.now() > deadline) throw new Error(`${url} does not answer as it should after ${withinMs / 1000} s`);
  }
}

/** Returns the SMTP sink with its inbox. */
export function sinkPart(dir: DataDir, smtpPort: number, httpPort: number, log: Logger): Part {
  return new Part(
    {
      name: 'sink',
      spawn: () => spawnCode('src/processes/local/sink-main.ts', [dir.inbox, String(smtpPort), String(httpPort)], childEnvironment()),
      ready: () => answering(`http://127.0.0.1:${httpPort}/dev/inbox`, 20_000),
      patienceMs: 5_000,
    },
    log,
  );
}

/** Resolves to an address that reaches a server which listens on `host`. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

async function apiReady(config: ServerConfig): Promise<void> {
  const base = `http://${reachable(config.HOST)}:${config.PORT}`;
  // Asked first, since being asked it leaves no line in the log while it is not.
  await answering(`${base}/readyz`, API_WITHIN_MS);
  await answering(`${base}/v1/health`, API_WITHIN_MS);
}

const FLAGS: Readonly<Partial<Record<CodePart, readonly string[]>>> = { api: API_FLAGS, worker: WORKER_FLAGS };

/** Describes `npm run api`, `npm run worker` or `npm run smtp`, with its environment. The API is ready when it takes requests, inbound SMTP when it listens. */
export function codePart(name: CodePart, config: ServerConfig, env: Readonly<Record<string, string>>, log: Logger): Part {
  const environment = name === 'worker' ? { ...WORKER_ENVIRONMENT, ...env } : env;
  return new Part(
    {
      name,
      spawn: () => spawnCode(ENTRIES[name], [], environment, FLAGS[name] ?? []),
      ...(name === 'api' && { ready: () => apiReady(config) }),
      ...(name === 'smtp' && { saysListening: true }),
      patienceMs: DRAIN_MS,
    },
    log,
  );
}
