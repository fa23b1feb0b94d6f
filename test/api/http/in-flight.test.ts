import http from 'node:http';
import { z } from 'zod';
import { endpoint, group } from '../../../api/http/endpoint';
import { aProject, servedBeside } from '../../support/platform/app';
import { eventually } from '../../support/platform/platform';

const app = aProject({ config: { MAX_REQUESTS_IN_FLIGHT: '2' } });

const waiting: (() => void)[] = [];

const response = z.strictObject({});
const endpoints = group('Tests', [
  endpoint('POST /v1/held', {
    operationId: 'held',
    summary: 'Answers when it is told to',
    request: { body: z.strictObject({}) },
    response,
    handle: () => new Promise<Record<string, never>>((resolve) => waiting.push(() => resolve({}))),
  }),
  endpoint('GET /v1/quick', { operationId: 'quick', summary: 'Answers at once', response, handle: () => ({}) }),
  endpoint('GET /v1/health', { operationId: 'health', summary: 'Answers always', access: 'none', response, handle: () => ({}) }),
]);
const beside = servedBeside(app, endpoints);

const call = () => beside.api().post('/v1/held').send({});

const answerOne = (): void => waiting.shift()?.();

/** Begins a request whose body does not end. */
function slowly(): Promise<http.ClientRequest> {
  const headers = { authorization: `Bearer ${app.keys.secret}`, 'content-type': 'application/json', 'content-length': 2 };
  const request = http.request(`${beside.url}/v1/held`, { method: 'POST', headers }).on('error', () => undefined);
  return new Promise((resolve) => request.write('{', () => resolve(request)));
}

test('of more requests than a process works on at once, the rest is told at once to come again, and is taken then', async () => {
  const first = [call().then(({ status }) => status), call().then(({ status }) => status)];
  await eventually('both are worked on', () => waiting.length === 2);
  const { status, headers, body } = await call();
  expect({ status, code: (body as { code: string }).code, wait: headers['retry-after'] }).toEqual({
    status: 503,
    code: 'unavailable',
    wait: '2',
  });
  expect(headers['link']).toContain('errors#unavailable');
  expect((await beside.api(null).get('/v1/health')).status).toBe(200);
  answerOne();
  await Promise.race(first);
  const again = call().then((answer) => answer.status);
  await eventually('it is worked on', () => waiting.length === 2);
  answerOne();
  answerOne();
  expect(await Promise.all([...first, again])).toEqual([200, 200, 200]);
});

test('a client that leaves gives its place back', async () => {
  const leaving = [1, 2].map(() => {
    const abort = new AbortController();
    const headers = { authorization: `Bearer ${app.keys.secret}`, 'content-type': 'application/json' };
    void fetch(`${beside.url}/v1/held`, { method: 'POST', headers, body: '{}', signal: abort.signal }).catch(() => undefined);
    return abort;
  });
  await eventually('both are worked on', () => waiting.length === 2);
  expect((await call()).status).toBe(503);
  for (const abort of leaving) abort.abort();
  await eventually('there is a place', async () => (await beside.api().get('/v1/quick')).status === 200);
  for (const answer of waiting.splice(0)) answer();
});

test('a body that does not end holds no place', async () => {
  const slow = await Promise.all([slowly(), slowly(), slowly()]);
  const taken = call().then(({ status }) => status);
  await eventually('another is worked on', () => waiting.length === 1);
  answerOne();
  expect(await taken).toBe(200);
  for (const request of slow) request.destroy();
});
