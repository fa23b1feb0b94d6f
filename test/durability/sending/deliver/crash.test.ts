import { stored } from '../../../support/data/stored';
import { aPlatform, Part, eventually } from '../../../support/platform/platform';

jest.setTimeout(240_000);

const platform = aPlatform({ ownServers: true, env: { SMTP_CONNECTIONS: '4', SMTP_RETRY_SECONDS: '1,1,2,2,5,5,5,5,5' } });

// Of a sender of whom no server has taken a message two are sent at a time.
beforeAll(async () => {
  await platform.untilStatus(await platform.send('first@example.com'), 'delivered');
});

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

  test('when everything is killed at once; and nothing that was recorded is sent again', async () => {
    const id = await platform.send('all-killed@example.com');
    await Promise.all([platform.api.kill9(), platform.worker.kill9(), platform.mongod.kill9(), platform.temporal.kill9()]);
    await Promise.all([platform.mongod.restart(), platform.temporal.restart()]);
    await Promise.all([platform.api.start(), platform.worker.start()]);
    await platform.untilStatus(id, 'delivered');
    const ids = platform.messageIds('all-killed@example.com');
    expect(ids.length).toBeLessThanOrEqual(2);
    expect(new Set(ids).size).toBe(1);
    const recorded = ['first', 'api-killed', 'worker-away', 'mongod-killed', 'temporal-away'];
    expect(recorded.map((name) => platform.arrived(`${name}@example.com`).length)).toEqual(recorded.map(() => 1));
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

test('a worker killed with messages on the wire: before the final dot: sent once; past it, without a record: in doubt, repeated once with the same Message-ID; put off: its next attempt is kept', async () => {
  let take = (): void => undefined;
  const taken = new Promise<void>((resolve) => (take = resolve));
  platform.smtp.script = ({ stage, to }) => {
    if (to === 'on-the-way@example.com' && stage === 'data') return { data: 'hang' };
    if (to === 'in-doubt@example.com' && stage === 'dot') return { dot: { until: taken } };
    if (to === 'put-off@example.com' && stage === 'rcpt') return { rcpt: { reply: '451 4.7.1 Later' } };
    return {};
  };
  const dots = platform.smtp.counts.finalDots;
  const [onTheWay, inDoubt, putOff] = await Promise.all(
    ['on-the-way', 'in-doubt', 'put-off'].map((name) => platform.send(`${name}@example.com`)),
  );
  await eventually('all of them were begun', () =>
    ['on-the-way', 'in-doubt', 'put-off'].every((name) => platform.smtp.commands.some((line) => line.includes(`RCPT TO:<${name}@`))),
  );
  await eventually('the end of one has come', () => platform.smtp.counts.finalDots > dots);
  await platform.worker.kill9();
  take();
  await eventually('the mail server took it', () => platform.arrived('in-doubt@example.com').length === 1);
  expect((await platform.get(`/v1/emails/${inDoubt}`)).body.data.status).toBe('sending');

  platform.smtp.script = {};
  await platform.worker.start();
  const settled = await Promise.all([onTheWay, inDoubt, putOff].map((id) => platform.untilStatus(String(id), 'delivered')));
  expect(platform.arrived('on-the-way@example.com')).toHaveLength(1);
  expect(platform.arrived('put-off@example.com')).toHaveLength(1);
  expect(platform.messageIds('in-doubt@example.com')).toEqual([settled[1].messageId, settled[1].messageId]);
});

test('a worker that is stopped more than once ends what is on the wire, and nothing is repeated', async () => {
  platform.smtp.script = ({ stage }) => (stage === 'dot' ? { dot: { delayMs: 1_500 } } : {});
  const dots = platform.smtp.counts.finalDots;
  const id = await platform.send('stopped-twice@example.com');
  await eventually('it is on the wire', () => platform.smtp.counts.finalDots > dots);
  platform.worker.signal('SIGINT');
  await eventually('it stops', () => platform.worker.output.includes('Stopping'));
  platform.worker.signal('SIGINT');
  await platform.worker.stop();
  expect((await platform.get(`/v1/emails/${id}`)).body.data.status).toBe('delivered');
  await platform.worker.start();
  expect(platform.arrived('stopped-twice@example.com')).toHaveLength(1);
});

test('a worker that was stopped past its lease puts nothing more on a wire; another takes over, within the bound; and it goes on alone', async () => {
  platform.smtp.script = ({ stage }) => (stage === 'dot' ? { dot: { delayMs: 400 } } : {});
  const addresses = Array.from({ length: 24 }, (_, n) => `stalled-${n}@example.com`);
  const ids = await Promise.all(addresses.map((to) => platform.send(to)));
  await eventually('some are through', () => addresses.filter((to) => platform.arrived(to).length > 0).length >= 8);
  platform.worker.signal('SIGSTOP');
  const second = new Part('worker/main.ts', platform.env, 'Worker is ready');
  await second.start();
  try {
    // One look at all of them: 24 that ask the API would keep it from working.
    const delivered = () => stored.emails.count({ _id: { $in: ids }, status: 'delivered' });
    await eventually('all are delivered', async () => (await delivered()) === ids.length);
    const before = platform.smtp.messages.length;
    platform.worker.signal('SIGCONT');
    const last = await platform.send('after-the-stall@example.com');
    await platform.untilStatus(last, 'delivered');
    const counts = addresses.map((to) => platform.arrived(to).length);
    expect(Math.min(...counts)).toBe(1);
    expect(counts.reduce((sum, count) => sum + count - 1, 0)).toBeLessThanOrEqual(4);
    expect(platform.smtp.messages.length).toBe(before + 1);
    for (const to of addresses) expect(new Set(platform.messageIds(to)).size).toBe(1);
  } finally {
    platform.worker.signal('SIGCONT');
    await second.stop();
  }
  await platform.untilStatus(await platform.send('alone-again@example.com'), 'delivered');
});
