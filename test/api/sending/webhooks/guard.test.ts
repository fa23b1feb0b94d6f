import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { webhookRoutes } from '../../../../api/webhooks/routes';
import type { Core } from '../../../../src/platform/core/context';
import { servedBeside, aProject } from '../../../support/platform/app';
import { aNameServer } from '../../../support/servers/dns-server';
import type { Zone } from '../../../support/servers/dns-server';
import { selfSignedCertificate } from '../../../support/servers/certificates';
import { aFreshReceiver, deliverDue, webhookCalls } from '../../../support/servers/webhooks';
import type { Receiver } from '../../../support/servers/webhooks';

const dns = aNameServer();
const app = aProject(() => ({
  config: { DNS_SERVERS: dns.address, WEBHOOK_ALLOW_INSECURE: 'true', WEBHOOK_ALLOW_PRIVATE: 'true', WEBHOOK_TIMEOUT_SECONDS: '1' },
}));
const receiver = aFreshReceiver();
/** The same project behind an API that lets public addresses be called only. */
const strictly = (core: Core): Core => ({ ...core, config: { ...core.config, WEBHOOK_ALLOW_PRIVATE: false } });
const strict = servedBeside(app, webhookRoutes, strictly);

const { deliver, deliveries, happen, patch, register } = webhookCalls(() => app);

const HOST = 'hooks.example.com';

describe('an address that is not public', () => {
  test.each([
    'http://127.0.0.1/',
    'http://0x7f.0.0.1/',
    'http://localhost/',
    'http://10.1.2.3/',
    'http://169.254.169.254/latest/meta-data',
    'http://[::ffff:127.0.0.1]/',
    'https://user:secret@hooks.example.com/',
  ])('is refused at registration and at a change: %s', async (url) => {
    const { webhookId } = await register(`${receiver.url}/x`, { events: ['nothing'] });
    for (const refused of [
      await strict
        .api()
        .post('/v1/webhooks')
        .send({ url, events: ['*'] }),
      await strict.api().patch(`/v1/webhooks/${webhookId}`).send({ url }),
    ]) {
      expect([refused.status, refused.body.code]).toEqual([422, 'validation_error']);
      expect(refused.body.details).toEqual([{ path: 'url', code: 'blocked_url', message: expect.any(String) }]);
    }
  });

  test.each<[Zone]>([[{ A: ['10.0.0.1'] }], [{ A: ['93.184.216.34', '127.0.0.1'] }], [{ A: ['93.184.216.34'], AAAA: ['::1'] }]])(
    'is refused when the name leads there: %j',
    async (zone) => {
      dns.names.set(HOST, zone);
      const { body } = await strict
        .api()
        .post('/v1/webhooks')
        .send({ url: 'https://hooks.example.com/', events: ['*'] })
        .expect(422);
      expect(body.details).toMatchObject([{ path: 'url', code: 'blocked_url' }]);
    },
  );

  test.each(['servfail', 'refused', {}] as const)('is no reason where the name leads nowhere at this moment: %j', async (answer) => {
    dns.names.set(HOST, answer);
    const { status } = await strict
      .api()
      .post('/v1/webhooks')
      .send({ url: 'https://hooks.example.com/', events: ['nothing'] });
    expect(status).toBe(201);
  });

  test('is not called by a name that leads there later', async () => {
    const port = new URL(receiver.url).port;
    dns.names.set(HOST, { A: ['93.184.216.34'] });
    const made = await strict
      .api()
      .post('/v1/webhooks')
      .send({ url: `http://hooks.example.com:${port}/`, events: ['rebound'] })
      .expect(201);
    const id = made.body.data.webhookId as string;
    dns.names.set(HOST, { A: ['127.0.0.1'], AAAA: ['::1'] });
    await happen('rebound');
    await deliverDue(strict.core);
    expect(receiver.received).toEqual([]);
    expect(await deliveries(id)).toMatchObject([
      { status: 'pending', attempts: 1, responseStatus: null, responseBody: null, error: expect.stringContaining('not public') },
    ]);
    await patch(id, { enabled: false });
  });
});

describe('a receiver that misbehaves fails, and costs no more than its first bytes:', () => {
  const cases: readonly (readonly [string, Receiver['answer'], object])[] = [
    ['a redirect', (res) => res.writeHead(307, { location: `${receiver.url}/target` }).end(), { responseStatus: 307, responseBody: '' }],
    ['a refusal', (res) => res.writeHead(404).end('where?'), { responseStatus: 404, responseBody: 'where?' }],
    ['a reset', (res) => res.socket?.resetAndDestroy(), { responseStatus: null, error: expect.stringContaining('ECONNRESET') }],
    ['silence', () => undefined, { responseStatus: null, responseBody: null, error: expect.stringMatching(/within 1 s/) }],
    ['no HTTP', (res) => res.socket?.end('SSH-2.0-OpenSSH\r\n\r\n'), { responseStatus: null, error: expect.any(String) }],
    [
      'an answer that drips',
      (res) => {
        res.writeHead(200);
        const drip = setInterval(() => res.write('.'), 50);
        res.on('close', () => clearInterval(drip));
      },
      { responseStatus: null, error: expect.stringMatching(/within 1 s/) },
    ],
    [
      'an answer without end',
      (res) => {
        res.writeHead(500);
        const more = (): void => {
          while (!res.destroyed && res.write('x'.repeat(65_536)));
        };
        res.on('drain', more);
        more();
      },
      { responseStatus: 500, responseBody: 'x'.repeat(1_024) },
    ],
  ];
  test.each(cases)('%s', async (_what, answer, expected) => {
    const { webhookId } = await register(`${receiver.url}/bad`, { events: ['order.placed'] });
    receiver.answer = answer;
    await happen();
    await deliver();
    expect(await deliveries(webhookId)).toMatchObject([{ status: 'pending', attempts: 1, ...expected }]);
    expect(receiver.received.map(({ path }) => path)).toEqual(['/bad']);
    await patch(webhookId, { enabled: false });
  });

  test('a certificate without a trusted authority', async () => {
    const answered = jest.fn();
    const server = https.createServer(selfSignedCertificate(), (_req, res) => {
      answered();
      res.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const { webhookId } = await register(`https://127.0.0.1:${port}/`, { events: ['order.placed'] });
    await happen();
    await deliver();
    server.close();
    expect(await deliveries(webhookId)).toMatchObject([
      { status: 'pending', responseStatus: null, error: expect.stringContaining('CERT') },
    ]);
    expect(answered).not.toHaveBeenCalled();
    await patch(webhookId, { enabled: false });
  });

  test('a name that leads nowhere', async () => {
    const { webhookId } = await register('https://nowhere.invalid/', { events: ['order.placed'] });
    await happen();
    await deliver();
    expect(await deliveries(webhookId)).toMatchObject([
      { status: 'pending', attempts: 1, responseStatus: null, error: expect.stringMatching(/^The call failed|^No answer/) },
    ]);
    await patch(webhookId, { enabled: false });
  });

  test('a packed answer is kept as it came, and not unpacked', async () => {
    const { webhookId } = await register(`${receiver.url}/packed`, { events: ['order.placed'] });
    const bomb = gzipSync(Buffer.alloc(10_000_000));
    receiver.answer = (res) => res.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
    await happen();
    await deliver();
    const [delivery] = await deliveries(webhookId);
    expect(delivery).toMatchObject({ status: 'succeeded' });
    expect(String(delivery?.['responseBody']).length).toBeLessThanOrEqual(1_024);
    expect(receiver.received[0]?.headers).not.toHaveProperty('accept-encoding');
  });
});
