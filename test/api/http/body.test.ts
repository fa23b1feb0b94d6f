import net from 'node:net';
import { gzipSync } from 'node:zlib';
import { aProject } from '../../support/platform/app';
import { raw } from '../../support/calls/raw';

const app = aProject();

/** Bytes that a body of `POST /v1/suppressions` may have. */
const LIMIT = 1024 * 1024;

const MESSAGE = { to: 'ada@example.com', subject: 'Hello', text: 'Hello' };

describe('the body', () => {
  const post = (type: string, body: string, headers: object = {}) =>
    app
      .api()
      .post('/v1/send')
      .set({ 'Content-Type': type, ...headers })
      .send(body);

  const bytes = (path: string, body: Buffer | string, ...headers: string[]) =>
    raw(
      app.url,
      'POST',
      path,
      ['Host', 'x', 'X-API-Key', app.keys.secret, 'Content-Type', 'application/json', 'Content-Length', `${body.length}`, ...headers],
      body,
    );

  test.each(['application/json', 'application/json; charset=utf-8', 'APPLICATION/JSON;charset="UTF-8"', 'application/vnd.api+json'])(
    'may be %s',
    async (type) => {
      expect((await post(type, JSON.stringify({ ...MESSAGE, to: [] }))).body.details[0].path).toBe('to');
    },
  );

  test.each([
    ['text/plain', {}],
    ['application/x-www-form-urlencoded', {}],
    ['multipart/form-data; boundary=x', {}],
    ['application/json; charset=utf-16', {}],
    ['application/json', { 'Content-Encoding': 'compress' }],
  ])('may not be %s %j', async (type, headers) => {
    const response = await post(type, 'x', headers);
    expect([response.status, response.body.code]).toEqual([415, 'unsupported_media_type']);
  });

  test('must say what it is', async () => {
    const { status } = await raw(app.url, 'POST', '/v1/send', ['Host', 'x', 'X-API-Key', app.keys.secret, 'Content-Length', '2'], '{}');
    expect(status).toBe(415);
  });

  test.each(['{', 'nonsense', '{"to":}', "{'to':1}", '{"a":1}{"b":2}', '\u0000', '[1,]', '{"to":"\ud800'])(
    '%j is no JSON',
    async (text) => {
      const response = await post('application/json', text);
      expect(response.status).toBe(422);
      expect(response.body).toMatchObject({ code: 'validation_error', details: [{ path: '', code: 'invalid_json' }] });
    },
  );

  test.each(['1e400', '-1e309', '9'.repeat(400)])('has no number beyond the range of a double: %.9s', async (number) => {
    const { status, body } = await bytes('/v1/contacts', Buffer.from(`{"email":"a@example.com","data":{"list":[1,${number}]}}`));
    expect([status, body.details]).toEqual([422, [{ path: 'data.list.1', code: 'too_big', message: expect.any(String) }]]);
  });

  test('that is not UTF-8 is no JSON', async () => {
    const response = await bytes('/v1/send', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]));
    expect(response.body.details).toEqual([{ path: '', code: 'invalid_json', message: expect.any(String) }]);
  });

  test.each(['null', '1', '"text"', 'true', '[]', '[{}]'])('%s is not an object', async (text) => {
    const response = await post('application/json', text);
    expect(response.body).toMatchObject({ code: 'validation_error', details: [{ path: '', code: 'invalid_type' }] });
  });

  test('that is not there counts as an empty object', async () => {
    const response = await app.api().post('/v1/templates');
    expect([response.status, response.body.code]).toEqual([422, 'validation_error']);
    expect((await app.api().patch('/v1/templates/tpl_unknown')).status).toBe(404);
  });

  test('may be compressed, and is measured by what comes out', async () => {
    const fine = gzipSync(JSON.stringify({ ...MESSAGE, to: [] }));
    expect((await bytes('/v1/send', fine, 'Content-Encoding', 'gzip')).body.details).toMatchObject([{ path: 'to' }]);
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '));
    expect((await bytes('/v1/send', bomb, 'Content-Encoding', 'gzip')).status).toBe(413);
    for (const encoding of ['gzip', 'deflate', 'br']) {
      const { status, body } = await bytes('/v1/send', 'not compressed', 'Content-Encoding', encoding);
      expect([encoding, status, body.details]).toMatchObject([encoding, 422, [{ path: '', code: 'invalid_json' }]]);
    }
  });

  const refusal = (head: string, goOn: (socket: net.Socket) => void): Promise<string> =>
    new Promise((resolve) => {
      const socket = net.connect(Number(new URL(app.url).port), '127.0.0.1');
      let text = '';
      socket.on('data', (chunk: Buffer) => (text += chunk.toString())).on('error', () => undefined);
      socket.on('close', () => resolve(text));
      socket.write(
        `POST /v1/suppressions HTTP/1.1\r\nHost: x\r\nX-API-Key: ${app.keys.secret}\r\nContent-Type: application/json\r\n${head}\r\n\r\n`,
      );
      goOn(socket);
    });

  test('that goes on and on is refused all the same', async () => {
    // It stops where the limit is, without an end: what is written to a connection that is closed takes the answer with it.
    const text = await refusal('Transfer-Encoding: chunked', (socket) =>
      socket.write(`${LIMIT.toString(16)}\r\n${'x'.repeat(LIMIT)}\r\n1\r\nx\r\n`),
    );
    expect(text).toMatch(/^HTTP\/1\.1 413 [^]*"code":"payload_too_large"/);
  });

  test('that is too large by what it says, and does not come, is refused soon', async () => {
    const text = await refusal('Content-Length: 10000000', (socket) => socket.write('{'));
    expect(text).toMatch(/^HTTP\/1\.1 413 [^]*"code":"payload_too_large"/);
  });

  test.each([
    ['/v1/send', 10],
    ['/v1/send/batch', 10],
    ['/v1/templates', 4],
    ['/v1/templates/tpl_1/test-send', 4],
    ['/v1/campaigns/cmp_1/test-send', 4],
    ['/v1/workflows/wfl_1/enroll', 4],
    ['/v1/suppressions', 1],
  ])('of %s may have %i MiB', async (path, mebibytes) => {
    const size = mebibytes * 1024 * 1024;
    const of = (length: number) => bytes(path, Buffer.from(`{"x":"${'x'.repeat(length - 8)}"}`));
    expect((await of(size)).status).toBe(422);
    const tooLarge = await of(size + 1);
    expect([tooLarge.status, tooLarge.body.code]).toEqual([413, 'payload_too_large']);
  });
});
