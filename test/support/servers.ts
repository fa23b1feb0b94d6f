import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { loadConfig } from '../../src/config';
import { fetchScope, findMongod, findTemporal, findTestServer } from '../../src/embedded/binaries';
import { mongoUriAt, mongodCommand, mongodReady } from '../../src/embedded/mongod';
import type { Command } from '../../src/embedded/mongod';
import { temporalCommand, temporalReady } from '../../src/embedded/temporal';

const MONGO_PORT = 'LETTERMILL_TEST_MONGO_PORT';

const say = (line: string): void => void process.stderr.write(`${line}\n`);
const scope = fetchScope(say);

const mongodBinary = (): Promise<string> => findMongod(loadConfig(), scope);
const temporalBinary = (): Promise<string> => findTemporal(loadConfig(), scope);
/** An executable that takes a port. */
export const timeSkippingExecutable = (): Promise<string> => findTestServer(loadConfig(), scope);

/** Fetches all servers that tests run on, where they are not there: on a bare machine that takes minutes, longer than any test may wait. */
export async function fetchServers(): Promise<void> {
  await Promise.all([mongodBinary(), temporalBinary(), timeSkippingExecutable()]);
}

export function publishMongo(port: number): void {
  process.env[MONGO_PORT] = String(port);
}

/** A database on the mongod that all test files share: one for each file. */
export function testMongoUri(database: string): string {
  const port = process.env[MONGO_PORT];
  if (!port) throw new Error('The shared mongod was not started');
  return mongoUriAt(Number(port), database);
}

export const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = net.createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as net.AddressInfo;
      server.close(() => resolve(port));
    });
  });

/** Resolves when the process has ended; at once when it has before or was never started. */
export async function endProcess(child: ChildProcess | undefined, signal: NodeJS.Signals): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill(signal);
  await ended;
}

/** A server of a test's own, which it may kill and start again on the same port and data. */
export class TestServer {
  private child: ChildProcess | undefined;

  constructor(
    readonly port: number,
    private readonly how: Command,
    private readonly ready: () => Promise<void>,
  ) {}

  get pid(): number {
    return this.child?.pid ?? 0;
  }

  async restart(): Promise<void> {
    this.child = spawn(this.how.command, this.how.args, { stdio: 'ignore' });
    await this.ready();
  }

  kill9(): Promise<void> {
    return endProcess(this.child, 'SIGKILL');
  }

  stop(): Promise<void> {
    return endProcess(this.child, 'SIGTERM');
  }
}

/** A mongod of its own: a replica set of one on the data in `dir`. */
export async function startMongod({ dir }: { readonly dir: string }): Promise<TestServer> {
  mkdirSync(dir, { recursive: true });
  const port = await freePort();
  const server = new TestServer(port, mongodCommand({ binary: await mongodBinary(), dbPath: dir, port }), () => mongodReady(port));
  await server.restart();
  return server;
}

/** A Temporal server of its own that keeps its state in `dir`. */
export async function startTemporal({ dir }: { readonly dir: string }): Promise<TestServer> {
  mkdirSync(dir, { recursive: true });
  const [port, binary] = await Promise.all([freePort(), temporalBinary()]);
  const command = temporalCommand({ binary, port, namespace: 'default', dbFile: path.join(dir, 'temporal.sqlite') });
  const server = new TestServer(port, command, () => temporalReady(`127.0.0.1:${port}`, 'default'));
  await server.restart();
  return server;
}
