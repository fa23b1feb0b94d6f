import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import mongoose from 'mongoose';
import { migrateAll } from '../../../src/upkeep/migrations/migrate';
import { connectMongo, disconnectMongo } from '../../../src/platform/mongo/connect';
import { eventually } from '../../support/platform/platform';
import { freePort, processCode, startMongod } from '../../support/run/servers';
import type { TestServer } from '../../support/run/servers';
import { newProject } from '../../support/data/projects';

const ROOT = path.join(__dirname, '../../..');
const dir = mkdtempSync(path.join(os.tmpdir(), 'lettermill-api-'));

let mongod: TestServer;
let secret: string;
let env: Record<string, string>;
let api: ChildProcess;
let url: string;
/** By the API on standard error. */
let said: string;

/** As `npm run api` would start it; resolves when it listens. */
async function startApi(): Promise<void> {
  api = fork(processCode('api/main.ts'), {
    execArgv: [],
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...env },
    silent: true,
  });
  said = '';
  api.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const [message] = (await once(api, 'message')) as [{ listening: number }];
  url = `http://127.0.0.1:${message.listening}`;
}

/** The code that the API ends with; with what it says on standard error where it is not 0. */
const exitCode = async (): Promise<number | string> => {
  if (api.exitCode === null) await once(api, 'exit');
  return api.exitCode === 0 ? 0 : `${api.exitCode}: ${said}`;
};

const get = async (where: string) => {
  const response = await fetch(`${url}${where}`, { headers: { 'x-api-key': secret } });
  return { status: response.status, retryAfter: response.headers.get('retry-after'), body: (await response.json()) as { code?: string } };
};

beforeAll(async () => {
  mongod = await startMongod({ dir: path.join(dir, 'mongo') });
  const uri = `mongodb://127.0.0.1:${mongod.port}/lettermill?replicaSet=rs0&directConnection=true&serverSelectionTimeoutMS=500`;
  await connectMongo(uri);
  await migrateAll(() => undefined);
  ({ secret } = await newProject('Default'));
  await disconnectMongo();
  env = {
    NODE_ENV: 'production',
    PORT: '0',
    MONGODB_URI: uri,
    TEMPORAL_ADDRESS: `127.0.0.1:${await freePort()}`,
    APP_SECRET: 'an application secret for tests only!',
    SMTP_URL: 'smtp://127.0.0.1:1',
  };
});

afterAll(async () => {
  api.kill('SIGKILL');
  await mongod.kill9();
  rmSync(dir, { recursive: true, force: true });
});

test('the API starts and answers while its servers are away, and goes on when they are back', async () => {
  await mongod.kill9();
  await startApi();
  expect(await get('/v1/emails')).toMatchObject({ status: 503, body: { code: 'unavailable' }, retryAfter: '2' });
  expect(await get('/v1/health')).toMatchObject({ status: 503, body: { code: 'unavailable' } });
  expect((await get('/v1/openapi.json')).status).toBe(200);
  expect(await get('/livez')).toMatchObject({ status: 200, body: { status: 'live' } });
  expect(await get('/readyz')).toMatchObject({ status: 503, body: { code: 'unavailable', error: 'This process is not ready' } });

  await mongod.restart();
  await eventually('requests are answered', async () => (await get('/v1/emails')).status === 200);
  expect(await get('/v1/health')).toMatchObject({ status: 503, body: { error: 'Not available: temporal' } });
  const ready = { status: 200, body: { status: 'ready', checks: { mongodb: 'up', temporal: 'down' } } };
  await eventually('it is ready without Temporal', async () => (await get('/readyz')).status === 200);
  expect(await get('/readyz')).toMatchObject(ready);

  await mongod.kill9();
  expect(await get('/v1/emails')).toMatchObject({ status: 503, body: { code: 'unavailable' } });
  await eventually('it is not ready without MongoDB', async () => (await get('/readyz')).status === 503);
  expect((await get('/livez')).status).toBe(200);
  await mongod.restart();
  await eventually('requests are answered again', async () => (await get('/v1/emails')).status === 200);
});

test('the API finishes what was begun when it is stopped, be it twice', async () => {
  const answered = new Promise<number | undefined>((resolve, reject) => {
    const call = http.request(`${url}/v1/send`, {
      method: 'POST',
      headers: { 'x-api-key': secret, 'content-type': 'application/json', 'content-length': 2 },
    });
    call.on('response', (response) => resolve(response.resume().statusCode));
    call.on('error', reject);
    call.write('{', () => {
      api.kill('SIGTERM');
      api.stdout?.on('data', (chunk: Buffer) => {
        if (!chunk.toString().includes('stopping')) return;
        api.kill('SIGTERM');
        call.end('}');
      });
    });
  });
  expect(await answered).toBe(422);
  expect(await exitCode()).toBe(0);
});

/** A request as it goes over the wire; resolves to the status line of its answer, empty when there is none. `sent` once it has left. */
function rawGet(where: string): { readonly sent: Promise<unknown>; readonly answer: Promise<string> } {
  const { hostname, port } = new URL(url);
  const socket = net.connect(Number(port), hostname);
  let text = '';
  const answer = new Promise<string>((resolve) => {
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    socket.on('error', () => undefined).on('close', () => resolve(text.split('\r\n')[0] ?? ''));
  });
  const sent = new Promise((resolve) => {
    socket.write(`GET ${where} HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${secret}\r\nConnection: close\r\n\r\n`, resolve);
  });
  return { sent, answer };
}

test('the API answers what had reached it when it is stopped', async () => {
  await startApi();
  await eventually('it takes requests', async () => (await get('/v1/billing')).status === 200);
  api.kill('SIGSTOP');
  const calls = Array.from({ length: 20 }, () => rawGet('/v1/billing'));
  await Promise.all(calls.map(({ sent }) => sent));
  api.kill('SIGTERM');
  api.kill('SIGCONT');
  expect(await Promise.all(calls.map(({ answer }) => answer))).toEqual(calls.map(() => 'HTTP/1.1 200 OK'));
  expect(await exitCode()).toBe(0);
});

test('the API says that it is not ready, and goes on taking connections, for DRAIN_SECONDS before it stops', async () => {
  env['DRAIN_SECONDS'] = '2';
  await startApi();
  delete env['DRAIN_SECONDS'];
  await eventually('it takes requests', async () => (await get('/readyz')).status === 200);
  const begun = performance.now();
  api.kill('SIGTERM');
  await eventually('it is not ready', async () => (await get('/readyz')).status === 503);
  expect(await rawGet('/v1/billing').answer).toBe('HTTP/1.1 200 OK');
  expect(await exitCode()).toBe(0);
  expect(performance.now() - begun).toBeGreaterThanOrEqual(2_000);
});

test('the API ends in time also when the database does not answer a transaction', async () => {
  await startApi();
  await eventually('it takes requests', async () => (await get('/v1/billing')).status === 200);
  await connectMongo(String(env['MONGODB_URI']));
  const contacts = mongoose.connection.collection<{ _id: string }>('contacts');
  const session = await mongoose.startSession();
  session.startTransaction();
  const headers = { 'x-api-key': secret, 'content-type': 'application/json' };
  const upsert = (firstName: string) =>
    fetch(`${url}/v1/contacts`, { method: 'POST', headers, body: JSON.stringify({ email: 'ada@example.com', firstName }) });
  try {
    expect((await upsert('Ada')).status).toBe(201);
    await contacts.updateOne({ email: 'ada@example.com' }, { $set: { lastName: 'Lovelace' } }, { session });
    // It begins again and again, since another transaction has the contact.
    const stuck = upsert('Augusta').catch(() => null);
    await eventually('its transaction is under way', async () => (await openTransactions()) > 1);
    process.kill(mongod.pid, 'SIGSTOP');
    const begun = performance.now();
    api.kill('SIGTERM');
    expect(await exitCode()).toBe(0);
    expect(performance.now() - begun).toBeLessThan(25_000);
    await stuck;
  } finally {
    process.kill(mongod.pid, 'SIGCONT');
    await session.abortTransaction();
    await disconnectMongo();
  }
});

const openTransactions = async (): Promise<number> => {
  const status = await mongoose.connection.db?.admin().command({ serverStatus: 1 });
  return (status?.['transactions'] as { currentOpen: number }).currentOpen;
};

test('an error that nothing handles ends the API in order: what was begun is answered, and the log says it once', async () => {
  const hook = path.join(dir, 'hook.cjs');
  const failing =
    "process.on('SIGUSR2', () => { Promise.reject(new Error('first of ada@example.com')); setImmediate(() => { throw new Error('second'); }); });";
  writeFileSync(hook, failing);
  env['NODE_OPTIONS'] = `--require ${hook}`;
  await startApi();
  delete env['NODE_OPTIONS'];
  let logged = '';
  api.stdout?.on('data', (chunk: Buffer) => (logged += chunk.toString()));
  const answered = new Promise<number | undefined>((resolve, reject) => {
    const headers = { 'x-api-key': secret, 'content-type': 'application/json', 'content-length': 2 };
    const call = http.request(`${url}/v1/send`, { method: 'POST', headers });
    call.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject);
    call.write('{', () => {
      api.kill('SIGUSR2');
      api.stdout?.on('data', (chunk: Buffer) => chunk.toString().includes('stopping') && call.end('}'));
    });
  });
  expect(await answered).toBeGreaterThanOrEqual(422);
  expect(await exitCode()).toMatch(/^1: $/);
  const fatal = logged.split('\n').filter((line) => line.includes('"level":60'));
  expect(fatal.map((line) => (JSON.parse(line) as { err: { message: string } }).err.message)).toEqual(['first of [redacted]']);
});

test.each([
  ['a port that is none', { PORT: 'many' }, /PORT/],
  ['a file that is not there', { TEMPORAL_TLS_CA: '/nowhere.pem' }, /^Bad configuration:\n✖ TEMPORAL_TLS_CA names .* \(ENOENT\)\n$/],
  [
    'a file that MongoDB cannot be asked with',
    { MONGODB_URI: 'mongodb://a/?tls=true&tlsCAFile=/nowhere.pem' },
    /^Bad .*\n✖ .*\(tlsCAFile\).*\n$/,
  ],
])('the API says what is wrong with its configuration, and ends: %s', async (_name, wrong, sentence) => {
  const child = fork(processCode('api/main.ts'), {
    execArgv: [],
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...env, ...wrong },
    silent: true,
  });
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const [code] = (await once(child, 'exit')) as [number];
  expect(code).toBe(1);
  expect(said).toMatch(sentence);
  expect(said).not.toContain('    at ');
});
