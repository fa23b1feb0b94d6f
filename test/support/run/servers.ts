import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { Connection } from '@temporalio/client';
import { loadConfig } from '../../../src/platform/config/config';
import { fetchScope, findMongod, findTemporal } from '../../../packages/local/src/binaries';
import { mongoUriAt, mongodCommand, mongodReady } from '../../../packages/local/src/mongod';
import type { Command } from '../../../packages/local/src/mongod';
import { freePorts } from '../../../packages/local/src/ports';
import { temporalCommand, temporalReady } from '../../../packages/local/src/temporal';
import { SEARCH_ATTRIBUTES } from '../../../src/platform/temporal';
import { workflowCode } from '../../../worker/workflow-code';
import { bundleOf, bundleProcesses } from './process-code';
import { beginRun, scratchDir } from './test-run';
import { findTestServer } from './test-server';

/** Variables by which the global set-up passes shared servers to the files, which run in processes of their own. */
const MONGO_PORT = 'LETTERMILL_TEST_MONGO_PORT';
const TEMPORAL_PORT = 'LETTERMILL_TEST_TEMPORAL_PORT';
const WORKFLOW_CODE = 'LETTERMILL_TEST_WORKFLOW_CODE';
const PROCESS_CODE = 'LETTERMILL_TEST_PROCESS_CODE';

const published = (name: string): string => {
  const value = process.env[name];
  if (!value) throw new Error(`The global set-up did not publish ${name}`);
  return value;
};

const say = (line: string): void => void process.stderr.write(`${line}\n`);
const scope = fetchScope(say);

export const mongodBinary = (): Promise<string> => findMongod(loadConfig(), scope);
const temporalBinary = (): Promise<string> => findTemporal(loadConfig(), scope);
/** An executable that takes a port. */
export const timeSkippingExecutable = (): Promise<string> => findTestServer(loadConfig(), scope);

/** Fetches all servers that tests run on, where they are not there: on a bare machine that takes minutes, longer than any test may wait. */
export async function fetchServers(): Promise<void> {
  await Promise.all([mongodBinary(), temporalBinary(), timeSkippingExecutable()]);
}

/**
 * Starts the servers that test files share, and bundles the code of the workflows and of the processes once for all of them. Resolves to what ends the
 * servers and removes every file.
 */
export async function startShared(): Promise<() => Promise<void>> {
  const endRun = beginRun();
  const dir = scratchDir('shared');
  const [mongod, temporal, code, processes] = await Promise.all([
    startMongod({ dir: path.join(dir, 'mongo') }),
    startTemporal({ dir: path.join(dir, 'temporal'), fresh: true }),
    workflowCode(),
    bundleProcesses(),
  ]);
  process.env[MONGO_PORT] = String(mongod.port);
  process.env[TEMPORAL_PORT] = String(temporal.port);
  process.env[WORKFLOW_CODE] = code.codePath;
  process.env[PROCESS_CODE] = processes;
  return async () => {
    await Promise.all([mongod.stop(), temporal.stop()]);
    await endRun();
  };
}

/** Returns the workflows' code, bundled once: a worker that bundles it again takes seconds of processor time. */
export const testWorkflowCode = (): { readonly codePath: string } => ({ codePath: published(WORKFLOW_CODE) });

/** Returns the code of a process of the platform, by its entry file. */
export const processCode = (entry: string): string => bundleOf(published(PROCESS_CODE), entry);

/** A database on the mongod that all test files share: one for each file. */
export const testMongoUri = (database: string): string => mongoUriAt(Number(published(MONGO_PORT)), database);

/** The Temporal server that test files share, on which each has a namespace of its own. */
export const testTemporalAddress = (): string => `127.0.0.1:${published(TEMPORAL_PORT)}`;

const DAY_SECONDS = 86_400;

/** Registers a namespace on the shared Temporal server; resolves when it is served. */
export async function createNamespace(namespace: string): Promise<void> {
  const address = testTemporalAddress();
  const connection = await Connection.connect({ address });
  try {
    await connection.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod: { seconds: DAY_SECONDS } as never });
  } finally {
    await connection.close();
  }
  await temporalReady(address, namespace);
}

export async function freePort(): Promise<number> {
  const [port = 0] = await freePorts(1);
  return port;
}

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
    /** Folder of its data. */
    readonly dir: string,
  ) {}

  get pid(): number {
    return this.child?.pid ?? 0;
  }

  async restart(): Promise<void> {
    this.child = spawn(this.how.command, this.how.args, { stdio: 'ignore', env: { ...process.env, ...this.how.env } });
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
  const server = new TestServer(port, mongodCommand({ binary: await mongodBinary(), dbPath: dir, port }), () => mongodReady(port), dir);
  await server.restart();
  return server;
}

interface TemporalOptions {
  /** Folder of its state. */
  readonly dir: string;
  /** For namespaces that come while it runs. */
  readonly fresh?: boolean;
  /** Port of its web UI; without it there is none. */
  readonly uiPort?: number | undefined;
  /** Number of events after which it suggests to continue as new; otherwise thousands. */
  readonly suggestsAfter?: number;
}

/** A Temporal server of its own. */
export async function startTemporal({ dir, fresh = false, uiPort, suggestsAfter }: TemporalOptions): Promise<TestServer> {
  mkdirSync(dir, { recursive: true });
  const [port, binary] = await Promise.all([freePort(), temporalBinary()]);
  const dbFile = path.join(dir, 'temporal.sqlite');
  const ui = uiPort === undefined ? {} : { uiPort };
  const command = temporalCommand({ binary, port, namespace: 'default', searchAttributes: SEARCH_ATTRIBUTES, fresh, dbFile, ...ui });
  const suggests =
    suggestsAfter === undefined ? [] : ['--dynamic-config-value', `limit.historyCount.suggestContinueAsNew=${suggestsAfter}`];
  const how = { ...command, args: [...command.args, ...suggests] };
  const server = new TestServer(port, how, () => temporalReady(`127.0.0.1:${port}`, 'default'), dir);
  await server.restart();
  return server;
}
