import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import os from 'node:os';
import path from 'node:path';
import { ofTheRun } from '../run/test-run';
import { eventually } from './platform';

const ROOT = path.resolve(__dirname, '../../..');

/** Processes of `npm start`, by a part of their command line. */
export const PARTS = ['mongod', 'temporal', 'sink-main', 'api/main', 'worker/main', 'smtp/main'] as const;

/** `npm start` without npm; or another of its entry files, on its own. */
export class Start {
  private readonly child: ChildProcess;
  private readonly exit: Promise<unknown[]>;
  output = '';

  constructor(env: Readonly<Record<string, string>>, file = 'src/processes/local/main.ts') {
    this.child = spawn(process.execPath, ['src/run.cjs', file], {
      cwd: ROOT,
      env: {
        PATH: process.env['PATH'],
        HOME: os.homedir(),
        ...ofTheRun(),
        LOG_LEVEL: 'warn',
        API_RATE_PER_SECOND: '100000',
        API_RATE_BURST: '100000',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.exit = once(this.child, 'exit');
    for (const stream of [this.child.stdout, this.child.stderr]) stream?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
  }

  async ready(): Promise<this> {
    await eventually('the ready line', () => this.output.includes('Lettermill is ready') || this.child.exitCode !== null);
    if (this.child.exitCode !== null) throw new Error(`It ended:\n${this.output}`);
    return this;
  }

  /** The pid of each part that runs. */
  parts(): Record<string, number> {
    const lines = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(this.child.pid)], { encoding: 'utf8' }).split('\n');
    const found = PARTS.flatMap((name) => {
      const line = lines.find((candidate) => candidate.includes(name));
      return line === undefined ? [] : [[name, Number.parseInt(line, 10)] as const];
    });
    return Object.fromEntries(found);
  }

  signal(name: NodeJS.Signals): void {
    this.child.kill(name);
  }

  /** Exit code and signal. */
  ended(): Promise<unknown[]> {
    return this.exit;
  }

  /** Ends the supervisor and its parts at one stroke, as a power cut would. */
  async killEverything(): Promise<void> {
    const pids = Object.values(this.parts());
    this.signal('SIGKILL');
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    await this.exit;
  }
}
