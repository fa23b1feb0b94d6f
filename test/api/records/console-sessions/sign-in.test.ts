import request from 'supertest';
import { makeLink } from '../../../../src/records/console-sessions/service';
import { createKey, revokeKey } from '../../../../src/records/projects/key-service';
import type { KeyAccess } from '../../../../src/records/projects/keys';
import { closeProject } from '../../../../src/records/projects/service';
import { readAudit } from '../../../../src/records/audit';
import mongoose from 'mongoose';
import { aProject } from '../../../support/platform/app';
import { CONSOLE_HEADER, CONSOLE_ORIGIN, ConsoleBrowser } from '../../../support/calls/console-browser';
import { stored } from '../../../support/data/stored';
import { newProject } from '../../../support/data/projects';

const lines: string[] = [];

const app = aProject({
  config: { PUBLIC_URL: CONSOLE_ORIGIN, DEV_VERIFIED_DOMAINS: 'hello.test' },
  log: (line) => void lines.push(line),
});

class Browser extends ConsoleBrowser {
  constructor() {
    super(app.url);
  }
}

const linkToken = async (projectId = app.keys.projectId): Promise<string> =>
  (await makeLink(projectId, CONSOLE_ORIGIN)).url.split('#link=')[1] ?? '';

async function signedIn(given?: object): Promise<Browser> {
  const browser = new Browser();
  await browser.signIn(given ?? { link: await linkToken() });
  return browser;
}

const keyOf = async (access: KeyAccess = {}, kind: 'secret' | 'test' | 'public' = 'secret'): Promise<string> =>
  (await createKey(app.keys.projectId, kind, 1_000, access)).key;

describe('a link', () => {
  test('signs one person in, to the console of its project alone', async () => {
    const browser = await signedIn();
    const { body } = await browser.ask('get', '/console/session').expect(200);
    expect(body.data).toEqual({
      project: { id: app.keys.projectId, name: 'Default', plan: 'free', disabled: false },
      person: null,
      sessionId: expect.stringMatching(/^ses_[0-9a-f]{32}$/),
      grant: 'owner',
      testMode: false,
      waits: null,
      temporalUrl: null,
      submission: { host: 'mail.example.com', port: 587, tlsPort: 465 },
      expiresAt: expect.any(String),
      csrf: expect.stringMatching(/^[0-9a-z]{28}$/),
    });
    const hours = (Date.parse(body.data.expiresAt as string) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(11.9);
    expect(hours).toBeLessThanOrEqual(12);
    await browser.ask('get', '/v1/contacts').expect(200);
  });

  test('is used up by that: two at once are one session', async () => {
    const link = await linkToken();
    const answers = await Promise.all([new Browser().signIn({ link }), new Browser().signIn({ link })]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    const late = await new Browser().signIn({ link });
    expect(late.status).toBe(401);
    expect(late.body).toMatchObject({ code: 'unauthorized', error: expect.stringContaining('already used or has expired') });
  });

  test('ends after half an hour', async () => {
    const link = await linkToken();
    await stored.consoleLinks.changeAll({}, { expiresAt: new Date(Date.now() - 1) });
    expect((await new Browser().signIn({ link })).status).toBe(401);
  });

  test('holds its token where no server is sent it, and of the token only a hash is stored', async () => {
    const { url, expiresAt } = await makeLink(app.keys.projectId, CONSOLE_ORIGIN);
    const token = /^https:\/\/mail\.example\.com\/console\/#link=([0-9a-z]{52})$/.exec(url)?.[1] ?? '';
    expect(expiresAt.getTime() - Date.now()).toBeLessThanOrEqual(30 * 60_000);
    expect(JSON.stringify(await stored.consoleLinks.all())).not.toContain(token);
  });
});

describe('the cookie', () => {
  test('is out of reach of scripts and of other sites, and bound to the host over https', async () => {
    const browser = await signedIn();
    expect(browser.setCookie).toMatch(
      /^__Host-lettermill-console=[0-9a-z]{52}\.[0-9a-z]{28}; Path=\/; Expires=[^;]+ GMT; HttpOnly; SameSite=Strict; Secure$/,
    );
  });

  test('is good only as it was signed, and stored as a hash', async () => {
    const browser = await signedIn();
    const token = browser.cookie.split('=')[1]?.split('.')[0] ?? '';
    expect(JSON.stringify(await stored.consoleSessions.all())).not.toContain(token);
    browser.cookie = browser.cookie.slice(0, -1) + (browser.cookie.endsWith('0') ? '1' : '0');
    await browser.ask('get', '/v1/contacts').expect(401);
    await browser.ask('get', '/console/session').expect(401);
  });

  test('is no key: alone it opens nothing of the API, and a key beside it is what counts', async () => {
    const browser = await signedIn();
    const bare = await request(app.url).get('/v1/contacts').set('Cookie', browser.cookie).expect(401);
    expect(bare.headers['www-authenticate']).toBe('Bearer');
    expect(bare.body.error).toBe('Give an API key: Authorization: Bearer sk_…');
    await browser.ask('get', '/v1/contacts', { Authorization: 'Bearer sk_nobody' }).expect(401);
    const other = await browser.ask('get', '/v1/billing', { Authorization: `Bearer ${app.otherKeys.secret}` }).expect(200);
    expect(other.status).toBe(200);
  });
});

describe('a request of another site', () => {
  const contact = { email: 'forged@example.com' };

  test.each<[string, Record<string, string | null>]>([
    ['without the header', { [CONSOLE_HEADER]: null }],
    ['with a header that was guessed', { [CONSOLE_HEADER]: 'a'.repeat(28) }],
    ['with an empty header', { [CONSOLE_HEADER]: '' }],
    ['from another origin', { Origin: 'https://evil.example' }],
    ['from a sandboxed document', { Origin: 'null' }],
    ['from a neighbour of the same site', { 'Sec-Fetch-Site': 'same-site' }],
    ['from another site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['that does not say where it is from', { Origin: null }],
  ])('%s changes nothing', async (_, headers) => {
    const browser = await signedIn();
    await browser.ask('post', '/v1/contacts', headers).send(contact).expect(401);
    await browser.ask('delete', '/console/session', headers).expect((answer) => expect([401, 403]).toContain(answer.status));
    await browser.ask('get', '/v1/contacts').expect(200);
    const { body } = await app.api().get('/v1/contacts?search=forged');
    expect(body.data).toEqual([]);
  });

  test('neither begins a session nor sees one, nor has a message shown', async () => {
    const browser = await signedIn();
    const elsewhere = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' };
    expect((await new Browser().signIn({ key: app.keys.secret }, elsewhere)).status).toBe(403);
    expect((await new Browser().signIn({ key: app.keys.secret }, { [CONSOLE_HEADER]: null })).status).toBe(403);
    await browser.ask('get', '/console/session', elsewhere).expect(403);
    await browser.ask('post', '/console/frame', elsewhere).type('form').send({ html: '<p>x</p>' }).expect(403);
  });

  test('cannot use what belongs to another session', async () => {
    const [one, two] = [await signedIn(), await signedIn()];
    const { status } = await one.ask('post', '/v1/contacts', { [CONSOLE_HEADER]: two.csrf }).send(contact);
    expect(status).toBe(401);
  });
});

describe('a session of a key', () => {
  test('has its scope, in its mode', async () => {
    const reader = await signedIn({ key: await keyOf({ scope: 'read' }) });
    await reader.ask('get', '/v1/contacts').expect(200);
    const refused = await reader.ask('post', '/v1/contacts').send({ email: 'x@example.com' }).expect(403);
    expect(refused.body.code).toBe('forbidden');
    const tester = await signedIn({ key: `  ${await keyOf({}, 'test')}\n` });
    expect((await tester.ask('get', '/console/session')).body.data).toMatchObject({ grant: 'full', testMode: true });
    const sent = await tester
      .ask('post', '/v1/send')
      .send({ to: 'a@example.com', from: 'a@hello.test', subject: 'x', text: 'x' })
      .expect(200);
    expect(sent.body.data.testMode).toBe(true);
  });

  test('ends when the key is revoked, or expires', async () => {
    const key = await keyOf();
    const browser = await signedIn({ key });
    await browser.ask('get', '/v1/contacts').expect(200);
    await revokeKey(key);
    await browser.ask('get', '/v1/contacts').expect(401);
    await browser.ask('get', '/console/session').expect(401);
    const soon = new Date(Date.now() + 60_000);
    const short = await signedIn({ key: await keyOf({ expiresAt: soon }) });
    expect((await short.ask('get', '/console/session')).body.data.expiresAt).toBe(soon.toISOString());
  });

  test.each([
    ['that is public', () => keyOf({}, 'public')],
    ['that is none', () => Promise.resolve('sk_nobody')],
  ])('does not begin with one %s', async (_, make) => {
    expect((await new Browser().signIn({ key: await make() })).status).toBe(401);
  });

  test('leaves the key in no log, no cookie and no row', async () => {
    const key = await keyOf();
    const browser = await signedIn({ key });
    await browser.ask('get', '/v1/contacts').expect(200);
    expect(browser.setCookie).not.toContain(key);
    expect(JSON.stringify(await stored.consoleSessions.all())).not.toContain(key);
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.join('')).not.toContain(key);
    expect(lines.join('')).not.toContain(browser.cookie.split('=')[1]);
  });
});

describe('the end of a session', () => {
  test('is signing out: the cookie is taken back and good for nothing', async () => {
    const browser = await signedIn();
    const out = await browser.ask('delete', '/console/session').expect(200);
    expect(out.headers['set-cookie']?.[0]).toMatch(/^__Host-lettermill-console=; Path=\/; Expires=Thu, 01 Jan 1970 00:00:00 GMT;/);
    await browser.ask('get', '/v1/contacts').expect(401);
    await browser.ask('get', '/console/session').expect(401);
  });

  test('comes by itself', async () => {
    const browser = await signedIn();
    await stored.consoleSessions.changeAll({}, { expiresAt: new Date(Date.now() - 1) });
    expect((await browser.ask('get', '/v1/contacts')).status).toBe(401);
  });

  test('comes with the removal of the project', async () => {
    const { projectId } = await newProject('Gone soon');
    const [browser, link] = [await signedIn({ link: await linkToken(projectId) }), await linkToken(projectId)];
    await browser.ask('get', '/v1/contacts').expect(200);
    await mongoose.connection.transaction((session) => closeProject(projectId, new Date(), session));
    await browser.ask('get', '/v1/contacts').expect(401);
    expect((await new Browser().signIn({ link })).status).toBe(401);
    await expect(makeLink(projectId, CONSOLE_ORIGIN)).rejects.toMatchObject({ code: 'invalid_state' });
  });
});

test('what a session of a link changes is in the audit as its own; uses of keys are under the keys', async () => {
  const browser = await signedIn();
  const { body } = await browser
    .ask('post', '/v1/webhooks')
    .send({ url: 'https://example.com/', events: ['email.sent'] })
    .expect(201);
  const [entry] = await readAudit({ projectId: app.keys.projectId, limit: 1, before: null });
  expect(entry).toMatchObject({
    by: expect.stringMatching(/^console [0-9a-f]{8}$/),
    action: 'webhook.create',
    subject: body.data.webhookId,
  });
  const sessions = await stored.consoleSessions.all({ keyHash: null });
  expect(await stored.keyUses.count({ _id: { $in: sessions.map(({ _id }) => _id) } })).toBe(0);
});

test.each([
  ['nothing', {}],
  ['both', { key: 'a', link: 'b' }],
  ['a number', { key: 1 }],
  ['an operator', { key: { $ne: null } }],
  ['a text without end', { link: 'x'.repeat(201) }],
])('signing in with %s is refused', async (_, given) => {
  const { status } = await new Browser().signIn(given);
  expect(status).toBe(422);
});

describe('a message in a frame', () => {
  test('is a document of its own that may do nothing', async () => {
    const html = '<style>p{color:red}</style><p>Hi</p><script>alert(1)</script>';
    const answer = await (await signedIn()).ask('post', '/console/frame').type('form').send({ html }).expect(200);
    expect(answer.text).toBe(html);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    const policy = answer.headers['content-security-policy'] ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toMatch(/; sandbox allow-popups allow-popups-to-escape-sandbox$/);
    expect(policy).not.toMatch(/script|connect|http/);
    const preview = await (await signedIn()).ask('post', '/console/frame').type('form').send({ html, pictures: 'load' }).expect(200);
    expect(preview.headers['content-security-policy']).toBe(
      policy.replace('img-src data:', 'img-src data: https: https://mail.example.com'),
    );
  });
});
