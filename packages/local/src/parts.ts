import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { closeSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { logFileOf, openLog } from './data-dir';
import type { DataDir } from './data-dir';
import { childEnvironment } from './environment';
import { mongodCommand, mongodReady } from './mongod';
import type { Command, MongodOptions } from './mongod';
import { Part } from './part';
import type { Log } from './settings';
import { temporalCommand, temporalReady } from './temporal';
import type { TemporalOptions } from './temporal';

const CHILD = path.join(__dirname, 'child.ts');

const ANSWERS_WITHIN_MS = 60_000;
const SERVER_PATIENCE_MS = 30_000;

/** A program of the repository, in a process of its own. */
export interface Program {
  readonly name: string;
  /** Its entry file. */
  readonly file: string;
  readonly args?: readonly string[];
  /** Flags of Node. */
  readonly flags?: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** URLs that answer 200 once it is ready, asked one after another. */
  readonly answers?: readonly string[];
  /** It says by its channel that it listens, and is ready only then. */
  readonly saysListening?: boolean;
  /** Time limit from SIGTERM to its end. */
  readonly patienceMs: number;
}

/** Settings for running programs. */
export interface Runner {
  /** Their working folder. */
  readonly root: string;
  /** The script with which Node runs TypeScript: `node <run> <file> <arguments>`. */
  readonly run: string;
}

/**
 * Spawns a server in a process group of its own: Ctrl-C in a terminal reaches the supervisor alone, which stops them in order. Its files
 * are for their owner alone.
 */
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

/** Runs a program with an IPC channel, which tells it that its parent is alive. */
const spawnProgram = ({ root, run }: Runner, { file, args = [], flags = [], env }: Program): ChildProcess =>
  spawn(process.execPath, [...flags, run, CHILD, path.resolve(root, file), ...args], {
    cwd: root,
    env,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    detached: true,
  });

/** Describes mongod on the data in `dir`. */
export function mongodPart(dir: DataDir, options: MongodOptions, log: Log): Part {
  return new Part(
    {
      name: 'mongod',
      spawn: () => spawnServer(mongodCommand(options), dir, 'mongod'),
      ready: () => mongodReady(options.port),
      patienceMs: SERVER_PATIENCE_MS,
      logFile: logFileOf(dir, 'mongod'),
    },
    log,
  );
}

/** Describes Temporal on the data in `dir`. */
export function temporalPart(dir: DataDir, options: TemporalOptions, log: Log): Part {
  return new Part(
    {
      name: 'temporal',
      spawn: () => spawnServer(temporalCommand(options), dir, 'temporal'),
      ready: () => temporalReady(`127.0.0.1:${options.port}`, options.namespace),
      patienceMs: SERVER_PATIENCE_MS,
      logFile: logFileOf(dir, 'temporal'),
    },
    log,
  );
}

/** Resolves when every URL has answered 200, asked one after another. Rejects when one takes too long. */
async function answering(urls: readonly string[]): Promise<void> {
  for (const url of urls) {
    for (const deadline = Date.now() + ANSWERS_WITHIN_MS; ; await sleep(100)) {
      const response = await fetch(url, { signal: AbortSignal.timeout(2000) }).catch(() => null);
      await response?.body?.cancel();
      if (response?.status === 200) break;
      if (Date.now() > deadline) throw new Error(`${url} does not answer correctly after ${ANSWERS_WITHIN_MS / 1000} s`);
    }
  }
}

/** Describes a program. */
export function programPart(runner: Runner, program: Program, log: Log): Part {
  const { name, answers, saysListening = false, patienceMs } = program;
  return new Part(
    {
      name,
      spawn: () => spawnProgram(runner, program),
      ...(answers && { ready: () => answering(answers) }),
      saysListening,
      patienceMs,
    },
    log,
  );
}
