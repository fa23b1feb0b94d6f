import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { STORY } from '../../../api/openapi/story';
import type { Given } from '../../../api/openapi/story-parts';
import {
  ApiError,
  ConnectionError,
  Lettermill,
  RateLimitError,
  SignatureError,
  ValidationError,
  verifyWebhook,
} from '../../../clients/typescript/src/index';
import type { Pages } from '../../../clients/typescript/src/index';
import { anExampleServer } from '../../support/calls/examples';
import type { ExampleServer } from '../../support/calls/examples';
import { takenOut } from '../../support/calls/taken-out';

const server = anExampleServer();
let lettermill: Lettermill;

beforeAll(async () => {
  lettermill = new Lettermill({ apiKey: await server.begin(), baseUrl: server.url });
});

type Method = (...args: unknown[]) => Promise<unknown> | Pages<unknown>;

/** Ids in the order of the path, then the body or the file, then the query: as every method takes them. */
function call(operationId: string, { path = {}, body, file, query }: Given): Promise<unknown> {
  const method = (lettermill as unknown as Record<string, Method>)[operationId] as Method;
  const given = [...Object.values(path), ...(body === undefined ? [] : [body]), ...(file === undefined ? [] : [file])];
  const answer = method.apply(lettermill, [...given, ...(query ? [query] : [])]);
  return 'page' in answer ? answer.page() : answer;
}

test('every operation has a method, which sends its example and takes the answer out of its envelope', async () => {
  for (const [operationId, given] of STORY) {
    const result = await call(operationId, given);
    const { answer, ...asked } = server.exchanges.at(-1) as ExampleServer['exchanges'][number];
    expect([operationId, asked.operationId, asked.status < 300]).toEqual([operationId, operationId, true]);
    expect([operationId, asked.body]).toEqual([operationId, given.file ?? (given.body === undefined ? '' : JSON.stringify(given.body))]);
    const shown = result instanceof Uint8Array ? Buffer.from(result).toString() : result;
    expect([operationId, shown]).toEqual([operationId, takenOut(operationId, answer)]);
  }
});

test('the client reads lists page by page, as far as they are read', async () => {
  for (const name of ['one', 'two', 'three', 'four', 'five']) await lettermill.upsertContact({ email: `${name}@pages.example` });
  const before = server.exchanges.length;
  const found: string[] = [];
  for await (const { email } of lettermill.listContacts({ search: 'pages.example', limit: 2 })) found.push(email);
  expect(found).toEqual(['five', 'four', 'three', 'two', 'one'].map((name) => `${name}@pages.example`));
  expect(server.exchanges.length - before).toBe(3);
  expect(await lettermill.listContacts({ search: 'pages.example', limit: 2 }).toArray(1)).toHaveLength(1);
  expect(server.exchanges.length - before).toBe(4);
});

test('a call of the client fails with what the service says', async () => {
  const refused = lettermill.createSuppression({ email: 'not an address' });
  await expect(refused).rejects.toBeInstanceOf(ValidationError);
  await expect(refused).rejects.toMatchObject({
    name: 'ValidationError',
    status: 422,
    code: 'validation_error',
    details: [{ path: 'email', code: 'invalid_string' }],
    requestId: expect.stringMatching(/^req_/),
  });
  await expect(lettermill.getContact('nobody@example.com')).rejects.toMatchObject({ name: 'ApiError', code: 'not_found', status: 404 });
  const stranger = new Lettermill({ apiKey: 'sk_unknown', baseUrl: server.url });
  await expect(stranger.getBilling()).rejects.toMatchObject({ name: 'KeyError', code: 'unauthorized' });
});

describe('trying again', () => {
  interface Seen {
    readonly key: string | undefined;
    readonly body: string;
  }
  let away: Server;
  const seen: Seen[] = [];
  let answers: (readonly [status: number, code: string])[] = [];
  let unsteady: Lettermill;

  beforeAll(async () => {
    away = createServer((req, res) => {
      const chunks: Buffer[] = [];
      req.on('data', (chunk: Buffer) => chunks.push(chunk));
      req.on('end', () => {
        seen.push({ key: req.headers['idempotency-key']?.toString(), body: Buffer.concat(chunks).toString() });
        const [status, code] = answers.shift() ?? [200, ''];
        if (status === 0) return res.destroy();
        const body = code === '' ? { success: true, data: { results: [], testMode: false } } : { success: false, error: 'No', code };
        return res.writeHead(status, { 'content-type': 'application/json', 'retry-after': '0' }).end(JSON.stringify(body));
      });
    });
    await new Promise<void>((resolve) => away.listen(0, '127.0.0.1', resolve));
    unsteady = new Lettermill({ apiKey: 'sk_1', baseUrl: `http://127.0.0.1:${(away.address() as AddressInfo).port}` });
  });
  afterAll(() => new Promise((resolve) => away.close(resolve)));
  beforeEach(() => {
    seen.length = 0;
  });

  const MESSAGE = { to: 'ada@example.com', subject: 'Hello', text: 'Hello' };

  test('a send is repeated under one key of its own, after any failure between', async () => {
    answers = [
      [503, 'unavailable'],
      [409, 'idempotency_in_progress'],
      [429, 'rate_limited'],
    ];
    await expect(unsteady.send(MESSAGE)).resolves.toEqual({ results: [], testMode: false });
    expect(seen).toHaveLength(4);
    expect(new Set(seen.map(({ key }) => key)).size).toBe(1);
    expect(seen[0]?.key).toMatch(/^[0-9a-f-]{36}$/);
    expect(new Set(seen.map(({ body }) => body))).toEqual(new Set([JSON.stringify(MESSAGE)]));
  });

  test('a key that is given is taken, and a lost connection is no answer', async () => {
    answers = [[0, '']];
    await unsteady.send(MESSAGE, { idempotencyKey: 'order-1' });
    expect(seen.map(({ key }) => key)).toEqual(['order-1', 'order-1']);
  });

  test('an answer that breaks off or cannot be read is no answer', async () => {
    const whole = { success: true, data: { plan: 'free' } };
    const broken = new ReadableStream({
      start: (controller) => {
        controller.enqueue(new TextEncoder().encode('{"success":true,'));
        controller.error(new Error('cut off'));
      },
    });
    const given = [new Response(broken), new Response('<html>Sign in to the network</html>'), Response.json(whole)];
    const fetch = () => Promise.resolve(given.shift() ?? Response.json(whole));
    const proxied = new Lettermill({ apiKey: 'sk_1', baseUrl: 'http://mail.example', fetch });
    await expect(proxied.getBilling({ maxRetries: 0 })).rejects.toBeInstanceOf(ConnectionError);
    await expect(proxied.getBilling()).resolves.toEqual(whole.data);
    given.push(new Response('gateway', { status: 502 }), new Response('null', { status: 500 }));
    await expect(proxied.deleteTemplate('tpl_1')).rejects.toMatchObject({ status: 502, code: 'internal_error' });
    await expect(proxied.deleteTemplate('tpl_1')).rejects.toMatchObject({ status: 500, code: 'internal_error' });
  });

  test('a call that is given up between attempts ends at once', async () => {
    const given = new AbortController();
    answers = [[429, 'rate_limited']];
    const fetch: typeof globalThis.fetch = async (...asked) => {
      const response = await globalThis.fetch(...asked);
      setTimeout(() => given.abort(new Error('enough')), 5);
      return new Response(response.body, { status: response.status, headers: { 'retry-after': '30' } });
    };
    const { port } = away.address() as AddressInfo;
    const patient = new Lettermill({ apiKey: 'sk_1', baseUrl: `http://127.0.0.1:${port}`, fetch });
    const began = Date.now();
    await expect(patient.send(MESSAGE, { signal: given.signal })).rejects.toBeInstanceOf(ConnectionError);
    expect([seen.length, Date.now() - began < 25_000]).toEqual([1, true]);
  });

  test('what may have been done is not done again', async () => {
    answers = [[503, 'unavailable']];
    await expect(unsteady.createTemplate({ name: 'A', subject: 'A', body: 'A', fromEmail: 'a@example.com' })).rejects.toMatchObject({
      code: 'unavailable',
    });
    expect(seen).toHaveLength(1);
    answers = [[429, 'rate_limited']];
    await unsteady.deleteTemplate('tpl_1');
    expect(seen).toHaveLength(3);
  });

  test('it ends: after so many times, at a limit of time, and when it is given up', async () => {
    answers = Array.from({ length: 3 }, () => [429, 'rate_limited'] as const);
    await expect(unsteady.getBilling({ maxRetries: 1 })).rejects.toBeInstanceOf(RateLimitError);
    expect(seen).toHaveLength(2);
    answers = [];
    const signal = AbortSignal.abort();
    await expect(unsteady.getBilling({ signal })).rejects.toBeInstanceOf(ConnectionError);
    const silent = new Lettermill({ apiKey: 'sk_1', baseUrl: 'http://192.0.2.1', timeoutMs: 20, maxRetries: 0 });
    await expect(silent.getBilling()).rejects.not.toBeInstanceOf(ApiError);
  });
});

describe('webhooks', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const body = JSON.stringify({ id: 'evt_1', type: 'order.placed', createdAt: '', projectId: '', testMode: false, data: { total: 42 } });
  const signed = (at: number, under = secret): string => `t=${at},v1=${createHmac('sha256', under).update(`${at}.${body}`).digest('hex')}`;
  const now = (): number => Math.floor(Date.now() / 1_000);

  test('an event comes with its type', async () => {
    const headers = { 'X-Service-Signature': `${signed(now(), 'whsec_old')},${signed(now()).split(',')[1]}` };
    const event = await verifyWebhook<{ 'order.placed': { total: number } }>({ body: Buffer.from(body), headers, secret });
    const shown = (() => {
      switch (event.type) {
        case 'order.placed':
          return event.data.total;
        case 'email.bounced':
          return event.data.email.to;
        default:
          return event.type;
      }
    })();
    expect(shown).toBe(42);
  });

  test.each([
    ['of another secret', () => signed(now(), 'whsec_other')],
    ['of long ago', () => signed(now() - 301)],
    ['that is none', () => ''],
    ['that is half of one', () => signed(now()).slice(0, -2)],
  ])('a signature %s is refused', async (_, signature) => {
    const headers = new Headers({ 'x-service-signature': signature() });
    await expect(verifyWebhook({ body, headers, secret })).rejects.toBeInstanceOf(SignatureError);
  });
});
