import { NativeConnection } from '@temporalio/worker';
import { Platform, eventually } from '../../support/platform';
import type { Part } from '../../support/platform';
import { testTemporalAddress, testWorkflowCode } from '../../support/servers';
import { createWorkers } from '../../../worker/create-workers';
import { pollerFaults } from '../../../worker/poller-faults';

let platform: Platform;

beforeAll(async () => {
  platform = await Platform.start({ env: { METRICS_PORT: '0' } });
});
afterAll(() => platform.stop());

/** As an orchestrator asks, which gives up soon. */
async function probe(part: Part, path: string): Promise<number | null> {
  const [, port] = /probes are answered.*"port":(\d+)/.exec(part.output) ?? [];
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(2_000) }).catch(() => null);
  await response?.body?.cancel();
  return response?.status ?? null;
}

test('api and worker answer probes on a port that is not the public one, and the API on both', async () => {
  for (const part of [platform.api, platform.worker]) {
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
