import { NativeConnection } from '@temporalio/worker';
import { VERSION } from '../../../src/platform/config/introduce';
import { metrics } from '../../../src/platform/metrics/metrics';
import { declarationOf } from '../../../src/platform/metrics/declare';
import type { Metered } from '../../../src/platform/metrics/declare';
import { metricOf, ofExporters, selectorsIn, shippedExpressions } from '../../support/checks/promql';
import { TASK_QUEUES } from '../../../src/contracts/task-queues';
import { aPlatform, Part, eventually } from '../../support/platform/platform';
import { aPart } from '../../support/platform/platform-parts';
import { testTemporalAddress, testWorkflowCode } from '../../support/run/servers';
import { createWorkers } from '../../../worker/create-workers';
import { pollerFaults } from '../../../worker/poller-faults';

const platform = aPlatform({ env: { METRICS_PORT: '0' } });
const smtp = aPart(() => new Part('src/processes/inbound-smtp/main.ts', { ...platform.env, INBOUND_SMTP_PORT: '0' }, 'is listening'));

const processes = () => ({ api: platform.api, worker: platform.worker, smtp });

const portOf = (part: Part): string => /serving probes and metrics.*"port":(\d+)/.exec(part.output)?.[1] ?? '';

async function scrape(part: Part): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${portOf(part)}/metrics`);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
  return response.text();
}

/** The sum of a metric's series that have these labels. */
function valueOf(text: string, name: string, labels: Readonly<Record<string, string>> = {}): number {
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  const series = text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
  const ours = series.filter((line) => wanted.every((label) => line.includes(label)));
  return ours.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
}

/** As an orchestrator asks, which gives up soon. */
async function probe(part: Part, path: string): Promise<number | null> {
  const response = await fetch(`http://127.0.0.1:${portOf(part)}${path}`, { signal: AbortSignal.timeout(2_000) }).catch(() => null);
  await response?.body?.cancel();
  return response?.status ?? null;
}

test('every process answers probes on a port that is not the public one, and the API on both', async () => {
  for (const part of Object.values(processes())) {
    await eventually('it is ready', async () => (await probe(part, '/readyz')) === 200);
    expect(await probe(part, '/livez')).toBe(200);
  }
  expect(await platform.get('/readyz')).toMatchObject({ status: 200, body: { checks: { mongodb: 'up', temporal: 'up' } } });
});

test('a worker that hangs is not live', async () => {
  platform.worker.signal('SIGSTOP');
  try {
    expect(await probe(platform.worker, '/livez')).toBeNull();
  } finally {
    platform.worker.signal('SIGCONT');
  }
  await eventually('it is live again', async () => (await probe(platform.worker, '/livez')) === 200);
});

test('a worker whose pollers have stopped is not live', async () => {
  const connection = await NativeConnection.connect({ address: testTemporalAddress() });
  const workers = await createWorkers({
    connection,
    namespace: platform.env['TEMPORAL_NAMESPACE'] ?? '',
    queues: ['pumps', 'bulk'],
    activities: { sweepSegments: () => Promise.resolve(0) } as never,
    workflowCode: testWorkflowCode(),
  });
  expect(pollerFaults(workers)).toEqual([]);
  const [pumps, bulk] = workers.map((worker) => worker.run());
  try {
    await eventually('they poll', () => workers.every((worker) => worker.getStatus().hasOutstandingActivityPoll));
    expect(pollerFaults(workers)).toEqual([]);
    workers[1]?.shutdown();
    await bulk;
    expect(pollerFaults(workers)).toEqual(['the worker of bulk is stopped']);
  } finally {
    workers[0]?.shutdown();
    await pumps;
    await connection.close();
  }
});

test('what is accepted, sent and asked is counted, by kind, route and provider', async () => {
  const ids = [];
  for (const to of ['ada@gmail.com', 'bob@example.com', 'eve@hotmail.de']) ids.push(await platform.send(to));
  for (const id of ids) await platform.untilStatus(id, 'delivered');
  await platform.get('/v1/emails/em_unknown');
  await platform.get('/no/such/path@example.com');

  const api = await scrape(platform.api);
  expect(valueOf(api, 'lettermill_http_requests_total', { method: 'POST', route: '/v1/send', status: '200' })).toBe(3);
  expect(valueOf(api, 'lettermill_http_requests_total', { route: '/v1/emails/{id}', status: '404' })).toBe(1);
  expect(valueOf(api, 'lettermill_http_requests_total', { route: 'none', status: '404' })).toBe(1);
  expect(valueOf(api, 'lettermill_http_request_duration_seconds_count', { route: '/v1/send' })).toBe(3);
  expect(valueOf(api, 'lettermill_accept_seconds_count', { endpoint: 'send' })).toBe(3);
  expect(valueOf(api, 'lettermill_emails_accepted_total', { kind: 'transactional' })).toBe(3);
  expect(valueOf(api, 'lettermill_mongodb_transaction_seconds_count', { result: 'committed' })).toBeGreaterThan(0);
  expect(valueOf(api, 'lettermill_dependency_up')).toBe(2);
  // Probes and monitors would hide how the requests of customers fare.
  await platform.get('/livez');
  await platform.get('/readyz');
  await platform.get('/v1/health');
  expect((await scrape(platform.api)).match(/^lettermill_http_.*(livez|readyz|health)/gm)).toBeNull();
  expect(valueOf(await scrape(platform.api), 'lettermill_http_requests_in_flight')).toBe(0);

  const worker = await eventually('its outcomes are counted', async () => {
    const text = await scrape(platform.worker);
    return valueOf(text, 'lettermill_delivery_outcomes_total') >= 3 ? text : null;
  });
  for (const provider of ['google', 'outlook', 'other']) {
    expect(valueOf(worker, 'lettermill_delivery_outcomes_total', { kind: 'transactional', outcome: 'accepted', provider })).toBe(1);
  }
  expect(valueOf(worker, 'lettermill_emails_claimed_total', { kind: 'transactional' })).toBe(3);
  expect(valueOf(worker, 'lettermill_delivery_latency_seconds_count', { kind: 'transactional' })).toBe(3);
  expect(valueOf(worker, 'lettermill_smtp_connections_open')).toBeGreaterThan(0);
  expect(valueOf(worker, 'lettermill_smtp_connects_total', { transport: 'default', result: 'opened' })).toBeGreaterThan(0);
  expect(valueOf(worker, 'lettermill_smtp_lanes')).toBe(20);
  expect(valueOf(worker, 'lettermill_delivery_lease_held')).toBe(1);
});

test('what waits is read in the background, by shard', async () => {
  const worker = await eventually('the backlog is read', async () => {
    const text = await scrape(platform.worker);
    return valueOf(text, 'lettermill_backlog_read_timestamp_seconds') > 0 ? text : null;
  });
  expect(worker.match(/^lettermill_queue_oldest_due_seconds\{shard="\d+"\} /gm)).toHaveLength(16);
});

test('no series names an address, a project or a message', async () => {
  for (const part of Object.values(processes())) {
    const text = await scrape(part);
    expect(text.match(/\b(prj|em|ctc|cmp|whk|att|wrk)_\w{8,}|@/g)).toBeNull();
  }
});

test('a scrape has every metric that is declared for the process, Node.js metrics, and of a worker the metrics of the Temporal SDK', async () => {
  for (const [name, part] of Object.entries(processes()) as [Metered, Part][]) {
    const text = await scrape(part);
    const ours = Object.values(metrics).map(declarationOf);
    const declared = ours.filter(({ of }) => of.includes(name)).map((metric) => `# TYPE ${metric.name} ${metric.type}`);
    expect(text.split('\n').filter((line) => line.startsWith('# TYPE lettermill_'))).toEqual(declared);
    expect(text).toContain('# TYPE nodejs_eventloop_lag_p99_seconds gauge');
    expect(text).toContain('# TYPE nodejs_gc_duration_seconds histogram');
    expect(/^# TYPE temporal_worker_task_slots_available gauge$/m.test(text)).toBe(name === 'worker');
  }
});

test('every metric that a shipped alert or dashboard names is in a scrape', async () => {
  const scrapes = await Promise.all(Object.values(processes()).map(scrape));
  const there = new Set(scrapes.flatMap((text) => [...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name)));
  const named = shippedExpressions()
    .flatMap(({ expr }) => selectorsIn(expr).map(({ metric }) => metric))
    .filter((metric) => !ofExporters(metric));
  const missing = new Set(named.filter((metric) => !there.has(metric) && !there.has(metricOf(metric))));
  expect([...missing]).toEqual([]);
});

test('what a workflow does, and what it waits for, can be read in its history', async () => {
  const client = await platform.temporalClient();
  const texts = await eventually('a sweep waits for its next round', async () => {
    for await (const { workflowId } of client.workflow.list({ query: 'WorkflowType = "sweep"' })) {
      const { events = [] } = await client.workflow.getHandle(workflowId).fetchHistory();
      const named = (events ?? []).filter((event) => event.activityTaskScheduledEventAttributes ?? event.timerStartedEventAttributes);
      const summaries = named.map(({ userMetadata }) => Buffer.from(userMetadata?.summary?.data ?? []).toString());
      if (summaries.some((summary) => summary.includes('until round'))) return summaries;
    }
    return null;
  });
  expect(texts).toEqual(expect.arrayContaining(['"starts workflows that were not started"', '"until round 2 of 60"']));
  expect(texts.filter((summary) => summary === '')).toEqual([]);
});

test('a task queue without a worker is seen in a metric of the API, and in health', async () => {
  const workers = async (queue: string) => valueOf(await scrape(platform.api), 'lettermill_task_queue_workers', { task_queue: queue });
  for (const queue of TASK_QUEUES) await eventually(`${queue} has a worker`, async () => (await workers(queue)) === 1, 30_000);
  expect((await platform.get('/v1/health')).body.data).toEqual({
    status: 'ok',
    version: VERSION,
    checks: { mongodb: 'up', temporal: 'up' },
  });
  await platform.worker.stop();
  expect(await platform.get('/v1/health')).toMatchObject({
    status: 200,
    body: { data: { status: 'ok', details: [expect.stringMatching(/: no worker runs$/)] } },
  });
  for (const queue of TASK_QUEUES) await eventually(`${queue} has none`, async () => (await workers(queue)) === 0, 30_000);
});
