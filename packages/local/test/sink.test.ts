import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { createTransport } from 'nodemailer';
import type { Transporter } from 'nodemailer';
import { freePorts } from '../src/ports';
import { startSink } from '../src/sink';
import type { Sink } from '../src/sink';

/** The host by which a page of another origin requests the inbox. */
const STRANGER = 'evil.test';
const isOwnHost = (host: string | undefined): boolean => host !== STRANGER;

let folder: string;
let sink: Sink;
let smtpPort: number;
let httpPort: number;
let transport: Transporter;

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'lettermill-sink-'));
  [smtpPort = 0, httpPort = 0] = await freePorts(2);
  sink = await startSink({ folder, smtpPort, httpPort, isOwnHost });
  transport = createTransport({ host: '127.0.0.1', port: smtpPort, pool: true, maxConnections: 5 });
});

afterAll(async () => {
  transport.close();
  await sink.close();
  rmSync(folder, { recursive: true, force: true });
});

const get = (route: string, init?: RequestInit): Promise<Response> => fetch(`http://127.0.0.1:${httpPort}${route}`, init);

async function json<T>(route: string): Promise<T> {
  return (await (await get(route)).json()) as T;
}

interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly headers: Readonly<Record<string, string | string[]>>;
}

test('the sink shows what was sent: addresses, subject, headers, both bodies as they are', async () => {
  const html = '<!doctype html>\n<p>Grüße <a href="https://example.org/?a=1&amp;b=2">here</a> <img src="cid:x"></p>';
  await transport.sendMail({
    envelope: { from: 'bounce+1@mail.test', to: ['ann@example.com'] },
    from: '"Ann’s shop" <shop@hello.test>',
    to: 'Ann <ann@example.com>',
    subject: 'Grüße aus Köln',
    html,
    text: 'Grüße',
    headers: [
      { key: 'X-Twice', value: 'one' },
      { key: 'X-Twice', value: 'two' },
      { key: 'X-Long', value: `${'word '.repeat(30)}end` },
    ],
  });
  const [mail] = await json<Mail[]>('/dev/inbox.json');
  expect(mail).toEqual({
    to: 'ann@example.com',
    from: 'shop@hello.test',
    envelopeFrom: 'bounce+1@mail.test',
    subject: 'Grüße aus Köln',
    headers: expect.objectContaining({ to: 'Ann <ann@example.com>', 'x-twice': ['one', 'two'], 'x-long': `${'word '.repeat(30)}end` }),
    html: expect.stringContaining(html),
    text: expect.stringContaining('Grüße'),
    receivedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
  });
});

test('the sink takes the null sender, and shows a message once for each recipient; without HTML it has none', async () => {
  await transport.sendMail({
    envelope: { from: '', to: ['b@example.com', 'c@example.com'] },
    to: 'list@example.com',
    subject: 'Both',
    text: 'plain',
  });
  const mails = await json<Mail[]>('/dev/inbox.json');
  expect(mails.slice(0, 2)).toEqual([
    expect.objectContaining({ to: 'c@example.com', envelopeFrom: '', from: '', html: null, subject: 'Both' }),
    expect.objectContaining({ to: 'b@example.com', envelopeFrom: '', text: expect.stringContaining('plain') }),
  ]);
});

test('the page runs its own script only, and a message runs none', async () => {
  const page = await get('/dev/inbox');
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-/);
  const text = await page.text();
  expect(text).toContain('sandbox="allow-popups allow-popups-to-escape-sandbox"');
  expect(text).not.toMatch(/(src|href)="https?:/);
  await transport.sendMail({
    from: 'a@hello.test',
    to: 'x@example.com',
    subject: '<script>alert(1)</script>',
    html: '<!DOCTYPE html><a href="/x">x</a>',
  });
  const [newest] = await json<{ id: number; subject: string }[]>('/dev/inbox/messages');
  expect(newest?.subject).toBe('<script>alert(1)</script>');
  const message = await get(`/dev/inbox/messages/${newest?.id}/html`);
  expect(message.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; .*sandbox allow-popups allow-popups-to-escape-sandbox$/,
  );
  expect(message.headers.get('x-content-type-options')).toBe('nosniff');
  expect(await message.text()).toMatch(/^<!DOCTYPE html><base target="_blank"><a href="\/x">x<\/a>/);
  const source = await get(`/dev/inbox/messages/${newest?.id}/source`);
  expect(source.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(await source.text()).toContain('From: a@hello.test');
  expect(await json(`/dev/inbox/messages/${newest?.id}`)).toMatchObject({ id: newest?.id, to: 'x@example.com' });
});

test.each([
  ['GET', '/dev/inbox/messages/999999', 404],
  ['GET', '/dev/inbox/messages/1/other', 404],
  ['GET', '/dev/other', 404],
  ['POST', '/dev/inbox', 405],
  ['HEAD', '/dev/inbox.json', 200],
])('%s %s is %i', async (method, route, status) => {
  expect((await get(route, { method })).status).toBe(status);
});

test('the inbox is not shown to a host that is not its own', async () => {
  const call = http.get({ host: '127.0.0.1', port: httpPort, path: '/dev/inbox.json', headers: { host: STRANGER }, agent: false });
  const [answer] = (await once(call, 'response')) as [http.IncomingMessage];
  answer.resume();
  expect(answer.statusCode).toBe(403);
});

test('the sink keeps the newest 100 over a restart, little on disk, and forgives a torn end', async () => {
  await Promise.all(
    Array.from({ length: 330 }, (_, i) =>
      transport.sendMail({ from: 'a@hello.test', to: `n${i}@example.com`, subject: `Number ${i}`, text: 'x'.repeat(2000) }),
    ),
  );
  const before = await json<Mail[]>('/dev/inbox.json');
  expect(before).toHaveLength(100);
  const files = readdirSync(folder).map((name) => path.join(folder, name));
  expect(files.length).toBeLessThanOrEqual(3);
  await sink.close();
  const last = files.sort((a, b) => Number.parseInt(path.basename(a), 10) - Number.parseInt(path.basename(b), 10)).at(-1) ?? '';
  expect(statSync(last).mode & 0o777).toBe(0o600);
  appendFileSync(last, '{"id":9999,"from":"","to":"torn@example.com","receivedAt":"","size":5000}\nhalf a mess');
  sink = await startSink({ folder, smtpPort, httpPort, isOwnHost });
  expect(await json('/dev/inbox.json')).toEqual(before);
  await transport.sendMail({ from: 'a@hello.test', to: 'after@example.com', subject: 'After', text: 'x' });
  const after = await json<Mail[]>('/dev/inbox.json');
  expect(after.map(({ to }) => to)).toEqual(['after@example.com', ...before.slice(0, 99).map(({ to }) => to)]);
});

test('the sink takes large messages and refuses larger ones than its limit', async () => {
  await transport.sendMail({ from: 'a@hello.test', to: 'large@example.com', subject: 'Large', text: 'x'.repeat(12 * 1024 * 1024) });
  expect((await json<Mail[]>('/dev/inbox.json'))[0]?.to).toBe('large@example.com');
  const beyond = Buffer.alloc(65 * 1024 * 1024, 'x'.repeat(98) + '\r\n');
  await expect(transport.sendMail({ envelope: { from: 'a@hello.test', to: 'b@example.com' }, raw: beyond })).rejects.toThrow(/552|size/i);
});
