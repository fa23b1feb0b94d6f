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
import type { Log } from './settings';
import { temporalCommand, temporalReady } from './temporal';
import type { TemporalOptions } from './temporal';

/** A run shorter than this counts as a failure to start. */
const QUICK_MS = 10_000;
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5_000;
/** Failures in a row after which waiting longer does not help, before and after the part has once been ready. */
const MOST_FAILURES = { starting: 3, running: 12 } as const;

/** A part of the platform: how to start it, and to see that it has started. */
export interface PartPlan {
  readonly name: string;
  readonly spawn: () => ChildProcess;
  /** Resolves when the part does its work; asked once, at the first start. */
  readonly ready?: () => Promise<void>;
  /** Says by its channel that it listens, and is ready only then. */
  readonly saysListening?: boolean;
  /** Time limit from SIGTERM to its end. */
  readonly patienceMs: number;
  /** The log that says why it ended. */
  readonly logFile?: string;
}

/** A child process that is kept running until it is stopped: when it dies, it is started again after a short wait. */
export class Part {
  private child: ChildProcess | null = null;
  private timer: NodeJS.Timeout | undefined;
  private stopping = false;
  private wasReady = false;
  private failures = 0;
  private giveUp: (error: Error) => void = () => undefined;
  private heardListening: () => void = () => undefined;
  private readonly listening: Promise<void>;
  /** Rejects when the part keeps dying; never resolves. */
  readonly gaveUp: Promise<never>;

  constructor(
    private readonly plan: PartPlan,
    private readonly log: Pick<Log, 'warn'>,
  ) {
    this.gaveUp = new Promise((_, reject) => (this.giveUp = reject));
    this.gaveUp.catch(() => undefined);
    this.listening = new Promise((resolve) => (this.heardListening = resolve));
  }

  get name(): string {
    return this.plan.name;
  }

  /** Starts the part; resolves when it is ready and rejects when it cannot be brought up. */
  async start(): Promise<void> {
    this.launch();
    await Promise.race([this.plan.saysListening ? this.listening : this.plan.ready?.(), this.gaveUp]);
    this.wasReady = true;
  }

  /** Ends the part: SIGTERM, and SIGKILL when its patience is over. Resolves when the process is gone. */
  async stop(): Promise<void> {
    this.stopping = true;
    clearTimeout(this.timer);
    const child = this.child;
    if (!child) return;
    const killer = setTimeout(() => {
      this.log.warn({ name: this.plan.name }, 'did not stop in time; killed');
      child.kill('SIGKILL');
    }, this.plan.patienceMs);
    await new Promise<void>((resolve) => {
      child.once('exit', () => resolve());
      child.kill('SIGTERM');
    });
    clearTimeout(killer);
  }

  private launch(): void {
    const begun = Date.now();
    const child = this.plan.spawn();
    this.child = child;
    const end = (why: string): void => {
      if (this.child !== child) return;
      this.child = null;
      if (!this.stopping) this.recover(Date.now() - begun, why);
    };
    let said: string | null = null;
    child.on('message', (message) => (said = this.hear(message) ?? said));
    child.on('error', (error) => end(error.message));
    child.once('exit', (code, signal) => end(said ?? signal ?? `exit code ${code}`));
  }

  // A fault that a person has to mend ends a start at once; once the part was ready, it is a failure like any other.
  private hear(message: unknown): string | null {
    const { listening, cannotStart } = message as { readonly listening?: number; readonly cannotStart?: string };
    if (listening !== undefined) this.heardListening();
    if (cannotStart !== undefined && !this.wasReady) this.giveUp(new Error(cannotStart));
    return cannotStart ?? null;
  }

  private recover(livedMs: number, why: string): void {
    const { name, logFile } = this.plan;
    this.failures = livedMs < QUICK_MS ? this.failures + 1 : 1;
    if (this.failures >= (this.wasReady ? MOST_FAILURES.running : MOST_FAILURES.starting)) {
      this.giveUp(new Error(`${name} ended ${this.failures} times in a row (${why})${logFile === undefined ? '' : `; see ${logFile}`}`));
      return;
    }
    const waitMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (this.failures - 1));
    this.log.warn({ name, why, waitMs }, 'ended; starting it again');
    this.timer = setTimeout(() => this.launch(), waitMs);
  }
}

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
