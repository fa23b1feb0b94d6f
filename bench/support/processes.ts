import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import readline from 'node:readline';
import { migrateAll } from '../../src/upkeep/migrations';
import { compose } from '../../src/composition/compose';
import { connectMongo, disconnectMongo } from '../../src/platform/mongo';
import { createProject } from '../../src/records/projects';
import type { ProjectKeys } from '../../src/records/projects';
import { API_FLAGS, WORKER_ENVIRONMENT, WORKER_FLAGS } from '../../src/platform/config';
import { startMongod, startTemporal } from '../../test/support/run/servers';
import type { TestServer } from '../../test/support/run/servers';

const ROOT = path.resolve(__dirname, '../..');

const START_MS = 60_000;

async function isReady(ready: string, output: string): Promise<boolean> {
  if (!ready.startsWith('http')) return output.includes(ready);
  return fetch(ready).then(
    ({ status }) => status === 200,
    () => false,
  );
}

/** Reads the processor time that a process used so far, in seconds. */
export function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

interface Memory {
  readonly now: number;
  readonly peak: number;
}

/** Reads the resident memory of a process in MiB, current and peak. */
export function memoryOf(pid: number): Memory {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kib = (name: string): number => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0);
  return { now: Math.round(kib('VmRSS') / 1024), peak: Math.round(kib('VmHWM') / 1024) };
}

/** Reads the bytes that a process has written to disk so far. */
export const writtenBytes = (pid: number): number =>
  Number(/^write_bytes: (\d+)/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1] ?? Number.NaN);

/** Reads the processor time that the whole machine used so far, in seconds. */
export function busySeconds(): number {
  const [, user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = readFileSync('/proc/stat', 'utf8')
    .split('\n', 1)
    .join('')
    .split(/\s+/)
    .map(Number);
  return (user + nice + system + irq + softirq + steal) / 100;
}

const isWorker = (file: string): boolean => file === 'worker/main.ts';

const FLAGS: Readonly<Record<string, readonly string[]>> = {
  'api/main.ts': API_FLAGS,
  'src/processes/inbound-smtp/main.ts': API_FLAGS,
  'worker/main.ts': WORKER_FLAGS,
};

/** A started process under measurement. */
export class Measured {
  output = '';

  private constructor(private readonly child: ChildProcess) {}

  /** Starts a TypeScript file; resolves when it has printed `ready`, or when that URL answers 200. */
  static async start(file: string, args: readonly string[], env: Readonly<Record<string, string>>, ready: string): Promise<Measured> {
    const child = spawn(process.execPath, [...(FLAGS[file] ?? []), path.join(ROOT, 'src/run.cjs'), path.join(ROOT, file), ...args], {
      cwd: ROOT,
      env: { PATH: process.env['PATH'] ?? '', HOME: os.homedir(), ...(isWorker(file) && WORKER_ENVIRONMENT), ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const measured = new Measured(child);
    child.stderr.on('data', (chunk: Buffer) => (measured.output += chunk.toString()));
    child.stdout.on('data', (chunk: Buffer) => (measured.output += chunk.toString()));
    const deadline = Date.now() + START_MS;
    while (!(await isReady(ready, measured.output))) {
      if (child.exitCode !== null || Date.now() > deadline) {
        child.kill();
        throw new Error(`${file} did not start:\n${measured.output}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return measured;
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** Reads the resident memory in MiB, current and peak. */
  memory(): Memory {
    return memoryOf(this.pid);
  }

  /** Throws its output when it has ended unexpectedly. */
  refuseIfEnded(): void {
    if (this.child.exitCode !== null || this.child.signalCode !== null) throw new Error(`Ended by itself:\n${this.output.slice(-2_000)}`);
  }

  /** Reads the processor time used so far, in seconds. */
  cpuSeconds(): number {
    return cpuSeconds(this.pid);
  }

  /** Passes on each line that it prints from now on. */
  onLine(handle: (line: string) => void): void {
    if (this.child.stdout) readline.createInterface({ input: this.child.stdout }).on('line', handle);
  }

  /** Writes a line to it and resolves with the next thing it prints. */
  ask(line: string): Promise<string> {
    return new Promise((resolve) => {
      this.child.stdout?.once('data', (chunk: Buffer) => resolve(chunk.toString().trim()));
      this.child.stdin?.write(`${line}\n`);
    });
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null) return;
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.stdin?.end();
    this.child.kill('SIGTERM');
    await ended;
  }
}

/** The servers that a benchmark runs on, a project, and the environment for the parts. */
export class Ground {
  private constructor(
    readonly mongod: TestServer,
    readonly temporal: TestServer,
    readonly keys: ProjectKeys,
    readonly env: Readonly<Record<string, string>>,
    private readonly dir: string,
  ) {}

  static async prepare(more: Readonly<Record<string, string>> = {}): Promise<Ground> {
    const dir = mkdtempSync(path.join(os.tmpdir(), 'lettermill-bench-'));
    const [mongod, temporal] = await Promise.all([
      startMongod({ dir: path.join(dir, 'mongo') }),
      startTemporal({ dir: path.join(dir, 'temporal') }),
    ]);
    const uri = `mongodb://127.0.0.1:${mongod.port}/lettermill?replicaSet=rs0`;
    compose(null);
    await connectMongo(uri);
    await migrateAll(() => undefined);
    const keys = await createProject('Benchmark');
    const env = {
      NODE_ENV: 'production',
      LOG_LEVEL: 'warn',
      MONGODB_URI: uri,
      TEMPORAL_ADDRESS: `127.0.0.1:${temporal.port}`,
      APP_SECRET: 'a secret that only benchmarks have',
      SEND_RATE_PER_SECOND: '1000000',
      SEND_RATE_BURST: '1000000',
      API_RATE_PER_SECOND: '1000000',
      API_RATE_BURST: '1000000',
      ...more,
    };
    return new Ground(mongod, temporal, keys, env, dir);
  }

  async clear(): Promise<void> {
    await disconnectMongo();
    await Promise.all([this.temporal.stop(), this.mongod.stop()]);
    rmSync(this.dir, { recursive: true, force: true });
  }
}
