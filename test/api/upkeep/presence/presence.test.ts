import { TASK_QUEUES } from '../../../../src/contracts/task-queues';
import { loadConfig } from '../../../../src/platform/config/config';
import { VERSION } from '../../../../src/platform/config/introduce';
import { metrics } from '../../../../src/platform/metrics/metrics';
import { platformOf } from '../../../../src/processes/admin/platform';
import { parseRequest } from '../../../../src/processes/admin/request';
import { BacklogLease, BacklogReader } from '../../../../src/upkeep/backlog';
import { Membership, migrateAll } from '../../../../src/upkeep/migrations';
import { showPresence, watchPresence, standingStill } from '../../../../src/upkeep/presence';
import { stored } from '../../../support/data/stored';
import { aProject } from '../../../support/platform/app';
import { eventually } from '../../../support/platform/platform';

const app = aProject({ health: async () => ({ mongodb: 'up', temporal: 'up', details: await standingStill() }) });

beforeEach(() => stored.parts.remove());
afterEach(() => {
  metrics.taskQueueWorkers.reset();
  metrics.processes.reset();
});

let parts = 0;

/** A row of a process that is heard of for so many more seconds, or has not been heard of for so many. */
const process = (part: string, seconds: number, queues?: readonly string[]) => ({
  _id: `prt_${parts++}`,
  part,
  host: 'pool-1',
  pid: 11,
  release: '0.1.0',
  schemaVersion: 1,
  startedAt: new Date(),
  leaseUntil: new Date(Date.now() + seconds * 1_000),
  ...(queues && { queues }),
});

const others = (queue: string): readonly string[] => TASK_QUEUES.filter((each) => each !== queue);

const details = async (): Promise<unknown> => (await app.api(null).get('/v1/health').expect(200)).body.data.details;

async function valuesOf(gauge: { get(): Promise<{ values: { labels: object; value: number }[] }> }): Promise<Record<string, number>> {
  const { values } = await gauge.get();
  return Object.fromEntries(values.map(({ labels, value }) => [Object.values(labels).join(' '), value]));
}

test('while every task queue has a worker, health has no details', async () => {
  await stored.parts.make([
    process('worker', 20, ['pumps', 'delivery', 'http']),
    process('worker', 20, ['orchestration', 'bulk', 'pumps']),
  ]);
  const { body } = await app.api(null).get('/v1/health').expect(200);
  expect(body.data).toEqual({ status: 'ok', version: VERSION, checks: { mongodb: 'up', temporal: 'up' } });
});

test.each([
  ['orchestration', 'Campaigns, automations, imports, scheduled mail and checks of domains wait'],
  ['pumps', 'Outgoing mail, events and webhooks wait'],
  ['delivery', 'Outgoing mail waits'],
  ['http', 'Webhooks and HTTP requests of automations wait'],
  ['bulk', 'Imports, campaigns, segments and erasures wait'],
])('without a worker for %s, health says what waits, and is still 200', async (queue, waits) => {
  await stored.parts.make([process('worker', 20, others(queue)), process('worker', -1, [queue]), process('api', 20)]);
  expect(await details()).toEqual([`${waits}: no worker polls the task queue \`${queue}\``]);
});

test('without any worker, one sentence says so', async () => {
  await stored.parts.make([process('worker', -1, TASK_QUEUES), process('api', 20)]);
  expect(await details()).toEqual(['Outgoing mail, campaigns, automations, imports and webhooks wait: no worker runs']);
});

test('a worker of a release that did not name its task queues takes them all', async () => {
  await stored.parts.make(process('worker', 20));
  expect(await details()).toBeUndefined();
});

test('inbound SMTP that is lost is missed, and one that was stopped, or was started again, is not', async () => {
  await stored.parts.make([process('worker', 20, TASK_QUEUES), process('smtp', -3_600)]);
  expect(await details()).toEqual(['Received mail, bounces and complaints do not arrive: the inbound SMTP process is gone']);
  await stored.parts.make(process('smtp', 20));
  expect(await details()).toBeUndefined();
});

describe('what waits although there are workers', () => {
  const minutes = (count: number): Date => new Date(Date.now() - count * 60_000 - 5_000);
  const reader = new BacklogLease(60_000);
  const nothing = { mail: null, events: null, outbox: null, checks: null, webhooks: null, imports: null, campaigns: null };

  beforeEach(async () => {
    await stored.parts.make(process('worker', 20, TASK_QUEUES));
    await reader.take();
  });
  afterEach(() => reader.giveUp());

  test('is in health once the oldest has waited for ten minutes', async () => {
    await reader.report({ ...nothing, mail: minutes(9), webhooks: minutes(0) });
    expect(await details()).toBeUndefined();
    await reader.report({
      mail: minutes(10),
      events: minutes(119),
      outbox: minutes(11),
      checks: minutes(12),
      webhooks: minutes(200),
      imports: minutes(13),
      campaigns: minutes(14),
    });
    expect(await details()).toEqual([
      'Outgoing mail waits: the oldest message has been due for 10 minutes',
      'Segments, automations and webhooks are behind: the oldest event has waited for 119 minutes',
      'Campaigns, automations and imports wait for Temporal: the oldest has waited for 11 minutes',
      'Automations, campaigns and imports that were lost do not start again: the oldest check has been due for 12 minutes',
      'Webhooks wait: the oldest delivery has been due for 3 hours',
      'Imports wait: one has made no progress for 13 minutes',
      'A campaign hangs: nothing holds it, and it has sent nothing for 14 minutes',
    ]);
  });

  test('is in the status of the admin command with its age, next to the processes that run', async () => {
    const status = async () => (await parseRequest(['status']).run(platformOf(loadConfig({}), () => undefined))).result;
    await stored.parts.make(process('api', -1));
    await reader.report({ ...nothing, mail: minutes(10), outbox: minutes(2) });
    const result = await status();
    expect(result).toMatchObject({
      processes: ['worker of release 0.1.0 (schema 1, pool-1, process 11)'],
      stalled: ['Outgoing mail waits: the oldest message has been due for 10 minutes'],
      oldestSeconds: { mail: expect.any(Number), events: 0, outbox: expect.any(Number), checks: 0, webhooks: 0, imports: 0, campaigns: 0 },
    });
    const { oldestSeconds } = result as { oldestSeconds: Record<string, number> };
    expect(Object.values(oldestSeconds).map((seconds) => Math.floor(seconds / 60))).toEqual([10, 0, 2, 0, 0, 0, 0]);
    await reader.giveUp();
    expect(await status()).toMatchObject({ stalled: [], oldestSeconds: null });
  });

  test('is read by the one process that reads what waits', async () => {
    await stored.outbox.collection.insertOne({ _id: 'wish', intent: '{}', createdAt: minutes(30) });
    const other = new BacklogReader({ warn: jest.fn() }, { everyMs: 10, leaseMs: 60_000 });
    await reader.giveUp();
    other.start();
    try {
      await eventually('health says it', async () => (await details()) !== undefined);
      expect(await details()).toEqual([expect.stringMatching(/^Campaigns, automations and imports wait for Temporal: .* for 30 minutes$/)]);
      await stored.outbox.remove();
      await eventually('health says it no more', async () => (await details()) === undefined);
    } finally {
      await other.stop();
    }
  });

  test('is not in health where nobody has read it within a minute, nor beside a worker that is missing', async () => {
    await reader.report({ ...nothing, mail: minutes(30) });
    await stored.backlogLease.change('backlog', { readAt: minutes(1) });
    expect(await details()).toBeUndefined();
    await reader.report({ ...nothing, mail: minutes(30) });
    await stored.parts.remove();
    await stored.parts.make(process('worker', 20, others('delivery')));
    expect(await details()).toEqual(['Outgoing mail waits: no worker polls the task queue `delivery`']);
  });
});

test('gauges count the workers of each task queue, and the processes that run and that were lost lately', async () => {
  await stored.parts.make([
    process('worker', 20, ['pumps', 'delivery']),
    process('worker', 20, ['pumps']),
    process('api', 20),
    process('worker', -60, ['http']),
    process('smtp', -3_600),
  ]);
  await showPresence();
  expect(await valuesOf(metrics.taskQueueWorkers)).toEqual({ orchestration: 0, pumps: 2, delivery: 1, http: 0, bulk: 0 });
  expect(await valuesOf(metrics.processes)).toEqual({
    'api running': 1,
    'api lost': 0,
    'worker running': 2,
    'worker lost': 1,
    'smtp running': 0,
    'smtp lost': 0,
  });
});

test('gauges follow by themselves, and have no value while the database cannot be read', async () => {
  const stopping = new AbortController();
  const warn = jest.fn();
  await stored.parts.make(process('worker', 20, TASK_QUEUES));
  const aggregate = jest.spyOn(stored.parts.collection, 'aggregate');
  try {
    watchPresence({ warn }, stopping.signal, 10);
    await eventually('it is counted', async () => (await valuesOf(metrics.taskQueueWorkers))['bulk'] === 1);
    aggregate.mockImplementation(() => {
      throw new Error('MongoDB is away');
    });
    await eventually('there is no value', async () => Object.keys(await valuesOf(metrics.taskQueueWorkers)).length === 0);
    expect(warn).toHaveBeenCalled();
    aggregate.mockRestore();
    await eventually('it is counted again', async () => (await valuesOf(metrics.taskQueueWorkers))['bulk'] === 1);
  } finally {
    aggregate.mockRestore();
    stopping.abort();
  }
});

test('a worker says at once which task queues it polls, and none before', async () => {
  const membership = new Membership('worker', { info: jest.fn(), warn: jest.fn(), fatal: jest.fn() }, migrateAll);
  await membership.begin(new AbortController().signal);
  const queues = async () => (await stored.parts.all()).map((row) => row.queues);
  try {
    expect(await queues()).toEqual([[]]);
    await membership.sayPolled(() => ['http']);
    expect(await queues()).toEqual([['http']]);
  } finally {
    await membership.end();
  }
});
