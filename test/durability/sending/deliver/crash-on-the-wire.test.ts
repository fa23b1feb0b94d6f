import { aPlatform, eventually } from '../../../support/platform/platform';

jest.setTimeout(240_000);

const platform = aPlatform({ env: { SMTP_CONNECTIONS: '4', SMTP_RETRY_SECONDS: '1,1,2,2,5,5,5,5,5' } });

// Of a sender of whom no server has taken a message two are sent at a time.
beforeAll(async () => {
  await platform.untilStatus(await platform.send('first@example.com'), 'delivered');
});

beforeEach(() => {
  platform.smtp.script = {};
});

describe('a worker killed with messages on the wire', () => {
  test('before the final dot: sent once; past it, without a record: in doubt, repeated once with the same Message-ID; put off: its next attempt is kept', async () => {
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
    const began = Date.now();
    await platform.worker.start();
    const settled = await Promise.all([onTheWay, inDoubt, putOff].map((id) => platform.untilStatus(String(id), 'delivered')));
    expect(Date.now() - began).toBeLessThan(60_000);
    expect(platform.arrived('on-the-way@example.com')).toHaveLength(1);
    expect(platform.arrived('put-off@example.com')).toHaveLength(1);
    expect(platform.messageIds('in-doubt@example.com')).toEqual([settled[1].messageId, settled[1].messageId]);
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
