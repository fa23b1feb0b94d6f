import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { VERSION } from '../../../../src/platform/config/introduce';
import { Probes, Upkeep, listenForOperators } from '../../../../src/platform/probes';
import { testCore } from '../../../support/platform/app';
import { eventually } from '../../../support/platform/platform';

const yes = (): Promise<boolean> => Promise.resolve(true);
const no = (): Promise<boolean> => Promise.resolve(false);
const never = (): Promise<boolean> => new Promise(() => undefined);

const servers: Server[] = [];
const watched: Probes[] = [];
afterEach(() => {
  for (const probes of watched.splice(0)) probes.noteStopping();
  for (const server of servers.splice(0)) server.close();
});

async function probesOf(sources: ConstructorParameters<typeof Probes>[0]): Promise<Probes> {
  const probes = new Probes(sources);
  watched.push(probes);
  await new Promise(setImmediate);
  return probes;
}

test('what is asked in the background is up, and down when it says no, fails, or does not answer in time', async () => {
  let mongodb = yes;
  const upkeep = new Upkeep({ mongodb: () => mongodb(), temporal: no }, { everyMs: 1, answerMs: 20 });
  expect(upkeep.checks).toEqual({ mongodb: 'down', temporal: 'down' });
  upkeep.start();
  await eventually('it is up', () => upkeep.checks.mongodb === 'up');
  mongodb = never;
  await eventually('silence is down', () => upkeep.checks.mongodb === 'down');
  mongodb = yes;
  await eventually('it is up again', () => upkeep.checks.mongodb === 'up');
  mongodb = () => Promise.reject(new Error('away'));
  await eventually('a failure is down', () => upkeep.checks.mongodb === 'down');
  expect(upkeep.checks.temporal).toBe('down');
  upkeep.stop();
});

test('a process is ready once it has started, while MongoDB is there, with or without Temporal, until it stops', async () => {
  const probes = await probesOf({ mongodb: yes, temporal: never });
  const checks = { mongodb: 'up', temporal: 'down' };
  expect(probes.answer('/livez')).toEqual({ status: 200, body: { status: 'live' } });
  expect(probes.answer('/readyz')).toEqual({ status: 503, body: { status: 'not ready', checks } });
  probes.noteStarted();
  expect(probes.answer('/readyz')).toEqual({ status: 200, body: { status: 'ready', checks } });
  probes.noteStopping();
  expect(probes.answer('/readyz')).toEqual({ status: 503, body: { status: 'stopping', checks } });
  expect(probes.answer('/livez').status).toBe(200);
});

test('a process without MongoDB lives and is not ready', async () => {
  const probes = await probesOf({ mongodb: no, temporal: yes });
  probes.noteStarted();
  expect(probes.answer('/livez').status).toBe(200);
  expect(probes.answer('/readyz')).toMatchObject({ status: 503, body: { checks: { mongodb: 'down', temporal: 'up' } } });
});

test('a process that can never do its work again is not live, and not ready', async () => {
  const faults: string[] = [];
  const probes = await probesOf({ mongodb: yes, temporal: yes, faults: () => faults });
  probes.noteStarted();
  expect(probes.answer('/livez').status).toBe(200);
  faults.push('the worker of delivery is failed');
  expect(probes.answer('/livez')).toEqual({ status: 503, body: { status: 'not live', faults } });
  expect(probes.answer('/readyz').status).toBe(503);
});

test('the operators port answers probes and the metrics of a build, and nothing else', async () => {
  const { config, log } = testCore({ config: { METRICS_PORT: '0', METRICS_HOST: '127.0.0.1', RELEASE_COMMIT: '4f9c1e2' } });
  const probes = await probesOf({ mongodb: yes, temporal: yes });
  probes.noteStarted();
  const server = (await listenForOperators(config, log, { part: 'api', probes })) as Server;
  servers.push(server);
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const live = await fetch(`${base}/livez?verbose`);
  expect([live.status, await live.json(), live.headers.get('cache-control')]).toEqual([200, { status: 'live' }, 'no-store']);
  expect((await fetch(`${base}/readyz`, { method: 'HEAD' })).status).toBe(200);
  expect((await fetch(`${base}/livez`, { method: 'POST' })).status).toBe(405);
  expect((await fetch(`${base}/v1/health`)).status).toBe(404);
  expect(await (await fetch(`${base}/metrics`)).text()).toContain(`lettermill_build_info{version="${VERSION} (4f9c1e2)",part="api"} 1`);
});

test('a process without METRICS_PORT has no port for probes and metrics', async () => {
  const { config, log } = testCore();
  expect(await listenForOperators(config, log, { part: 'api', probes: await probesOf({ mongodb: yes, temporal: yes }) })).toBeNull();
});
