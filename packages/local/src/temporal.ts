import { createServer, request } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import type { Command } from './mongod';
import { findProcesses } from './os-processes';
import type { HostCheck } from './settings';

export interface TemporalOptions {
  readonly binary: string;
  readonly port: number;
  readonly namespace: string;
  /** The type of each, by its name. */
  readonly searchAttributes: Readonly<Record<string, string>>;
  /** Whether namespaces, and search attributes, are added while it runs: for tests. */
  readonly fresh?: boolean;
  /** File of the state. In memory, all of it is gone when a busy machine has the server drop its connection to the database. */
  readonly dbFile: string;
  /** Without it there is no web UI. */
  readonly uiPort?: number;
}

/** The settings of a server of one machine that differ from the defaults: deploy/temporal-dynamic-config-new.yaml says why. */
const DYNAMIC_CONFIG = {
  'history.transferProcessorMaxPollRPS': 500,
  'history.timerProcessorMaxPollRPS': 500,
  'system.enableActivityEagerExecution': true,
  'matching.useNewMatcher': true,
  'matching.numTaskqueueWritePartitions': 1,
  // These two hold for a state from its beginning on: where one is changed, what waits is never handed out.
  'matching.numTaskqueueReadPartitions': 1,
  'matching.enableFairness': true,
  'system.forceSearchAttributesCacheRefreshOnRead': false,
} as const;

/** Shows search attributes of new namespaces at once: each read of attributes reads from the disk. */
const FRESH = { 'system.forceSearchAttributesCacheRefreshOnRead': true } as const;

/** Twice the heap between two collections of Go's garbage, for a twentieth of the server's processor time. */
const ENVIRONMENT = { GOGC: '200' } as const;

/** Returns the command of a Temporal server for one machine: loopback only, state in a SQLite file that survives `kill -9`. */
export const temporalCommand = ({ binary, port, namespace, searchAttributes, fresh, dbFile, uiPort }: TemporalOptions): Command => ({
  command: binary,
  env: ENVIRONMENT,
  args: [
    'server',
    'start-dev',
    '--ip',
    '127.0.0.1',
    '--port',
    String(port),
    '--namespace',
    namespace,
    '--log-level',
    'error',
    '--db-filename',
    dbFile,
    '--sqlite-pragma',
    'journal_mode=WAL',
    '--sqlite-pragma',
    'synchronous=1',
    ...(uiPort === undefined ? ['--headless'] : ['--ui-port', String(uiPort)]),
    ...Object.entries({ ...DYNAMIC_CONFIG, ...(fresh && FRESH) }).flatMap(([name, value]) => [
      '--dynamic-config-value',
      `${name}=${value}`,
    ]),
    ...Object.entries(searchAttributes).flatMap(([name, type]) => ['--search-attribute', `${name}=${type}`]),
  ],
});

/** Finds the pid of the Temporal server that serves `dbFile` now, or null. */
export const runningTemporal = (dbFile: string): number | null => findProcesses('temporal', '--db-filename', dbFile)[0]?.pid ?? null;

async function answers(address: string, namespace: string): Promise<boolean> {
  // What `connect` has begun stays open when it fails.
  const connection = Connection.lazy({ address, connectTimeout: 1000 });
  try {
    await connection.ensureConnected();
    await connection.workflowService.describeNamespace({ namespace });
    return true;
  } catch {
    return false;
  } finally {
    await connection.close();
  }
}

/** Resolves when the Temporal server at `address` serves the namespace. Rejects when that takes longer than `withinMs`. */
export async function temporalReady(address: string, namespace: string, withinMs = 60_000): Promise<void> {
  for (const deadline = Date.now() + withinMs; !(await answers(address, namespace)); await sleep(50)) {
    if (Date.now() > deadline) throw new Error(`Temporal at ${address} is not ready after ${withinMs / 1000} s`);
  }
}

const LOOPBACK = '127.0.0.1';
const ignored = (): void => undefined;

function handOn(behind: number, { method, url, headers }: IncomingMessage, res: ServerResponse): ReturnType<typeof request> {
  const upstream = request({ host: LOOPBACK, port: behind, method, path: url, headers });
  upstream.on('error', () => res.destroy());
  upstream.on('response', (answer) => {
    res.writeHead(answer.statusCode ?? 502, answer.headers);
    pipeline(answer, res, ignored);
  });
  return upstream;
}

/**
 * Serves Temporal's web UI, which listens at `behind` and answers any Host, at `port` to clients that name this machine. Resolves when it
 * listens.
 */
export function guardUi(port: number, behind: number, isOwnHost: HostCheck): Promise<void> {
  const server = createServer((req, res) => {
    if (isOwnHost(req.headers.host)) pipeline(req, handOn(behind, req, res), ignored);
    else res.writeHead(403, { 'Content-Type': 'text/plain' }).end('This page is shown at localhost\n');
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(port, LOOPBACK, () => resolve());
  });
}
