import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startTestApp } from '../../support/platform/app';
import type { TestApp } from '../../support/platform/app';

let app: TestApp;
let inbox: Server;
const asked: (string | undefined)[] = [];

beforeAll(async () => {
  inbox = createServer((req, res) => {
    asked.push(`${req.method} ${req.url} ${req.headers.authorization ?? 'no key'}`);
    res.writeHead(200, { 'content-type': 'application/json', 'content-security-policy': "default-src 'self'" }).end('[]');
  });
  await new Promise<void>((resolve) => inbox.listen(0, '127.0.0.1', () => resolve()));
  app = await startTestApp({ config: { DEV_INBOX_URL: `http://127.0.0.1:${(inbox.address() as AddressInfo).port}` } });
});
afterAll(async () => {
  inbox.close();
  await app.close();
});

test('the proxy to the development inbox hands the inbox on, and no key with it', async () => {
  const response = await app.api().get('/dev/inbox.json?limit=3');
  expect([response.status, response.body]).toEqual([200, []]);
  expect(response.headers['content-security-policy']).toBe("default-src 'self'");
  expect(asked).toEqual(['GET /dev/inbox.json?limit=3 no key']);
});

test.each([
  ['evil.test', 403],
  ['localhost.evil.test', 403],
  ['127.0.0.1.evil.test:3000', 403],
  ['localhost:1', 200],
  ['LOCALHOST', 200],
  ['127.0.0.1', 200],
  ['[::1]:3000', 200],
])('the development inbox at the host %s is %i', async (host, status) => {
  const response = await app.api(null).get('/dev/inbox.json').set('Host', host);
  expect([response.status, response.body.code]).toEqual([status, status === 403 ? 'forbidden' : undefined]);
});

test('the development inbox is for reading', async () => {
  const response = await app.api().post('/dev/inbox').send({});
  expect([response.status, response.headers.allow]).toEqual([405, 'GET, HEAD']);
});

test('the development inbox is 503 while the sink is away', async () => {
  await new Promise((resolve) => {
    inbox.close(resolve);
    inbox.closeAllConnections();
  });
  expect((await app.api(null).get('/dev/inbox')).body).toMatchObject({ success: false, code: 'unavailable' });
});
