import { NativeConnection } from '@temporalio/worker';
import type { Activities } from '../../activities';
import { loadServerConfig } from '../../src/platform/config/config';
import { automationRunId } from '../../src/contracts/automation';
import { connectTemporal, temporalAnswers, temporalConnection } from '../../src/platform/temporal/connect';
import { createProcesses } from '../../src/platform/temporal/processes';
import { SEARCH_ATTRIBUTES, ensureSearchAttributes } from '../../src/platform/temporal/search-attributes';
import { createWorkers } from '../../worker/create-workers';
import { makeAuthority } from '../support/servers/certificates';
import { createNamespace, testTemporalAddress, testWorkflowCode } from '../support/run/servers';
import { grpcProxy } from '../support/servers/tls-proxies';
import type { Door, Inspect } from '../support/servers/tls-proxies';
import { fileIn, aFolder } from '../support/run/folder';

const namespace = `tls_${process.pid}_${Date.now()}`;
const dir = aFolder();

const [authority, stranger] = [makeAuthority('The test'), makeAuthority('A stranger')];
const client = authority.issue('worker');
const CA = { TEMPORAL_TLS_CA: fileIn(dir, 'ca.pem', authority.cert) };
const CERT = { TEMPORAL_TLS_CERT: fileIn(dir, 'client.pem', client.cert), TEMPORAL_TLS_KEY: fileIn(dir, 'client.key', client.key) };
const SERVER: Door = { as: authority.issue('localhost') };
const MUTUAL: Door = { ...SERVER, clientsOf: authority };

const open: (() => Promise<void>)[] = [];

beforeAll(() => createNamespace(namespace));
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

/** What `api` and `worker` make of these settings, at a door of this kind. */
async function reach(door: Door, settings: Readonly<Record<string, string>>, inspect?: Inspect) {
  const port = Number(testTemporalAddress().split(':')[1]);
  const proxy = await grpcProxy(door, port, inspect);
  const config = loadServerConfig({
    MONGODB_URI: 'mongodb://127.0.0.1/',
    APP_SECRET: 'an application secret for tests only!',
    TEMPORAL_ADDRESS: `localhost:${proxy.port}`,
    TEMPORAL_NAMESPACE: namespace,
    ...settings,
  });
  const own = connectTemporal(config);
  open.push(proxy.close, () => own.connection.close());
  return { config, client: own };
}

const native = (config: Parameters<typeof temporalConnection>[0]): Promise<NativeConnection> =>
  NativeConnection.connect(temporalConnection(config));

/** A workflow from its start by the client to its end at the worker. */
async function runWorkflow({ config, client: own }: Awaited<ReturnType<typeof reach>>, executionId: string): Promise<void> {
  const connection = await native(config);
  const activities = { runExecution: () => Promise.resolve({ todo: { next: 'over', status: 'completed' }, passed: [] }) };
  const setup = { connection, namespace, queues: ['orchestration'] as const, workflowCode: testWorkflowCode() };
  const [worker] = await createWorkers({ ...setup, activities: activities as unknown as Activities });
  await ensureSearchAttributes(own, namespace);
  const attributes = { projectId: 'prj_A' };
  const input = { executionId, projectId: 'prj_A' };
  const workflowId = automationRunId(executionId);
  await worker?.runUntil(async () => {
    await createProcesses(own).start({ kind: 'start', workflow: 'automationRun', workflowId, input, summary: 'An execution', attributes });
    await own.workflow.getHandle(workflowId).result();
  });
  await connection.close();
}

test('client and worker talk TLS, each with a certificate of its own, and a workflow runs', async () => {
  const reached = await reach(MUTUAL, { ...CA, ...CERT });
  await runWorkflow(reached, 'exe_mutual');
  expect((await reached.client.workflow.getHandle(automationRunId('exe_mutual')).describe()).status.name).toBe('COMPLETED');
});

test('client and worker send an API key with every call, and the namespace for servers that serve many', async () => {
  const paths = new Set<string>();
  const inspect: Inspect = (call, headers) => {
    if (headers.authorization !== 'Bearer key-of-the-test') return 16;
    if (headers['temporal-namespace'] === namespace) paths.add(call.slice(call.lastIndexOf('/') + 1));
    return null;
  };
  await runWorkflow(await reach(SERVER, { ...CA, TEMPORAL_API_KEY: 'key-of-the-test' }, inspect), 'exe_key');
  expect([...paths]).toEqual(expect.arrayContaining(['StartWorkflowExecution', 'PollWorkflowTaskQueue', 'RespondWorkflowTaskCompleted']));
});

test('a certificate for another name is taken when the name is given', async () => {
  const reached = await reach({ as: authority.issue('temporal.internal') }, { ...CA, TEMPORAL_TLS_SERVER_NAME: 'temporal.internal' });
  expect(await temporalAnswers(reached.client)).toBe(true);
  await (await native(reached.config)).close();
});

interface Refused {
  readonly door: Door;
  readonly settings: Readonly<Record<string, string>>;
  readonly inspect?: Inspect;
}

const UNAUTHENTICATED = 16;

/** All of them at once: a worker tries for some seconds. */
const REFUSED: Readonly<Record<string, Refused>> = {
  'a server that somebody unknown vouches for': { door: SERVER, settings: { TEMPORAL_TLS: 'true' } },
  'a server that somebody else vouches for': { door: { as: stranger.issue('localhost') }, settings: CA },
  'a server of another name': { door: { as: authority.issue('temporal.internal') }, settings: CA },
  'no TLS where it is wanted': { door: SERVER, settings: {} },
  'no certificate where one is wanted': { door: MUTUAL, settings: CA },
  'no API key where one is wanted': { door: SERVER, settings: CA, inspect: () => UNAUTHENTICATED },
};

test('neither client nor worker connects to a server that is not the one, or to one that wants more', async () => {
  const outcomes = Object.entries(REFUSED).map(async ([why, { door, settings, inspect }]) => {
    const reached = await reach(door, settings, inspect);
    const worker = await native(reached.config).then(
      () => 'connected',
      () => 'refused',
    );
    return [why, await temporalAnswers(reached.client), worker];
  });
  expect(await Promise.all(outcomes)).toEqual(Object.keys(REFUSED).map((why) => [why, false, 'refused']));
});

describe('where search attributes are for somebody else to add', () => {
  const PERMISSION_DENIED = 7;
  const inspect: Inspect = (call) => (call.includes('OperatorService') ? PERMISSION_DENIED : null);

  test('they are found when they are there', async () => {
    const reached = await reach(SERVER, CA);
    await ensureSearchAttributes(reached.client, namespace);
    const limited = await reach(SERVER, CA, inspect);
    await expect(ensureSearchAttributes(limited.client, namespace)).resolves.toBeUndefined();
  });

  test('and named when they are not', async () => {
    const other = `${namespace}_bare`;
    await createNamespace(other);
    const { client: limited } = await reach(SERVER, { ...CA, TEMPORAL_NAMESPACE: other }, inspect);
    const all = Object.entries(SEARCH_ATTRIBUTES).map(([name, type]) => `${name} (${type})`);
    await expect(ensureSearchAttributes(limited, other)).rejects.toThrow(
      `The namespace ${other} lacks search attributes that have to be added there: ${all.join(', ')}`,
    );
  });
});
