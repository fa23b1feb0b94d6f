import { Part, Platform, eventually } from '../../support/platform';

jest.setTimeout(240_000);

let platform: Platform;

beforeAll(async () => {
  platform = await Platform.start({ env: { SMTP_CONNECTIONS: '4', SMTP_RETRY_SECONDS: '1,1,2,2,5,5,5,5,5' } });
}, 300_000);
afterAll(() => platform?.stop());
beforeEach(() => {
  platform.smtp.script = {};
});

const messageIds = (to: string): unknown[] => platform.arrived(to).map((message) => message.headers['message-id']);

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
    await eventually('health tells', async () => (await platform.get('/v1/health')).status === 503);
    await platform.temporal.restart();
    await platform.worker.start();
    await platform.untilStatus(id, 'delivered');
    expect(platform.arrived('temporal-away@example.com')).toHaveLength(1);
    await eventually('health tells', async () => (await platform.get('/v1/health')).status === 200);
  });

  test('when everything is killed at once', async () => {
    const id = await platform.send('all-killed@example.com');
    await Promise.all([platform.api.kill9(), platform.worker.kill9(), platform.mongod.kill9(), platform.temporal.kill9()]);
    await Promise.all([platform.mongod.restart(), platform.temporal.restart()]);
    await Promise.all([platform.api.start(), platform.worker.start()]);
    await platform.untilStatus(id, 'delivered');
    const ids = messageIds('all-killed@example.com');
    expect(ids.length).toBeLessThanOrEqual(2);
    expect(new Set(ids).size).toBe(1);
  });
});

describe('a worker killed with messages on the wire', () => {
  test('before the final dot: sent once; past it, without a record: in doubt, repeated once with the same Message-ID; put off: its next attempt is kept', async () => {
    platform.smtp.script = ({ stage, to }) => {
      if (to === 'on-the-way@example.com' && stage === 'data') return { data: 'hang' };
      if (to === 'in-doubt@example.com' && stage === 'dot') return { dot: { delayMs: 3_000 } };
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
    await eventually('the mail server took it', () => platform.arrived('in-doubt@example.com').length === 1);
    expect((await platform.get(`/v1/emails/${inDoubt}`)).body.data.status).toBe('sending');

    platform.smtp.script = {};
    const began = Date.now();
    await platform.worker.start();
    const settled = await Promise.all([onTheWay, inDoubt, putOff].map((id) => platform.untilStatus(String(id), 'delivered')));
    expect(Date.now() - began).toBeLessThan(60_000);
    expect(platform.arrived('on-the-way@example.com')).toHaveLength(1);
    expect(platform.arrived('put-off@example.com')).toHaveLength(1);
    expect(messageIds('in-doubt@example.com')).toEqual([settled[1].messageId, settled[1].messageId]);
  });

  test('recorded messages are not sent again', async () => {
    const id = await platform.send('recorded@example.com');
    await platform.untilStatus(id, 'delivered');
    await platform.worker.kill9();
    await platform.worker.start();
    const next = await platform.send('after-recorded@example.com');
    await platform.untilStatus(next, 'delivered');
    expect(platform.arrived('recorded@example.com')).toHaveLength(1);
  });
});

test('a worker that is told to stop more than once ends what is on the wire, and nothing is repeated', async () => {
  platform.smtp.script = ({ stage }) => (stage === 'dot' ? { dot: { delayMs: 1_500 } } : {});
  const dots = platform.smtp.counts.finalDots;
  const id = await platform.send('told-twice@example.com');
  await eventually('it is on the wire', () => platform.smtp.counts.finalDots > dots);
  platform.worker.signal('SIGINT');
  await eventually('it stops', () => platform.worker.output.includes('Stopping'));
  platform.worker.signal('SIGINT');
  await platform.worker.stop();
  expect((await platform.get(`/v1/emails/${id}`)).body.data.status).toBe('delivered');
  await platform.worker.start();
  expect(platform.arrived('told-twice@example.com')).toHaveLength(1);
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

test('a worker that was stopped past its lease puts nothing more on a wire; another takes over, within the bound', async () => {
  platform.smtp.script = ({ stage }) => (stage === 'dot' ? { dot: { delayMs: 400 } } : {});
  const addresses = Array.from({ length: 24 }, (_, n) => `stalled-${n}@example.com`);
  const ids = await Promise.all(addresses.map((to) => platform.send(to)));
  await eventually('some are through', () => addresses.filter((to) => platform.arrived(to).length > 0).length >= 8);
  platform.worker.signal('SIGSTOP');
  const second = new Part('worker/main.ts', platform.env, 'Worker is ready');
  await second.start();
  try {
    await Promise.all(ids.map((id) => platform.untilStatus(id, 'delivered')));
    const before = platform.smtp.messages.length;
    platform.worker.signal('SIGCONT');
    const last = await platform.send('after-the-stall@example.com');
    await platform.untilStatus(last, 'delivered');
    const counts = addresses.map((to) => platform.arrived(to).length);
    expect(Math.min(...counts)).toBe(1);
    expect(counts.reduce((sum, count) => sum + count - 1, 0)).toBeLessThanOrEqual(4);
    expect(platform.smtp.messages.length).toBe(before + 1);
    for (const to of addresses) expect(new Set(messageIds(to)).size).toBe(1);
  } finally {
    platform.worker.signal('SIGCONT');
    await second.stop();
  }
});
