import net from 'node:net';
import request from 'supertest';
import { createKey, revokeKey } from '../../../src/records/projects/key-service';
import { VERSION } from '../../../src/platform/config';
import { aProject } from '../../support/platform/app';
import { raw } from '../../support/calls/raw';

const lines: string[] = [];

const app = aProject({ log: (line) => lines.push(line) });

const REQUEST_ID = /^req_[0-9a-z]{26}$/;

describe('what is refused first', () => {
  test('an unknown path is 404 before any key is looked at', async () => {
    const response = await request(app.url).get('/v1/nothing-here');
    expect(response.status).toBe(404);
    expect(response.body).toEqual({ success: false, error: expect.any(String), code: 'not_found' });
    expect(response.headers.link).toMatch(/^<http.*\/docs\/guides\/errors#not_found>; rel="help"$/);
  });

  test.each(['/', '/v1', '/v1/', '/v2/send', '/v1/send/', '/V1/SEND', '/v1//send', `/${'a/'.repeat(2_000)}`, '/v1/contacts/'])(
    '%s is an unknown path',
    async (path) => {
      const response = await app.api().get(path);
      expect([response.status, response.body.code]).toEqual([404, 'not_found']);
    },
  );

  test.each([
    ['put', '/v1/send', 'POST'],
    ['get', '/v1/send', 'POST'],
    ['delete', '/v1/emails', 'GET, HEAD'],
    ['post', '/v1/emails/eml_1', 'GET, DELETE, PATCH, HEAD'],
    ['get', '/v1/contacts/bulk', 'POST'],
    ['options', '/v1/send', 'POST'],
    ['patch', '/v1/health', 'GET, HEAD'],
  ] as const)('%s %s is 405 without a key, and names %s', async (method, path, allow) => {
    const response = await app.api(null)[method](path);
    expect([response.status, response.body.code]).toEqual([405, 'method_not_allowed']);
    expect(response.headers.allow).toBe(allow);
  });

  test('a key before the media type, the media type before the size, the size before the schema', async () => {
    const big = 'x'.repeat(1024 * 1024 + 1);
    const post = (key: string | null, type: string, body: string) =>
      app.api(key).post('/v1/templates').set('Content-Type', type).send(body);
    const statuses = [
      await post(null, 'text/plain', big),
      await post(app.keys.secret, 'text/plain', big.repeat(5)),
      await post(app.keys.secret, 'application/json', big.repeat(5)),
      await post(app.keys.secret, 'application/json', '{}'),
    ].map(({ status }) => status);
    expect(statuses).toEqual([401, 415, 413, 422]);
  });

  test('a schema before a resource that is not there', async () => {
    expect((await app.api().patch('/v1/templates/tpl_unknown').send({ foo: 1 })).status).toBe(422);
    expect((await app.api().patch('/v1/templates/tpl_unknown').send({ name: 'x' })).status).toBe(404);
  });

  test.each([
    ['patch', '/v1/templates/tpl_unknown', { body: '{{#if}}' }, 'body'],
    ['patch', '/v1/campaigns/cmp_unknown', { subject: '{{#if}}' }, 'subject'],
    [
      'patch',
      '/v1/campaigns/cmp_unknown',
      { filter: { logic: 'and', groups: [{ filters: [{ field: 'no', operator: 'exists' }] }] } },
      'filter.groups.0.filters.0.field',
    ],
    ['post', '/v1/campaigns/cmp_unknown/resend-non-openers', { subject: '{{#if}}' }, 'subject'],
    [
      'patch',
      '/v1/segments/seg_unknown',
      { conditions: { logic: 'and', groups: [{ filters: [{ field: 'no', operator: 'exists' }] }] } },
      'conditions.groups.0.filters.0.field',
    ],
  ] as const)('what a body alone shows, before it too: %s %s', async (method, path, body, fault) => {
    const response = await app.api()[method](path).send(body);
    expect([response.status, (response.body.details as { path: string }[] | undefined)?.map(({ path: at }) => at)]).toEqual([422, [fault]]);
  });
});

describe('the key', () => {
  const get = (headers: Record<string, string>) => request(app.url).get('/v1/emails').set(headers);

  test.each([
    ['a bearer key', () => ({ authorization: `Bearer ${app.keys.secret}` })],
    ['a bearer key, in any case of the scheme', () => ({ authorization: `bEARER ${app.keys.secret}` })],
    ['X-API-Key', () => ({ 'x-api-key': app.keys.secret })],
    ['the same key in both headers', () => ({ authorization: `Bearer ${app.keys.secret}`, 'x-api-key': app.keys.secret })],
    ['a test key', () => ({ authorization: `Bearer ${app.keys.test}` })],
  ])('%s opens', async (_name, headers) => {
    expect((await get(headers())).status).toBe(200);
  });

  test.each([
    ['no key', () => ({})],
    ['an empty key', () => ({ authorization: 'Bearer ' })],
    ['a word', () => ({ authorization: 'Bearer nonsense' })],
    ['a key without its scheme', () => ({ authorization: app.keys.secret })],
    ['another scheme', () => ({ authorization: `Basic ${app.keys.secret}` })],
    ['two keys in one header', () => ({ authorization: `Bearer ${app.keys.secret} ${app.keys.test}` })],
    ['an unknown key', () => ({ authorization: `Bearer ${app.keys.secret.slice(0, -1)}${app.keys.secret.endsWith('0') ? '1' : '0'}` })],
    ['an operator', () => ({ authorization: 'Bearer {"$ne":null}' })],
    ['a very long key', () => ({ authorization: `Bearer sk_${'a'.repeat(8_000)}` })],
    ['a public key', () => ({ authorization: `Bearer ${app.keys.public}` })],
    ['a public key as X-API-Key', () => ({ 'x-api-key': app.keys.public })],
  ])('%s does not', async (_name, headers) => {
    const response = await get(headers());
    expect([response.status, response.body.code]).toEqual([401, 'unauthorized']);
    expect(response.headers['www-authenticate']).toBe('Bearer');
  });

  test('a revoked key does not', async () => {
    const { key } = await createKey(app.keys.projectId, 'secret', 50);
    expect((await get({ 'x-api-key': key })).status).toBe(200);
    await revokeKey(key);
    expect((await get({ 'x-api-key': key })).status).toBe(401);
  });

  test('two keys are ambiguous', async () => {
    const { secret, test: testKey } = app.keys;
    const twoHeaders = await get({ authorization: `Bearer ${secret}`, 'x-api-key': testKey });
    expect([twoHeaders.status, twoHeaders.body.code]).toEqual([400, 'ambiguous_api_key']);
    const repeated = await raw(app.url, 'GET', '/v1/emails', [
      'Host',
      'x',
      'Authorization',
      `Bearer ${secret}`,
      'authorization',
      `Bearer ${secret}`,
    ]);
    expect([repeated.status, repeated.body.code]).toEqual([400, 'ambiguous_api_key']);
  });

  test('a public key opens events, and only to post', async () => {
    expect((await app.api(app.keys.public).post('/v1/events').send({})).status).not.toBe(401);
    expect((await app.api(app.keys.public).get('/v1/events')).status).toBe(401);
  });

  test.each(['/v1/health', '/v1/openapi.json', '/docs'])('%s asks for none', async (path) => {
    expect((await request(app.url).get(path).redirects(1)).status).toBe(200);
  });
});

describe('every answer', () => {
  test('carries a request id of its own, even when the request has one', async () => {
    const responses = [
      await app.api().get('/v1/emails').set('X-Request-Id', 'mine'),
      await app.api(null).get('/v1/emails'),
      await app.api().get('/v1/nowhere'),
      await app.api().put('/v1/send'),
      await app.api().post('/v1/send').set('Content-Type', 'application/json').send('{'),
      await app.api(null).get('/docs/'),
    ];
    const ids = responses.map(({ headers }) => headers['x-request-id']);
    for (const id of ids) expect(id).toMatch(REQUEST_ID);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('is JSON that a browser will not take for anything else', async () => {
    const { headers } = await app.api().get('/v1/emails');
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['x-powered-by']).toBeUndefined();
    expect(headers.etag).toBeUndefined();
  });

  test('to HEAD is the answer to GET without its body', async () => {
    const response = await app.api().head('/v1/emails');
    expect(response.status).toBe(200);
    expect(response.text).toBeUndefined();
  });
});

describe('what is no HTTP request', () => {
  const answerTo = (bytes: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(app.url);
      const socket = net.connect(Number(port), hostname, () => socket.write(bytes));
      let answer = '';
      socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
      socket.on('close', () => resolve(answer));
      socket.on('error', reject);
    });

  test.each([
    ['a path without end', `GET /v1/templates?search=${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 413, 'payload_too_large'],
    ['an unknown method', 'FOO /v1/health HTTP/1.1\r\nHost: x\r\n\r\n', 405, 'method_not_allowed'],
    ['a control character in a header', 'GET /v1/health HTTP/1.1\r\nHost: x\r\nIdempotency-Key: a\x7fb\r\n\r\n', 422, 'validation_error'],
    ['a length that is no number', 'POST /v1/send HTTP/1.1\r\nHost: x\r\nContent-Length: abc\r\n\r\n', 422, 'validation_error'],
  ])('%s is refused in the form of all failures', async (_what, bytes, status, code) => {
    const [head = '', body = ''] = (await answerTo(bytes)).split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} .*\r\n`));
    expect(head).toMatch(/^X-Request-Id: req_[0-9a-z]+$/m);
    expect(head).toMatch(new RegExp(`^Link: <http://.*/docs/guides/errors#${code}>; rel="help"\r?$`, 'm'));
    const members = status === 422 ? ['success', 'error', 'code', 'details'] : ['success', 'error', 'code'];
    expect(Object.keys(JSON.parse(body) as object)).toEqual(members);
    expect(JSON.parse(body)).toMatchObject({ success: false, code });
  });

  test('never falls into an answer that is under way', async () => {
    const health = 'GET /v1/health HTTP/1.1\r\nHost: x\r\n\r\n';
    const answers = (await answerTo(`${health}${health}nonsense\r\n\r\n`)).split('HTTP/1.1 ').slice(1);
    for (const answer of answers) expect(answer).toMatch(/^(200|405) [\s\S]*\}$/);
  });
});

describe('the log', () => {
  test('has one line for a request, without path, key or address', async () => {
    lines.length = 0;
    await app.api().get('/v1/suppressions/ada.secret@example.com?search=grace@example.com');
    const [line, ...others] = lines;
    expect(others).toEqual([]);
    expect(JSON.parse(line ?? '')).toMatchObject({
      method: 'GET',
      route: '/v1/suppressions/{id}',
      status: 200,
      projectId: app.keys.projectId,
      requestId: expect.stringMatching(REQUEST_ID),
    });
    expect(line).not.toContain('example.com');
    expect(line).not.toContain(app.keys.secret);
  });
});

describe('health', () => {
  test('shows what is up', async () => {
    const response = await app.api(null).get('/v1/health');
    expect(response.body).toEqual({ success: true, data: { status: 'ok', version: VERSION, checks: { mongodb: 'up', temporal: 'up' } } });
  });
});

describe('cross-origin calls', () => {
  test('a preflight to events is 204, without a key', async () => {
    const response = await app
      .api(null)
      .options('/v1/events')
      .set('Origin', 'https://shop.example')
      .set('Access-Control-Request-Method', 'POST');
    expect(response.status).toBe(204);
    expect(response.headers['access-control-allow-origin']).toBe('*');
    expect(response.headers['access-control-allow-methods']).toBe('POST');
    expect(response.headers['access-control-allow-headers']).toContain('Authorization');
  });

  test('failures to post an event may be read by any page', async () => {
    const responses = [await app.api(null).post('/v1/events').send({}), await app.api(app.keys.public).post('/v1/events').send('[')];
    for (const { headers } of responses) expect(headers['access-control-allow-origin']).toBe('*');
  });

  test('nothing else may be', async () => {
    expect((await app.api().get('/v1/events')).headers['access-control-allow-origin']).toBeUndefined();
    expect((await app.api().get('/v1/emails')).headers['access-control-allow-origin']).toBeUndefined();
  });
});
