import { aPlatform, eventually } from '../../../support/platform/platform';

jest.setTimeout(240_000);

const platform = aPlatform({ ownServers: true, env: { SMTP_CONNECTIONS: '4', SMTP_RETRY_SECONDS: '1,1,2,2,5,5,5,5,5' } });

beforeEach(() => {
  platform.smtp.script = {};
});

describe('what was accepted arrives', () => {
  test('when the API is killed right after its answer', async () => {
    const id = await platform.send('api-killed@example.com');
    await platform.api.kill9();
    await platform.api.start();
    await platform.untilStatus(id, 'delivered');
    expect(platform.arrived('api-killed@example.com')).toHaveLength(1);
  });

  test('when the worker is killed right after, before it claimed the message', async () => {
    await platform.worker.kill9();
    const id = await platform.send('worker-away@example.com');
    await platform.worker.start();
    await platform.untilStatus(id, 'delivered');
    expect(platform.arrived('worker-away@example.com')).toHaveLength(1);
  });

  test('when mongod is killed right after; and meanwhile there is a clear 503', async () => {
    const id = await platform.send('mongod-killed@example.com');
    await platform.mongod.kill9();
    const refused = await platform.post('/v1/send', { to: 'refused@example.com', subject: 'No', text: 'No' });
    expect(refused).toMatchObject({ status: 503, body: { success: false, code: 'unavailable' } });
    await platform.mongod.restart();
    await platform.untilStatus(id, 'delivered');
    expect(platform.arrived('mongod-killed@example.com')).toHaveLength(1);
    expect(platform.arrived('refused@example.com')).toHaveLength(0);
  });

  test('when Temporal is away: sends are accepted, and go out when it is back', async () => {
    await platform.temporal.kill9();
    await platform.worker.kill9();
    const id = await platform.send('temporal-away@example.com');
    await eventually('health shows it', async () => (await platform.get('/v1/health')).status === 503);
    await platform.temporal.restart();
    await platform.worker.start();
    await platform.untilStatus(id, 'delivered');
    expect(platform.arrived('temporal-away@example.com')).toHaveLength(1);
    await eventually('health shows it', async () => (await platform.get('/v1/health')).status === 200);
  });

  test('when everything is killed at once', async () => {
    const id = await platform.send('all-killed@example.com');
    await Promise.all([platform.api.kill9(), platform.worker.kill9(), platform.mongod.kill9(), platform.temporal.kill9()]);
    await Promise.all([platform.mongod.restart(), platform.temporal.restart()]);
    await Promise.all([platform.api.start(), platform.worker.start()]);
    await platform.untilStatus(id, 'delivered');
    const ids = platform.messageIds('all-killed@example.com');
    expect(ids.length).toBeLessThanOrEqual(2);
    expect(new Set(ids).size).toBe(1);
  });
});

test('a worker that outlives an outage of the database records what was acknowledged, without a repeat', async () => {
  platform.smtp.script = ({ stage, to }) => (stage === 'dot' && to?.startsWith('outage-') ? { dot: { delayMs: 2_500 } } : {});
  const dots = platform.smtp.counts.finalDots;
  const ids = await Promise.all([1, 2, 3].map((n) => platform.send(`outage-${n}@example.com`)));
  await eventually('they are on the wire', () => platform.smtp.counts.finalDots === dots + 3);
  await platform.mongod.kill9();
  await eventually('they were acknowledged', () => [1, 2, 3].every((n) => platform.arrived(`outage-${n}@example.com`).length === 1));
  await platform.mongod.restart();
  await Promise.all(ids.map((id) => platform.untilStatus(id, 'delivered')));
  expect([1, 2, 3].map((n) => platform.arrived(`outage-${n}@example.com`).length)).toEqual([1, 1, 1]);
});
