import mongoose from 'mongoose';
import type { Test } from 'supertest';
import { emailRoutes } from '../../../api/emails/routes';
import type { Core } from '../../../src/platform/core/context';
import { KeyRates } from '../../../src/records/projects/key-rates';
import { hashKey } from '../../../src/records/projects/keys';
import { createKey } from '../../../src/records/projects/key-service';
import { apiOf, aProject, serve } from '../../support/platform/app';
import type { Api } from '../../support/platform/app';
import { eventually } from '../../support/platform/platform';
import { stored } from '../../support/data/stored';

const BURST = 5;

const app = aProject({ config: { API_RATE_PER_SECOND: '1', API_RATE_BURST: String(BURST) } });

afterEach(() => jest.restoreAllMocks());

const freshKey = async (kind: 'secret' | 'test' = 'secret'): Promise<string> => (await createKey(app.keys.projectId, kind, 50)).key;
const list = (api: Api): Test => api.get('/v1/emails');
const event = (api: Api, email: string): Test =>
  api.post('/v1/events').set('Idempotency-Key', `once for ${email}`).send({ name: 'order.placed', email });

/** Empties the bucket of a key, which regains nothing before `at`. */
const empty = async (key: string, at = new Date(Date.now() + 3_600_000)): Promise<void> => {
  await stored.keyRates.make({ _id: hashKey(key), units: 0, at, held: [], fullAt: at });
};

/** Takes units one by one until there are none. Resolves to how many there were. */
async function drain(rates: KeyRates, key: string): Promise<number> {
  for (let taken = 0; ; taken++) {
    const refusal: unknown = await rates.take(key).then(
      () => null,
      (error: unknown) => error,
    );
    if (refusal === null) continue;
    expect(refusal).toMatchObject({ code: 'rate_limited' });
    return taken;
  }
}

test('a key has a burst of requests, and then 429 with the headers of sends', async () => {
  const api = app.api(await freshKey());
  const { headers } = await list(api).expect(200);
  expect(headers).toMatchObject({ 'ratelimit-limit': '5', 'ratelimit-remaining': '4', 'ratelimit-reset': '1' });
  const began = performance.now();
  const answers = await Promise.all(Array.from({ length: 20 }, () => list(api)));
  const passed = answers.filter(({ status }) => status === 200).length;
  expect(passed).toBeGreaterThanOrEqual(BURST - 1);
  expect(passed).toBeLessThanOrEqual(BURST + (performance.now() - began) / 1_000);
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused.length).toBeGreaterThan(0);
  for (const answer of refused) {
    expect(answer).toMatchObject({ status: 429, body: { success: false, code: 'rate_limited' } });
    expect(answer.headers).toMatchObject({ 'ratelimit-limit': '5', 'ratelimit-remaining': '0', 'retry-after': '1' });
    expect(Number(answer.headers['ratelimit-reset'])).toBeGreaterThanOrEqual(BURST - 1);
  }
});

test('answers of any status count and carry the headers', async () => {
  const api = app.api(await freshKey());
  expect((await api.get('/v1/emails/unknown').expect(404)).headers).toMatchObject({ 'ratelimit-remaining': '4' });
  expect((await list(api).query({ limit: 'x' }).expect(422)).headers).toHaveProperty('ratelimit-remaining');
  expect((await app.api('no key').get('/v1/emails').expect(401)).headers).not.toHaveProperty('ratelimit-limit');
});

test('units come back as time passes', async () => {
  const key = await freshKey();
  await empty(key, new Date());
  const api = app.api(key);
  const regained = await eventually('a unit is regained', async () => {
    const answer = await list(api);
    return answer.status === 200 ? answer : null;
  });
  expect(regained.headers).toMatchObject({ 'ratelimit-limit': '5' });
});

test('each key has its own bucket, within a project too', async () => {
  const key = await freshKey();
  await empty(key);
  await list(app.api(key)).expect(429);
  expect((await list(app.api(await freshKey())).expect(200)).headers['ratelimit-remaining']).toBe('4');
  expect((await list(app.api(await freshKey('test'))).expect(200)).headers['ratelimit-remaining']).toBe('4');
});

test('sends neither take from the bucket nor wait for it', async () => {
  const [key, emptied] = [await freshKey('test'), await freshKey('test')];
  const api = app.api(key);
  const send = (path: string, body: object): Test => api.post(path).send(body);
  const message = { to: 'ada@example.com', from: 'hello@hello.test', subject: 'Hello', text: 'Hello' };
  for (let sent = 0; sent < BURST + 1; sent++) {
    expect((await send('/v1/send', message).expect(200)).headers['ratelimit-limit']).toBe('2000');
  }
  await send('/v1/send/batch', { messages: [message] }).expect(200);
  expect((await list(api).expect(200)).headers['ratelimit-remaining']).toBe('4');
  await empty(emptied);
  await list(app.api(emptied)).expect(429);
  await app.api(emptied).post('/v1/send').send(message).expect(200);
});

test('a request that is refused has no effect, is not read, and can be repeated with its Idempotency-Key', async () => {
  const key = await freshKey();
  const api = app.api(key);
  const email = 'late@example.com';
  await empty(key);
  await event(api, email).expect(429);
  expect(await stored.contacts.count({ email })).toBe(0);
  await api.post('/v1/events').set('Content-Type', 'text/plain').send('neither JSON nor an event').expect(429);
  await stored.keyRates.remove(hashKey(key));
  const answers: Awaited<Test>[] = [];
  await eventually('the request passes', async () => {
    const answer = await event(api, email);
    answers.push(answer);
    return answer.status !== 429;
  });
  expect(answers.at(-1)?.headers).not.toHaveProperty('x-idempotent-replay');
  expect(answers.at(-1)?.body).toMatchObject({ success: true });
  expect(await stored.contacts.count({ email })).toBe(1);
});

test('a replay takes nothing', async () => {
  const api = app.api(await freshKey());
  const first = await event(api, 'again@example.com').expect(201);
  const replay = await event(api, 'again@example.com').expect(201);
  expect(replay.headers).toMatchObject({ 'x-idempotent-replay': 'true', 'ratelimit-remaining': first.headers['ratelimit-remaining'] });
});

test('a clock that leaps keeps no caller waiting', async () => {
  const rates = new KeyRates({ API_RATE_BURST: 20, API_RATE_PER_SECOND: 1 });
  let leaps = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => process.uptime() * 1_000 + (leaps += 10_000));
  const states = await Promise.all(Array.from({ length: 8 }, () => rates.take('leaping')));
  expect(states).toHaveLength(8);
});

test('a database that cannot answer for the bucket is 503', async () => {
  const lost = new mongoose.mongo.MongoNetworkError('connection closed');
  jest.spyOn(stored.keyRates.collection, 'findOneAndUpdate').mockRejectedValueOnce(lost);
  const api = app.api(await freshKey());
  const { body, headers } = await list(api).expect(503);
  expect(body.code).toBe('unavailable');
  expect(headers).toHaveProperty('retry-after');
  await list(api).expect(200);
});

test('two processes together let no more pass than burst and rate, and not much less', async () => {
  const limits = { API_RATE_BURST: 60, API_RATE_PER_SECOND: 20 };
  const core: Core = { ...app.core, config: { ...app.core.config, ...limits } };
  const served = [await serve(core, emailRoutes), await serve(core, emailRoutes)];
  try {
    const key = await freshKey();
    const apis = served.map(({ url }) => apiOf(url, key)());
    let passed = 0;
    const began = performance.now();
    const elapsed = (): number => (performance.now() - began) / 1_000;
    const caller = async (api: Api): Promise<void> => {
      for (let refused = false; !refused || elapsed() < 2;) {
        refused = (await list(api)).status === 429;
        if (!refused) passed++;
      }
    };
    await Promise.all(apis.flatMap((api) => [caller(api), caller(api), caller(api)]));
    expect(passed).toBeLessThanOrEqual(limits.API_RATE_BURST + limits.API_RATE_PER_SECOND * elapsed());
    expect(passed).toBeGreaterThanOrEqual(limits.API_RATE_BURST / 2);
  } finally {
    await Promise.all(served.map((one) => one.close()));
  }
});

test('a bucket that fills up leaves room for what another process holds', async () => {
  const limits = { API_RATE_BURST: 40, API_RATE_PER_SECOND: 1 };
  const [one, other] = [new KeyRates(limits), new KeyRates(limits)];
  const began = performance.now();
  await one.take('held');
  const changed = await stored.keyRates.change('held', { at: new Date(Date.now() - 3_600_000) });
  expect(changed).toBe(1);
  const together = (await drain(other, 'held')) + (await drain(one, 'held'));
  expect(together).toBeLessThanOrEqual(limits.API_RATE_BURST + (performance.now() - began) / 1_000);
  expect(together).toBeGreaterThanOrEqual(30);
});

test('a process asks the database once for many requests, and gives back what it has not spent', async () => {
  const asked = jest.spyOn(stored.keyRates.collection, 'findOneAndUpdate');
  const rates = new KeyRates({ API_RATE_BURST: 500, API_RATE_PER_SECOND: 1 });
  await Promise.all(Array.from({ length: 400 }, () => rates.take('busy')));
  expect(asked.mock.calls.length).toBeLessThanOrEqual(25);
  expect(await rates.take('busy')).toMatchObject({ limit: 500, remaining: expect.any(Number) });
  const left = await drain(rates, 'busy');
  expect(left).toBeGreaterThanOrEqual(99);
});
