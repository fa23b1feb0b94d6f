import { CONSOLE_ORIGIN, ConsoleBrowser } from '../../../support/calls/console-browser';
import { aMember, operate, tokenIn } from '../../../support/calls/member-browsers';
import { setUpApp, codeOf } from '../../../support/calls/second-factors';
import { aProject } from '../../../support/platform/app';

const app = aProject({ config: { PUBLIC_URL: CONSOLE_ORIGIN } });

const work = (browser: ConsoleBrowser) => browser.ask('get', '/v1/contacts');
const need = (browser: ConsoleBrowser, membersNeedSecondFactor: boolean) =>
  browser.ask('patch', '/v1/settings').send({ membersNeedSecondFactor });

test('an owner with a second factor wants one of everybody: who has none is led to set it up, at the next request', async () => {
  const owner = await aMember(app, 'owner@example.com', 'owner');
  const { browser } = await aMember(app, 'analyst@example.com', 'analyst');
  await aMember(app, 'analyst@example.com', 'analyst', app.otherKeys.projectId);
  await work(browser).expect(200);
  const refused = await need(owner.browser, true).expect(409);
  expect(refused.body.code).toBe('invalid_state');
  const { secret } = await setUpApp(owner.browser);
  expect((await need(owner.browser, true).expect(200)).body.data.membersNeedSecondFactor).toBe(true);

  await work(owner.browser).expect(200);
  await work(browser).expect(401);
  await browser.ask('get', '/console/sessions').expect(401);
  const { body } = await browser.ask('get', '/console/session').expect(200);
  expect(body.data).toMatchObject({ waits: 'enroll', projectId: app.keys.projectId });
  expect(body.data.projects).toHaveLength(2);
  await setUpApp(browser);
  await work(browser).expect(200);

  // Who removes the last factor is led there again, also the owner.
  await owner.browser
    .ask('post', '/console/factors/totp/disable')
    .send({ code: codeOf(secret, 1) })
    .expect(200);
  await work(owner.browser).expect(401);
  await setUpApp(owner.browser);
  await need(owner.browser, false).expect(200);
});

test('a person who is led to set one up can go to a project that wants none', async () => {
  const owner = await aMember(app, 'owner@example.com', 'owner');
  await operate(app, 'members', 'reset-factors', 'owner@example.com');
  const again = await aMember(app, 'owner@example.com', 'owner');
  await setUpApp(again.browser);
  await need(again.browser, true).expect(200);
  const { browser } = await aMember(app, 'guest@example.com', 'analyst');
  await aMember(app, 'guest@example.com', 'analyst', app.otherKeys.projectId);
  const answer = await browser.ask('post', '/console/session/project').send({ projectId: app.otherKeys.projectId }).expect(200);
  browser.cookie = answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  browser.csrf = (await browser.ask('get', '/console/session').expect(200)).body.data.csrf;
  await work(browser).expect(200);
  await need(again.browser, false).expect(200);
  expect(owner.personId).toBe(again.personId);
});

test('only an owner changes it; keys and links of operators go on without', async () => {
  const admin = await aMember(app, 'admin@example.com', 'admin');
  await need(admin.browser, true).expect(403);
  await need(admin.browser, false).expect(200);
  expect((await app.api().patch('/v1/settings').send({ membersNeedSecondFactor: true })).status).toBe(403);
  const { url } = await operate<{ url: string }>(app, 'console-link', app.keys.projectId);
  const operator = new ConsoleBrowser(app.url);
  await operator.signIn({ link: tokenIn(url) });
  await need(operator, true).expect(200);
  await work(operator).expect(200);
  await app.api().get('/v1/contacts').expect(200);
  await need(admin.browser, false).expect(401);
  await need(operator, false).expect(200);
});
