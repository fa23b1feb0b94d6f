import { createTransport } from 'nodemailer';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openDataDir } from '../../../../packages/local/src/data-dir';
import { runningMongod } from '../../../../packages/local/src/mongod';
import { endProcess } from '../../../../packages/local/src/os-processes';
import { freePorts } from '../../../../packages/local/src/ports';
import { runningTemporal } from '../../../../packages/local/src/temporal';
import { eventually } from '../../../support/platform/platform';
import { postfixReport } from '../../../support/data/returned-mail';
import { deliver } from '../../../support/calls/smtp-talk';
import { PARTS, Start } from '../../../support/platform/start';

interface Keys {
  readonly projectId: string;
  readonly secret: string;
}

const root = mkdtempSync(path.join(os.tmpdir(), 'lettermill-start-'));
const dir = openDataDir(path.join(root, 'data'));
let env: Record<string, string>;
let current: Start;
let firstId: string;

const start = (): Start => (current = new Start(env));
const keys = (): Keys => JSON.parse(readFileSync(dir.keys, 'utf8')) as Keys;
const base = (): string => `http://127.0.0.1:${env['PORT']}`;

async function get<T>(route: string): Promise<T> {
  const response = await fetch(base() + route, { headers: { authorization: `Bearer ${keys().secret}` } });
  if (response.status !== 200) throw new Error(`${route} answered ${response.status}`);
  return (await response.json()) as T;
}

async function send(to: string): Promise<string> {
  const response = await fetch(`${base()}/v1/send`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keys().secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ to, from: 'hello@hello.test', subject: 'Hello', html: '<p>Hello</p>' }),
  });
  const body = (await response.json()) as { data: { results: { id: string }[] } };
  return body.data.results[0]?.id ?? '';
}

const arrived = async (to: string): Promise<boolean> => (await get<{ to: string }[]>('/dev/inbox.json')).some((mail) => mail.to === to);

beforeAll(async () => {
  const [api = '', inbound = '', submission = ''] = (await freePorts(3)).map(String);
  env = { DATA_DIR: dir.root, PORT: api, INBOUND_SMTP_PORT: inbound, SUBMISSION_PORT: submission, TEMPORAL_UI_PORT: '0' };
});

afterAll(async () => {
  current.signal('SIGTERM');
  await current.ended();
  const left = [runningMongod(dir.mongo)?.pid, runningTemporal(dir.temporal)];
  for (const pid of left) if (pid) await endProcess(pid, 5000);
  rmSync(root, { recursive: true, force: true });
});

test('the first start is ready, has a project, takes mail and shows it; a second start on the same data says why it cannot be', async () => {
  await start().ready();
  expect(current.output).toContain(`http://localhost:${env['PORT']}/dev/inbox`);
  expect(current.output).toContain(keys().secret);
  expect(current.output).not.toMatch(/\bWARN\b|Starting Lettermill/);
  expect(Object.keys(keys())).toEqual(['projectId', 'secret', 'test', 'public']);
  expect(statSync(dir.keys).mode & 0o777).toBe(0o600);
  expect(Object.keys(current.parts())).toEqual([...PARTS]);
  expect(await get('/v1/health')).toMatchObject({ success: true, data: { status: 'ok' } });
  const [, key = '', message = ''] = /Try this[\s\S]*Bearer (\w+)'.* -d '(.+)'/.exec(current.output) ?? [];
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const tried = await fetch(`http://127.0.0.1:${env['PORT']}/v1/send`, { method: 'POST', headers, body: message });
  expect([tried.status, await tried.json()]).toMatchObject([200, { data: { results: [{ status: 'queued' }] } }]);
  firstId = await send('first@example.com');
  await eventually('the first message arrives', () => arrived('first@example.com'));
  const second = new Start({ ...env, PORT: '0', INBOUND_SMTP_PORT: '0', SUBMISSION_PORT: '0' });
  expect(await second.ended()).toEqual([1, null]);
  expect(second.output).toContain('is in use by another Lettermill');
});

test('a bounce at the envelope sender marks its message bounced', async () => {
  const id = await send('gone@example.com');
  const inbox = () => get<{ to: string; envelopeFrom: string }[]>('/dev/inbox.json');
  const mail = await eventually('the message arrives', async () => (await inbox()).find(({ to }) => to === 'gone@example.com'));
  const data = postfixReport({ to: 'gone@example.com', said: '550 5.1.1 User unknown', status: '5.1.1' });
  expect((await deliver(Number(env['INBOUND_SMTP_PORT']), { to: mail.envelopeFrom, data })).data).toMatch(/^250 /);
  expect(await get(`/v1/emails/${id}`)).toMatchObject({ data: { status: 'bounced', bounceType: 'hard' } });
  expect(await get('/v1/suppressions/gone@example.com')).toMatchObject({ data: { suppression: { reason: 'hard_bounce', source: 'dsn' } } });
});

test('a program hands mail in by SMTP with the key, and trusts the certificate in the data folder', async () => {
  const port = Number(/SMTP +127\.0\.0\.1:(\d+), with STARTTLS/.exec(current.output)?.[1]);
  const ca = readFileSync(path.join(dir.root, 'smtp-cert.pem'));
  const program = createTransport({ host: '127.0.0.1', port, requireTLS: true, tls: { ca }, auth: { user: 'me', pass: keys().secret } });
  const { response } = await program.sendMail({ from: 'shop@hello.test', to: 'smtp@example.com', subject: 'By SMTP', text: 'By SMTP' });
  expect(response).toMatch(/^250 2\.0\.0 em_/);
  await eventually('the message arrives', () => arrived('smtp@example.com'));
});

test('mail to the development domain is received', async () => {
  const data = 'From: Ada <ada@example.com>\nSubject: A question\n\nHello\n';
  const { data: reply } = await deliver(Number(env['INBOUND_SMTP_PORT']), { from: 'ada@example.com', to: 'support@hello.test', data });
  expect(reply).toMatch(/^250 /);
  const [mail] = (await get<{ data: { fromEmail: string; subject: string }[] }>('/v1/inbound')).data;
  expect(mail).toMatchObject({ fromEmail: 'ada@example.com', subject: 'A question' });
});

test('each part that is killed comes back while the others go on, and mail is delivered again', async () => {
  const before = current.parts();
  for (const pid of Object.values(before)) process.kill(pid, 'SIGKILL');
  await eventually('all parts are back', () => {
    const now = current.parts();
    return PARTS.every((name) => now[name] !== undefined && now[name] !== before[name]);
  });
  await eventually('healthy again', () => get('/v1/health'));
  const id = await eventually('accepted again', () => send('second@example.com'));
  await eventually('the second message arrives', () => arrived('second@example.com'));
  expect(id).toMatch(/^em_/);
  expect(await arrived('first@example.com')).toBe(true);
});

test('everything killed at once: the next start finds its data', async () => {
  const before = keys();
  await current.killEverything();
  await start().ready();
  expect(keys()).toEqual(before);
  expect(current.output).toContain(before.secret);
  expect(await get(`/v1/emails/${firstId}`)).toMatchObject({ data: { emailId: firstId, subject: 'Hello' } });
  expect(await arrived('first@example.com')).toBe(true);
});

test('the supervisor killed alone: its parts end, and the next start takes over what is left', async () => {
  const { 'api/main': api, mongod } = current.parts();
  current.signal('SIGKILL');
  await current.ended();
  await start().ready();
  const now = current.parts();
  expect(Object.keys(now)).toEqual([...PARTS]);
  expect([now['api/main'], now['mongod']]).not.toEqual([api, mongod]);
  expect(() => process.kill(api ?? 0, 0)).toThrow('ESRCH');
  expect(await arrived('second@example.com')).toBe(true);
});

test('SIGTERM ends it cleanly and leaves nothing running', async () => {
  const pids = Object.values(current.parts());
  current.signal('SIGTERM');
  expect(await current.ended()).toEqual([0, null]);
  for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  expect([runningMongod(dir.mongo), runningTemporal(dir.temporal)]).toEqual([null, null]);
});
