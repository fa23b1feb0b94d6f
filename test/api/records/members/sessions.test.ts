import { sessionOf, switchProject } from '../../../../src/records/console-sessions';
import { aMember, operate, tokenIn } from '../../../support/calls/member-browsers';
import { CONSOLE_ORIGIN, ConsoleBrowser } from '../../../support/calls/console-browser';
import { stored } from '../../../support/data/stored';
import { aProject } from '../../../support/platform/app';

const app = aProject({ config: { PUBLIC_URL: CONSOLE_ORIGIN } });

const HOUR_MS = 3_600_000;

test('a link of an operator signs one person in, once', async () => {
  const { url } = await operate<{ url: string }>(app, 'members', 'add', app.keys.projectId, 'once@example.com', 'owner');
  expect((await new ConsoleBrowser(app.url).signIn({ link: tokenIn(url) })).status).toBe(200);
  expect((await new ConsoleBrowser(app.url).signIn({ link: tokenIn(url) })).status).toBe(401);
});

test('a link to the project signs in as an owner who is no person', async () => {
  const { url } = await operate<{ url: string }>(app, 'console-link', app.keys.projectId);
  const browser = new ConsoleBrowser(app.url);
  await browser.signIn({ link: tokenIn(url) });
  const { body } = await browser.ask('get', '/v1/me').expect(200);
  expect(body.data).toMatchObject({ grant: 'owner', personId: null });
});

test('without an OpenID provider, nobody is offered one', async () => {
  const browser = new ConsoleBrowser(app.url);
  expect((await browser.ask('get', '/console/ways').expect(200)).body.data).toEqual({ sso: null });
  for (const path of ['/console/oidc', '/console/oidc/callback?code=a&state=b'])
    expect((await browser.ask('get', path).expect(303)).headers['location']).toMatch(/#refused=(?:unavailable|stale)$/);
});

describe('sessions', () => {
  test('are listed for their person alone, and end one by one', async () => {
    const one = await aMember(app, 'lists@example.com', 'analyst');
    const two = await aMember(app, 'lists@example.com', 'analyst');
    const stranger = await aMember(app, 'stranger@example.com', 'owner');
    const { body } = await two.browser.ask('get', '/console/sessions').expect(200);
    const [newest, oldest] = body.data as { sessionId: string }[];
    expect(body.data).toHaveLength(2);
    const current = await two.browser.ask('get', '/console/session').expect(200);
    expect(current.body.data.sessionId).toBe(newest?.sessionId);
    await stranger.browser.ask('delete', `/console/sessions/${oldest?.sessionId}`).expect(404);
    await two.browser.ask('delete', `/console/sessions/${oldest?.sessionId}`).expect(200);
    await one.browser.ask('get', '/v1/contacts').expect(401);
    await two.browser.ask('get', '/v1/contacts').expect(200);
  });

  test('end everywhere at once, with the links that were not used', async () => {
    const one = await aMember(app, 'everywhere@example.com', 'analyst');
    const two = await aMember(app, 'everywhere@example.com', 'analyst', app.otherKeys.projectId);
    const { url } = await operate<{ url: string }>(app, 'members', 'add', app.keys.projectId, 'everywhere@example.com', 'analyst');
    await one.browser.ask('delete', '/console/sessions').expect(200);
    await two.browser.ask('get', '/v1/contacts').expect(401);
    expect((await new ConsoleBrowser(app.url).signIn({ link: tokenIn(url) })).status).toBe(401);
  });

  test('end twelve hours after their last use', async () => {
    const { personId, browser } = await aMember(app, 'idle@example.com', 'analyst');
    await stored.consoleSessions.changeAll({ personId }, { expiresAt: new Date(Date.now() + HOUR_MS) });
    await browser.ask('get', '/v1/contacts').expect(200);
    const [used] = await stored.consoleSessions.all({ personId });
    expect((used?.expiresAt.getTime() ?? 0) - Date.now()).toBeGreaterThan(11.9 * HOUR_MS);
    await stored.consoleSessions.changeAll({ personId }, { expiresAt: new Date(Date.now() - 1) });
    await browser.ask('get', '/v1/contacts').expect(401);
  });

  test('end after a week, however much they are used', async () => {
    const { personId, browser } = await aMember(app, 'week@example.com', 'analyst');
    const [begun] = await stored.consoleSessions.all({ personId });
    expect((begun?.endsAt.getTime() ?? 0) - Date.now()).toBeLessThanOrEqual(7 * 24 * HOUR_MS);
    const endsAt = new Date(Date.now() + HOUR_MS);
    await stored.consoleSessions.changeAll({ personId }, { endsAt, expiresAt: new Date(Date.now() + HOUR_MS / 2) });
    await browser.ask('get', '/v1/contacts').expect(200);
    expect((await stored.consoleSessions.all({ personId }))[0]?.expiresAt).toEqual(endsAt);
  });
});

describe('a switch to another project', () => {
  const switchTo = (browser: ConsoleBrowser, projectId: string) => browser.ask('post', '/console/session/project').send({ projectId });

  test('goes on with the role there; what another tab sends from the project before is refused', async () => {
    await aMember(app, 'switch@example.com', 'analyst', app.otherKeys.projectId);
    const { browser } = await aMember(app, 'switch@example.com', 'owner');
    const before = { ...browser };
    const answer = await switchTo(browser, app.otherKeys.projectId).expect(200);
    browser.cookie = answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
    await browser.ask('get', '/v1/contacts', { 'X-Lettermill-Console': before.csrf }).expect(401);
    const { body } = await browser.ask('get', '/console/session').expect(200);
    expect(body.data).toMatchObject({
      project: { id: app.otherKeys.projectId },
      grant: 'analyst',
      person: { address: 'switch@example.com' },
    });
    expect(body.data.person.projects).toHaveLength(2);
    browser.csrf = body.data.csrf;
    await browser.ask('get', '/v1/contacts').expect(200);
    await browser.ask('get', '/v1/contacts', { Cookie: before.cookie }).expect(401);
  });

  test('needs a place in it', async () => {
    const { browser } = await aMember(app, 'nowhere@example.com', 'owner');
    await switchTo(browser, app.otherKeys.projectId).expect(404);
    expect((await switchTo(browser, 'prj_none')).status).toBe(404);
    await browser.ask('get', '/v1/contacts').expect(200);
  });

  test('leaves no session behind where the session has ended meanwhile', async () => {
    await aMember(app, 'outrun@example.com', 'owner', app.otherKeys.projectId);
    const { personId, browser } = await aMember(app, 'outrun@example.com', 'owner');
    const holder = await sessionOf(app.core.secrets, browser.cookie.split('=')[1] ?? '');
    await browser.ask('delete', '/console/sessions').expect(200);
    expect(holder && (await switchProject(app.core.secrets, holder, app.otherKeys.projectId))).toBeNull();
    expect([holder !== null, await stored.consoleSessions.count({ personId })]).toEqual([true, 0]);
  });

  test('is refused from another site', async () => {
    await aMember(app, 'forged@example.com', 'owner', app.otherKeys.projectId);
    const { browser } = await aMember(app, 'forged@example.com', 'owner');
    const forged = browser.ask('post', '/console/session/project', { Origin: 'https://evil.example' });
    expect((await forged.send({ projectId: app.otherKeys.projectId })).status).toBe(403);
  });
});
