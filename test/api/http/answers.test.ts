import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { z } from 'zod';
import { Streamed, reply } from '../../../api/http/answers';
import { endpoint, group, listEndpoint, streamEndpoint, uploadEndpoint } from '../../../api/http/endpoint';
import { boundedArray } from '../../../api/http/pieces';
import { AppError, sendFailed } from '../../../src/platform/core/errors';
import type { ErrorCode } from '../../../src/platform/core/errors';
import { positioned } from '../../../src/platform/mongo/whole';
import { positionAt } from '../../../src/platform/core/context';
import { servedBeside, aProject } from '../../support/platform/app';

const summary = 'For tests';
const linkOf = (code: ErrorCode): string => `<${app.core.config.PUBLIC_URL}/docs/guides/errors#${code}>; rel="help"`;

const Row = z.object({ id: z.string() });

/** What `POST /v1/throws` throws next. */
let failure: unknown = null;

const endpoints = group('Tests', [
  listEndpoint('GET /v1/plain', {
    summary,
    operationId: 'listPlain',
    response: Row,
    list: 'whole',
    handle: () => Promise.resolve(positioned([{ id: 'a', secret: 'never shown' }], ({ id }) => positionAt(id))),
  }),
  endpoint('POST /v1/made', {
    summary,
    operationId: 'make',
    status: 201,
    request: { body: z.strictObject({ known: z.boolean().default(false), tags: boundedArray(z.string(), 1, 3).optional() }) },
    response: Row,
    idempotent: true,
    handle: ({ body, idempotency }) => {
      const row = { id: idempotency?.fingerprint ?? 'none', leaked: 'never shown' };
      return Promise.resolve(body.known ? reply(200, row, { 'X-Own': 'yes' }) : row);
    },
  }),
  uploadEndpoint('POST /v1/upload', {
    summary,
    operationId: 'upload',
    takes: ['text/csv'],
    limits: { bodyBytes: 1_000 },
    response: z.object({ size: z.number() }),
    handle: async ({ stream }) => ({ size: (await buffer(stream ?? Readable.from([]))).length }),
  }),
  streamEndpoint('GET /v1/download', {
    summary,
    operationId: 'download',
    response: z.string(),
    produces: 'text/csv',
    handle: () => Promise.resolve(new Streamed(Readable.from(['a,b\n', '1,2\n']), { 'Content-Disposition': 'attachment' })),
  }),
  endpoint('POST /v1/missing', { summary, operationId: 'missing', request: { body: z.strictObject({}) }, response: Row }),
  endpoint('GET /v1/wrong-answer', {
    summary,
    operationId: 'answerWrongly',
    response: Row,
    handle: () => Promise.resolve({ id: 1 } as never),
  }),
  endpoint('POST /v1/throws', {
    summary,
    operationId: 'throw',
    response: Row,
    handle: () => Promise.reject(failure as Error),
  }),
]);

const app = aProject({ log: (line) => lines.push(line) });
const served = servedBeside(app, endpoints);
const api = (key?: string | null) => served.api(key);
const lines: string[] = [];

describe('an answer', () => {
  test('of a plain list wraps its rows twice, and leaks nothing', async () => {
    expect((await api().get('/v1/plain')).body).toEqual({ success: true, data: { data: [{ id: 'a' }] } });
  });

  test('has the declared status, or the handler’s', async () => {
    const made = await api().post('/v1/made').send({});
    expect([made.status, made.body]).toEqual([201, { success: true, data: { id: 'none' } }]);
    const known = await api().post('/v1/made').send({ known: true });
    expect([known.status, known.headers['x-own']]).toEqual([200, 'yes']);
  });

  test('may be a stream', async () => {
    const response = await api().get('/v1/download');
    expect([response.text, response.headers['content-type'], response.headers['content-disposition']]).toEqual([
      'a,b\n1,2\n',
      'text/csv; charset=utf-8',
      'attachment',
    ]);
  });

  test('that breaks its own schema is our fault, not the caller’s', async () => {
    const { status, body } = await api().get('/v1/wrong-answer');
    expect([status, body.code]).toEqual([500, 'internal_error']);
  });

  test('is 501 for what is not built, once the key is known', async () => {
    expect((await api(null).post('/v1/missing').send({})).status).toBe(401);
    const { status, body } = await api().post('/v1/missing').send({});
    expect([status, body.code]).toEqual([501, 'not_implemented']);
  });
});

describe('an idempotency key', () => {
  const fingerprint = async (body: object) => (await api().post('/v1/made').set('Idempotency-Key', 'k').send(body)).body.data.id as string;

  test('comes with a fingerprint that the order of keys does not change', async () => {
    expect(await fingerprint({ known: true, tags: ['a', 'b'] })).toBe(await fingerprint({ tags: ['a', 'b'], known: true }));
    expect(await fingerprint({ tags: ['a', 'b'] })).not.toBe(await fingerprint({ tags: ['b', 'a'] }));
    expect(await fingerprint({})).not.toBe(await fingerprint({ known: false }));
  });

  test.each([
    ['empty', ''],
    ['too long', 'k'.repeat(256)],
    ['not ASCII', 'clé'],
  ])('that is %s is refused', async (_name, key) => {
    const response = await api().post('/v1/made').set('Idempotency-Key', key).send({});
    expect(response.body.details).toEqual([{ path: 'Idempotency-Key', code: 'invalid_string', message: expect.any(String) }]);
  });

  test.each(['k', 'k'.repeat(255), '~ !"#'])('%s is taken', async (key) => {
    expect((await api().post('/v1/made').set('Idempotency-Key', key).send({})).status).toBe(201);
  });
});

describe('an upload', () => {
  const upload = (type: string, body: string) => api().post('/v1/upload').set('Content-Type', type).send(body);

  test('is streamed to its handler', async () => {
    expect((await upload('text/csv; charset=utf-8', 'x'.repeat(1_000))).body.data).toEqual({ size: 1_000 });
  });

  test('is measured, also when it does not say how long it is', async () => {
    expect((await upload('text/csv', 'x'.repeat(1_001))).status).toBe(413);
    const chunked = api().post('/v1/upload').set('Content-Type', 'text/csv').set('Transfer-Encoding', 'chunked');
    for (let i = 0; i < 20; i++) chunked.write('x'.repeat(100));
    expect((await chunked).status).toBe(413);
  });

  test('is of the declared type', async () => {
    expect((await upload('application/json', '{}')).status).toBe(415);
  });
});

describe('a failure', () => {
  const fail = (error: unknown) => {
    failure = error;
    lines.length = 0;
    return api().post('/v1/throws');
  };

  test.each<[ErrorCode, number]>([
    ['ambiguous_api_key', 400],
    ['unauthorized', 401],
    ['approval_needed', 403],
    ['not_found', 404],
    ['invalid_state', 409],
    ['conflict', 409],
    ['in_use', 409],
    ['reentry_refused', 409],
    ['filter_not_matched', 409],
    ['idempotency_key_reused', 409],
    ['idempotency_in_progress', 409],
    ['payments_disabled', 409],
    ['payload_too_large', 413],
    ['unsupported_media_type', 415],
    ['rate_limited', 429],
    ['limit_reached', 429],
    ['not_implemented', 501],
    ['unavailable', 503],
  ])('%s is %i, without details', async (code, status) => {
    const response = await fail(
      new AppError(code, 'what happened', [{ path: 'x', code: 'not_found', message: 'm' }], { headers: { 'X-Own': 'yes' } }),
    );
    expect(response.status).toBe(status);
    expect(response.body).toEqual({ success: false, error: 'what happened', code });
    expect(response.headers['link']).toBe(linkOf(code));
    expect(response.headers['x-own']).toBe('yes');
  });

  test('to send is 422 with one detail', async () => {
    const response = await fail(sendFailed('template_not_found', 'No such template'));
    expect([response.status, response.body]).toEqual([
      422,
      {
        success: false,
        error: 'No such template',
        code: 'send_failed',
        details: [{ path: '', code: 'template_not_found', message: 'No such template' }],
      },
    ]);
  });

  test('that was not foreseen is a bare 500 and one line in the log, with its cause and without secrets', async () => {
    const cause = new Error('dup key: { email: "ada@example.com" }');
    const response = await fail(new Error('token sk_0123456789abcdef of ada@example.com', { cause }));
    expect(response.status).toBe(500);
    expect(response.body).toEqual({ success: false, error: expect.any(String), code: 'internal_error' });
    expect(response.headers['link']).toBe(linkOf('internal_error'));
    expect(JSON.stringify(response.body)).not.toContain('token');
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 50,
      status: 500,
      failure: { message: 'token [redacted] of [redacted]', cause: { message: 'dup key' } },
    });
    expect(lines[0]).not.toContain('ada@');
  });

  test.each([null, undefined, 'a text', 42, {}])('may be %j', async (thrown) => {
    expect((await fail(thrown)).status).toBe(500);
  });

  test.each([
    ['MongoServerSelectionError', {}],
    ['MongoNetworkError', {}],
    ['MongoNetworkTimeoutError', {}],
    ['MongoPoolClearedError', {}],
    ['PoolClearedOnNetworkError', {}],
    ['MongoNotConnectedError', {}],
    ['MongoTopologyClosedError', {}],
    ['MongooseServerSelectionError', {}],
    ['MongoWaitQueueTimeoutError', {}],
    ['MongoServerError', { code: 10107 }],
    ['MongoServerError', { code: 50 }],
    ['MongoServerError', { code: 189 }],
    ['MongoBulkWriteError', { code: 11602 }],
    ['MongoBulkWriteError', { errorResponse: Object.assign(new Error('read ECONNRESET'), { name: 'MongoNetworkError' }) }],
    ['MongoServerError', { code: 112 }],
    ['MongoServerError', { code: 251 }],
    ['MongoServerError', { code: 43 }],
  ])('%s %j means that the database is away', async (name, more) => {
    const response = await fail(Object.assign(new Error('connect ECONNREFUSED'), { name, ...more }));
    expect([response.status, response.body.code, response.headers['retry-after']]).toEqual([503, 'unavailable', '2']);
    const wrapped = await fail(new Error('could not look it up', { cause: Object.assign(new Error('x'), { name, ...more }) }));
    expect(wrapped.status).toBe(503);
  });

  test('of one write is no outage', async () => {
    expect((await fail(Object.assign(new Error('E11000'), { name: 'MongoServerError', code: 11_000 }))).status).toBe(500);
  });
});
