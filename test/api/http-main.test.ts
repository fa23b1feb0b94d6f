import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { connectMongo, createIndexes, disconnectMongo } from '../../src/mongo/connect';
import { createProject } from '../../src/projects/service';
import { eventually } from '../support/platform';
import { freePort, startMongod } from '../support/servers';
import type { TestServer } from '../support/servers';

const ROOT = path.join(__dirname, '..', '..');
const dir = mkdtempSync(path.join(os.tmpdir(), 'lettermill-api-'));

let mongod: TestServer;
let secret: string;
let env: Record<string, string>;
let api: ChildProcess;
let url: string;

/** As `npm run api` would start it; resolves when it listens. */
async function startApi(): Promise<void> {
  api = fork(path.join(ROOT, 'src/run.cjs'), ['api/main.ts'], {
    execArgv: [],
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...env },
    silent: true,
  });
  const [message] = (await once(api, 'message')) as [{ listening: number }];
  url = `http://127.0.0.1:${message.listening}`;
}

const exitCode = async (): Promise<number | null> => {
  if (api.exitCode !== null) return api.exitCode;
  const [code] = (await once(api, 'exit')) as [number | null];
  return code;
};

const get = async (where: string) => {
  const response = await fetch(`${url}${where}`, { headers: { 'x-api-key': secret } });
  return { status: response.status, retryAfter: response.headers.get('retry-after'), body: (await response.json()) as { code?: string } };
};

beforeAll(async () => {
  mongod = await startMongod({ dir: path.join(dir, 'mongo') });
  const uri = `mongodb://127.0.0.1:${mongod.port}/lettermill?replicaSet=rs0&directConnection=true&serverSelectionTimeoutMS=500`;
  await connectMongo(uri);
  await createIndexes();
  ({ secret } = await createProject('Default'));
  await disconnectMongo();
  env = {
    NODE_ENV: 'production',
    PORT: '0',
    MONGODB_URI: uri,
    TEMPORAL_ADDRESS: `127.0.0.1:${await freePort()}`,
    APP_SECRET: 'an application secret for tests only!',
    SMTP_URL: 'smtp://127.0.0.1:1',
  };
}, 120_000);

afterAll(async () => {
  api.kill('SIGKILL');
  await mongod.kill9();
  rmSync(dir, { recursive: true, force: true });
});

test('starts and answers while its servers are away, and goes on when they are back', async () => {
  await mongod.kill9();
  await startApi();
  expect(await get('/v1/emails')).toMatchObject({ status: 503, body: { code: 'unavailable' }, retryAfter: '2' });
  expect(await get('/v1/health')).toMatchObject({ status: 503, body: { code: 'unavailable' } });
  expect((await get('/v1/openapi.json')).status).toBe(200);

  await mongod.restart();
  await eventually('requests are answered', async () => (await get('/v1/emails')).status === 200, 30_000);
  expect(await get('/v1/health')).toMatchObject({ status: 503, body: { error: 'Not available: temporal' } });

  await mongod.kill9();
  expect(await get('/v1/emails')).toMatchObject({ status: 503, body: { code: 'unavailable' } });
  await mongod.restart();
  await eventually('requests are answered again', async () => (await get('/v1/emails')).status === 200, 30_000);
}, 120_000);

test('finishes what was begun when it is told to stop', async () => {
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
        if (chunk.toString().includes('stopping')) call.end('}');
      });
    });
  });
  expect(await answered).toBe(422);
  expect(await exitCode()).toBe(0);
}, 60_000);

test('says what is wrong with its configuration, and ends', async () => {
  const { APP_SECRET: _, ...incomplete } = env;
  const child = fork(path.join(ROOT, 'src/run.cjs'), ['api/main.ts'], {
    execArgv: [],
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...incomplete, PORT: 'many' },
    silent: true,
  });
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const [code] = (await once(child, 'exit')) as [number];
  expect(code).toBe(1);
  expect(said).toContain('PORT');
  expect(said).not.toContain('    at ');
}, 60_000);
