import { Agent } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import pino from 'pino';
import request from 'supertest';
import type { Test } from 'supertest';
import { httpServer } from '../../../api/http/server';
import { createApp, serveEndpoints } from '../../../api/app';
import type { Endpoint } from '../../../api/http/endpoint';
import type { Health, Probe } from '../../../api/meta/routes';
import { loadServerConfig } from '../../../src/platform/config/config';
import type { Core } from '../../../src/platform/core/context';
import type { Processes } from '../../../src/contracts/processes';
import { createDns } from '../../../src/platform/dns';
import { CallGate } from '../../../src/platform/http-client/gate';
import { disconnectMongo } from '../../../src/platform/mongo/connect';
import { createProject } from '../../../src/records/projects/service';
import type { ProjectKeys } from '../../../src/records/projects/service';
import { Secrets } from '../../../src/platform/secrets';
import { checkRows, connectEmptied, testDatabase } from '../run/database';
import { forTheFile } from '../run/for-the-file';
import { testMongoUri } from '../run/servers';

type Method = 'get' | 'post' | 'patch' | 'delete' | 'put' | 'options' | 'head';

/** Requests to the app under test with a key: the secret one of the first project unless another is given. */
export type Api = Readonly<Record<Method, (path: string) => Test>>;

export interface TestApp {
  readonly api: (key?: string | null) => Api;
  readonly keys: ProjectKeys;
  /** Keys of a second project, for what must stay hidden. */
  readonly otherKeys: ProjectKeys;
  readonly core: Core;
  readonly processes: { readonly [K in keyof Processes]: jest.Mock };
  readonly url: string;
  close(): Promise<void>;
}

interface Options {
  /** Additional environment variables. */
  readonly config?: Readonly<Record<string, string>>;
  readonly health?: () => Promise<Health>;
  readonly ready?: () => boolean;
  /** Receives the log's lines; nothing is logged without it. */
  readonly log?: (line: string) => void;
}

/** Records what would have been started in Temporal. */
const recordingProcesses = (): TestApp['processes'] =>
  new Proxy({} as Record<string, jest.Mock>, {
    get: (mocks, name: string) => (mocks[name] ??= jest.fn(() => Promise.resolve(name === 'endedEarly' ? [] : undefined))),
  }) as unknown as TestApp['processes'];

/** The settings of the API under test, but for its servers. */
export const API_SETTINGS = {
  NODE_ENV: 'test',
  APP_SECRET: 'a secret for tests that is long enough',
  SMTP_URL: 'smtp://127.0.0.1:2525',
  // No server answers there: a query fails at once.
  DNS_SERVERS: '127.0.0.1:1',
  API_RATE_PER_SECOND: '100000',
  API_RATE_BURST: '100000',
} as const;

/** A core as the API has it, on the configuration's defaults. */
export function testCore({ config = {}, log }: Options = {}, processes: Processes = recordingProcesses()): Core {
  const env = { ...API_SETTINGS, MONGODB_URI: 'mongodb://127.0.0.1/', TEMPORAL_ADDRESS: '127.0.0.1:7233', ...config };
  const serverConfig = loadServerConfig(env);
  const logger = log ? pino({ level: 'info' }, { write: log }) : pino({ level: 'silent' });
  return {
    config: serverConfig,
    log: logger,
    secrets: new Secrets(serverConfig.APP_SECRET),
    processes,
    dns: createDns(serverConfig.DNS_SERVERS),
    calls: new CallGate(logger),
  };
}

export const allWell: Probe = (path) => ({
  status: 200,
  body: path === '/livez' ? { status: 'live' } : { status: 'ready', checks: { mongodb: 'up', temporal: 'up' } },
});

const allUp = (): Promise<Health> => Promise.resolve({ mongodb: 'up', temporal: 'up' });

const listenOn = (server: Server): Promise<string> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });

const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

/** Keeps connections, which take a fifth of a request's time to open. */
const agent = new Agent({ keepAlive: true });

/** `api().post('/v1/send')` for a server, with the bearer key of each call. */
export const apiOf =
  (url: string, defaultKey: string | null) =>
  (key: string | null = defaultKey): Api =>
    new Proxy({} as Api, {
      get: (_target, method: Method) => (path: string) => {
        const call = request(url)[method](path).agent(agent);
        return key === null ? call : call.set('Authorization', `Bearer ${key}`);
      },
    });

/** Any endpoints behind the same doors as the real ones, on the connection that is open. */
export async function serve(core: Core, endpoints: readonly Endpoint[]): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = httpServer(serveEndpoints(core, endpoints), core.config.PUBLIC_URL);
  const url = await listenOn(server);
  return { url, close: () => closeServer(server) };
}

/** The API on a real MongoDB, with `Processes` recorded. One for each test file. */
export async function startTestApp(options: Options = {}): Promise<TestApp> {
  await connectEmptied(testMongoUri(testDatabase()));
  const processes = recordingProcesses();
  const core = testCore(options, processes);
  const [keys, otherKeys] = [await createProject('Default'), await createProject('Other')];
  const app = createApp({ core, health: options.health ?? allUp, probe: allWell, ...(options.ready && { ready: options.ready }) });
  const server = httpServer(app, core.config.PUBLIC_URL);
  const url = await listenOn(server);
  const close = async (): Promise<void> => {
    await closeServer(server);
    await checkRows();
    await disconnectMongo();
  };
  return { api: apiOf(url, keys.secret), keys, otherKeys, core, processes, url, close };
}

/**
 * A project and its API for the tests of a file: there before the first of them, gone after the last. Takes a function where options depend on what else is
 * started before the tests.
 */
export function aProject(options: Options | (() => Options) = {}): TestApp {
  return forTheFile(
    () => startTestApp(typeof options === 'function' ? options() : options),
    (app) => app.close(),
  );
}

/** Additional endpoints on an app's database, for the tests of a file. */
export interface ServedBeside {
  readonly core: Core;
  readonly url: string;
  /** With the secret key of the app's first project unless another is given. */
  readonly api: TestApp['api'];
}

/** Serves additional endpoints for the tests of a file; on the app's core, or on one derived from it. */
export const servedBeside = (app: TestApp, endpoints: readonly Endpoint[], coreOf: (core: Core) => Core = (core) => core): ServedBeside =>
  forTheFile(
    async () => {
      const core = coreOf(app.core);
      const served = await serve(core, endpoints);
      return { ...served, core, api: apiOf(served.url, app.keys.secret) };
    },
    (served) => served.close(),
  );
