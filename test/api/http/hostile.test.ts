import http from 'node:http';
import net from 'node:net';
import { aProject } from '../../support/platform/app';
import { unbearable } from '../../support/checks/yardstick';

const MEBIBYTE = 1024 * 1024;
const MESSAGE = { to: 'ada@example.com', subject: 'Hello', text: 'Hello' };

const lines: string[] = [];

const app = aProject({ log: (line) => lines.push(line) });

interface Answer {
  readonly status: number;
  readonly body: { readonly code: string; readonly details: readonly { readonly path: string; readonly code: string }[] };
  readonly size: number;
}

/** Sends bytes as they are. */
const post = (path: string, bytes: Buffer | string): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${app.keys.secret}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(bytes),
    };
    const call = http.request(`${app.url}${path}`, { method: 'POST', headers }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) as Answer['body'], size: text.length }));
    });
    call.on('error', reject);
    call.end(bytes);
  });

/** Writes bytes to a socket and reads until it is closed. */
const converse = (bytes: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(app.url);
    let text = '';
    const socket = net.connect(Number(port), hostname, () => socket.write(bytes));
    socket.on('data', (chunk) => (text += chunk.toString()));
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });

describe('reserved keys', () => {
  test.each<[string, string[]]>([
    ['{"to":"a@b.co","subject":"x","text":"x","__proto__":{"admin":true}}', ['__proto__']],
    [
      '{"to":"a@b.co","subject":"x","text":"x","variables":{"__proto__":1,"a":{"prototype":2,"b":[{"$gt":""}]}}}',
      ['variables.__proto__', 'variables.a.prototype', 'variables.a.b.0.$gt'],
    ],
    ['{"to":{"$ne":null},"subject":"x","text":"x"}', ['to.$ne']],
    ['{"to":"a@b.co","subject":"x","text":"x","variables":{"\\u0024where":"1"}}', ['variables.$where']],
    ['{"to":"a@b.co","subject":"x","text":"x","variables":{"\\u005f_proto__":"1"}}', ['variables.__proto__']],
    ['{"to":"a@b.co","subject":"x","text":"x","variables":{"a\\u0000b":"1"}}', ['variables.a\0b']],
    ['{"to":"a@b.co","subject":"x","text":"x","headers":{"__proto__":"x"}}', ['headers.__proto__']],
  ])('in %s', async (text, paths) => {
    const { status, body } = await post('/v1/send', text);
    const reserved = body.details.filter(({ code }) => code === 'reserved_name').map(({ path }) => path);
    expect([status, reserved]).toEqual([422, paths]);
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  test('are free in values', async () => {
    const text = JSON.stringify({ ...MESSAGE, to: [], variables: { a: '$where', b: '__proto__', c$: 1, constructors: 2 } });
    expect((await post('/v1/send', text)).body.details).toMatchObject([{ path: 'to' }]);
  });

  test('leave no trace in the process', async () => {
    await post('/v1/send', '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}');
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });
});

describe('operators where a text is due', () => {
  test.each([
    ['/v1/templates', { name: { $ne: '' }, subject: ['x'], body: { a: 1 }, fromEmail: { $gt: '' } }],
    ['/v1/suppressions', { email: { $regex: '.*' } }],
    ['/v1/send', { ...MESSAGE, templateId: { $ne: null } }],
  ])('are refused by %s', async (path, body) => {
    const answer = await post(path, JSON.stringify(body));
    expect([answer.status, answer.body.code]).toEqual([422, 'validation_error']);
  });

  test.each(['to[$ne]=x', 'to=a@b.co&to=c@d.co', 'contactId=a%00b'])('are nothing in a query: %s', async (query) => {
    expect([200, 422]).toContain((await app.api().get(`/v1/emails?${query}`)).status);
  });
});

describe('bodies made to cost', () => {
  const deep = (open: string, times: number): string => open.repeat(times);
  const batchOf = (entry: string, times: number): string => `{"messages":[${Array.from({ length: times }, () => entry).join(',')}]}`;
  const keys = (count: number, prefix: string): string =>
    `{${Array.from({ length: count }, (_, index) => `"${prefix}${index}":1`).join(',')}}`;

  const BODIES: readonly (readonly [string, string, () => string])[] = [
    ['/v1/send', '10 MiB of [', () => deep('[', 10 * MEBIBYTE)],
    ['/v1/send', 'closed nesting', () => `{"variables":${deep('[', 100_000)}${deep(']', 100_000)}}`],
    ['/v1/send', '65 levels', () => `{"variables":{"a":${deep('[', 64)}${deep(']', 64)}}}`],
    ['/v1/send', '10 MiB of numbers', () => `[${deep('1,', 5 * MEBIBYTE - 2)}1]`],
    ['/v1/send/batch', 'a million messages', () => batchOf('1', 1_000_000)],
    ['/v1/send/batch', '1,000 messages with every fault', () => batchOf('{"to":[1,2,3],"subject":1,"html":2,"a":1,"b":2}', 1_000)],
    ['/v1/send', '400,000 unknown keys', () => keys(400_000, 'k')],
    ['/v1/send', '25,000 reserved keys', () => keys(25_000, '$k')],
    [
      '/v1/send/batch',
      'messages of 20,000 shapes',
      () => `{"messages":[${Array.from({ length: 200 }, (_, index) => keys(100, `k${index}_`)).join(',')}]}`,
    ],
    ['/v1/send', 'a key of 5 MiB', () => `{"${'k'.repeat(5 * MEBIBYTE)}":{"$a":1,"$b":2}}`],
    ['/v1/send', 'an address of 5 MiB', () => JSON.stringify({ ...MESSAGE, to: `${'a.'.repeat(2.5 * MEBIBYTE)}@example.com` })],
    ['/v1/send', 'a domain of 5 MiB', () => JSON.stringify({ ...MESSAGE, to: `a@${'a-'.repeat(2.5 * MEBIBYTE)}` })],
    [
      '/v1/send',
      '7 MiB of base64 that fails at its end',
      () => JSON.stringify({ ...MESSAGE, attachments: [{ filename: 'a', content: `${'A'.repeat(7 * MEBIBYTE)}===*` }] }),
    ],
    ['/v1/send', 'a header value of 5 MiB', () => JSON.stringify({ ...MESSAGE, headers: { 'X-A': 'a'.repeat(5 * MEBIBYTE) } })],
    ['/v1/send', 'a string of 5 MiB of escapes', () => `{"to":"${'\\"'.repeat(2.5 * MEBIBYTE)}"}`],
    ['/v1/send', 'spaces', () => ' '.repeat(10 * MEBIBYTE)],
    ['/v1/templates', 'a date that never ends', () => JSON.stringify({ name: '2026-'.repeat(500_000), subject: 1, body: 1, fromEmail: 1 })],
  ];

  test.each(BODIES)('%s, %s: refused, and no other request waits', async (path, _name, make) => {
    const bytes = Buffer.from(make());
    await post(path, '{}');
    const refusal = async (): Promise<void> => {
      const { status, body, size } = await post(path, bytes);
      expect([status, body.code]).toEqual([422, 'validation_error']);
      expect(body.details.length).toBeGreaterThan(0);
      expect(body.details.length).toBeLessThanOrEqual(1_000);
      expect(size).toBeLessThan(300_000);
    };
    expect(await unbearable(refusal)).toBe(0);
  });

  test('64 levels are taken', async () => {
    const text = `{"to":[],"subject":"x","text":"x","variables":{"a":${deep('[', 62)}${deep(']', 62)}}}`;
    expect((await post('/v1/send', text)).body.details).toMatchObject([{ path: 'to' }]);
  });
});

describe('what is hardly HTTP', () => {
  const key = (): string => `Authorization: Bearer ${app.keys.secret}\r\n`;

  test.each<[string, () => string]>([
    [
      'a body shorter than it says',
      () =>
        `POST /v1/send HTTP/1.1\r\nHost: x\r\n${key()}Content-Type: application/json\r\nContent-Length: 5\r\nConnection: close\r\n\r\n{}   `,
    ],
    [
      'an empty chunked body',
      () =>
        `POST /v1/send HTTP/1.1\r\nHost: x\r\n${key()}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n0\r\n\r\n`,
    ],
  ])('%s is 422', async (_name, bytes) => {
    expect(await converse(bytes())).toMatch(/^HTTP\/1\.1 422 /);
  });

  test.each<[string, string]>([
    ['length and chunks at once', 'POST /v1/send HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['two lengths', 'POST /v1/send HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\n{}{}{'],
    ['a folded header', 'GET /v1/emails HTTP/1.1\r\nHost: x\r\nX-A: a\r\n\tb\0\r\n\r\n'],
    ['headers of 1 MiB', `GET /v1/emails HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(MEBIBYTE)}\r\n\r\n`],
  ])('%s is refused', async (_name, bytes) => {
    const refused = await converse(bytes).catch(() => 'reset');
    expect(refused).toMatch(/^(HTTP\/1\.1 4\d\d |reset|$)/);
  });

  test('an absolute path goes nowhere else', async () => {
    const text = await converse('GET http://169.254.169.254/latest HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(text).toMatch(/^HTTP\/1\.1 404 /);
  });

  test('a tunnel is no method of ours, and an unknown expectation is none either', async () => {
    expect(await converse('CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 405 [^]*X-Request-Id: req_[^]*"code":"method_not_allowed"/,
    );
    expect(await converse(`GET /v1/emails HTTP/1.1\r\nHost: x\r\n${key()}Expect: wonders\r\nConnection: close\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 200 [^]*X-Request-Id: req_/,
    );
  });

  test('a body that never comes holds nothing up', async () => {
    const socket = net.connect(Number(new URL(app.url).port), '127.0.0.1');
    socket.write(`POST /v1/send HTTP/1.1\r\nHost: x\r\n${key()}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{`);
    expect((await app.api().get('/v1/emails')).status).toBe(200);
    socket.destroy();
  });
});

test('hostile requests leave no warning or error in the log', () => {
  expect(lines.filter((line) => (JSON.parse(line) as { level: number }).level >= 40)).toEqual([]);
});

describe('large variables', () => {
  const big = 'x'.repeat(2 * MEBIBYTE);
  const readers = (count: number): string[] => Array.from({ length: count }, (_, n) => `reader-${n}@example.com`);
  const send = (to: readonly string[]) =>
    app
      .api(app.keys.test)
      .post('/v1/send')
      .send({ ...MESSAGE, to, from: 'hello@hello.test', text: '{{#if big}}Hello{{/if}}', variables: { big } });

  test('are refused for many recipients before they are kept for each of them', async () => {
    const { status, body } = await send(readers(50));
    expect([status, body.code]).toEqual([413, 'payload_too_large']);
  });

  test('are taken for few, also when many such requests come together', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => send(readers(7))));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  });
});
