import { aMember, operate } from '../../../support/calls/member-browsers';
import { CONSOLE_ORIGIN, ConsoleBrowser } from '../../../support/calls/console-browser';
import { ssoCalls, ssoSettings } from '../../../support/calls/single-sign-on';
import { codeOf, setUpApp, showCode } from '../../../support/calls/second-factors';
import { stored } from '../../../support/data/stored';
import { aProject } from '../../../support/platform/app';
import { anOpenIdProvider } from '../../../support/servers/openid-provider';

const provider = anOpenIdProvider(CONSOLE_ORIGIN);
const lines: string[] = [];
const app = aProject(() => ({ config: { ...ssoSettings(provider), OIDC_LABEL: 'Example ID' }, log: (line) => void lines.push(line) }));
const { begin, comeBack, signIn, account, me, person } = ssoCalls(
  () => app,
  () => provider,
);

afterEach(() => {
  provider.forge = null;
  provider.withForeignKey = false;
});

/** A member with an account at the provider. */
async function member(login: string) {
  account(login);
  return aMember(app, `${login}@example.com`, 'analyst');
}

test('the page for signing in is told the name of the provider', async () => {
  const { body } = await new ConsoleBrowser(app.url).ask('get', '/console/ways').expect(200);
  expect(body.data).toEqual({ sso: { label: 'Example ID' } });
});

describe('a member who signs in with the provider', () => {
  test('is asked by code with PKCE, and is then in the console as the person', async () => {
    const { personId } = await member('ada');
    const { url } = await begin();
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      client_id: 'lettermill',
      response_type: 'code',
      code_challenge_method: 'S256',
      scope: 'openid email profile',
      redirect_uri: `${CONSOLE_ORIGIN}/console/oidc/callback`,
      nonce: expect.any(String),
      state: expect.any(String),
    });
    expect(await me(await signIn('ada'))).toMatchObject({ personId, grant: 'analyst', address: 'ada@example.com' });
    expect(await person('ada@example.com')).toMatchObject({ identity: { issuer: provider.issuer, subject: 'ada' } });
  });

  test('is the same person with another address at the provider: the subject counts', async () => {
    const { personId } = await member('moving');
    await signIn('moving');
    account('moving', { email: 'moved@example.com', email_verified: false });
    expect(await me(await signIn('moving'))).toMatchObject({ personId, address: 'moving@example.com' });
  });

  test('has a session that ends after half a day, also in another project', async () => {
    const { personId } = await member('brief');
    await operate(app, 'members', 'add', app.otherKeys.projectId, 'brief@example.com', 'owner');
    const { browser } = await signIn('brief');
    const ends = async () => (await stored.consoleSessions.all({ personId, bySso: true }, { createdAt: -1 }))[0]?.endsAt.getTime() ?? 0;
    const before = await ends();
    expect(before).toBeLessThanOrEqual(Date.now() + 12 * 3_600_000);
    await browser?.ask('post', '/console/session/project').send({ projectId: app.otherKeys.projectId }).expect(200);
    expect(await ends()).toBe(before);
  });

  test('signs out at the provider too; whoever came by a link does not', async () => {
    const byLink = await member('leaver');
    const { browser } = await signIn('leaver');
    const { body } = await (browser as ConsoleBrowser).ask('delete', '/console/session').expect(200);
    const leave = new URL(body.data.leave as string);
    expect([leave.origin, leave.searchParams.get('post_logout_redirect_uri')]).toEqual([provider.issuer, `${CONSOLE_ORIGIN}/console/`]);
    expect((await byLink.browser.ask('delete', '/console/session').expect(200)).body.data.leave).toBeNull();
  });
});

describe('a second factor', () => {
  test('is asked of a person who has one, also when the account is linked: the address proves no more than a link by mail', async () => {
    const { browser: own } = await member('guarded');
    const { secret } = await setUpApp(own);
    const browser = (await signIn('guarded')).browser as ConsoleBrowser;
    await browser.ask('get', '/v1/contacts').expect(401);
    expect((await browser.ask('get', '/console/session').expect(200)).body.data).toMatchObject({ waits: 'code', projects: [] });
    await showCode(browser, codeOf(secret, 1)).expect(200);
    await browser.ask('get', '/v1/contacts').expect(200);
  });

  test('that the project requires is left to the provider of a person who has none', async () => {
    const { browser: owner } = await aMember(app, 'requirer@example.com', 'owner');
    const { browser: byLink } = await member('plain');
    await setUpApp(owner);
    const need = (membersNeedSecondFactor: boolean) => owner.ask('patch', '/v1/settings').send({ membersNeedSecondFactor }).expect(200);
    await need(true);
    await byLink.ask('get', '/v1/contacts').expect(401);
    const { browser } = await signIn('plain');
    expect((await (browser as ConsoleBrowser).ask('get', '/v1/contacts')).status).toBe(200);
    await need(false);
  });
});

describe('pictures on other sites', () => {
  const picture = { 'Sec-Fetch-Dest': 'image', 'Sec-Fetch-Site': 'cross-site' };
  const asked = (path: string, headers: Record<string, string>) => new ConsoleBrowser(app.url).ask('get', path, headers);

  test.each([
    ['begin', '/console/oidc', 403],
    ['end', '/console/oidc/callback?code=a&state=b', 303],
  ])('that %s a sign-in use up no attempts', async (_what, path, status) => {
    for (let times = 0; times < 125; times++) await asked(path, picture).expect(status);
    expect((await asked('/console/oidc', { 'Sec-Fetch-Dest': 'document' })).status).toBe(303);
  });
});

describe('it leads to nothing', () => {
  test('with a state that was forged, or begun in another browser', async () => {
    await member('state');
    const [one, other] = [await begin(), await begin()];
    const back = await provider.visit(one.url.href, 'state');
    expect(await comeBack(back, other.cookie)).toEqual({ refused: 'stale', browser: null });
    expect(await comeBack(back, '')).toEqual({ refused: 'stale', browser: null });
    const forged = new URL(back);
    forged.searchParams.set('state', '0'.repeat(52));
    expect(await comeBack(forged, one.cookie)).toEqual({ refused: 'stale', browser: null });
    expect((await comeBack(back, one.cookie)).refused).toBeNull();
  });

  test('with an answer that was used before', async () => {
    await member('replay');
    const { url, cookie } = await begin();
    const back = await provider.visit(url.href, 'replay');
    expect((await comeBack(back, cookie)).refused).toBeNull();
    expect(await comeBack(back, cookie)).toEqual({ refused: 'stale', browser: null });
  });

  test('with the code of another sign-in, also of the same person: PKCE binds it', async () => {
    await member('injected');
    const [one, other] = [await begin(), await begin()];
    const [mine, stolen] = [await provider.visit(one.url.href, 'injected'), await provider.visit(other.url.href, 'injected')];
    mine.searchParams.set('code', stolen.searchParams.get('code') ?? '');
    expect(await comeBack(mine, one.cookie)).toEqual({ refused: 'invalid', browser: null });
  });

  test('with another nonce', async () => {
    await member('nonce');
    expect(await signIn('nonce', (url) => url.searchParams.set('nonce', 'another'))).toEqual({ refused: 'invalid', browser: null });
  });

  test('more than ten minutes after it began', async () => {
    await member('late');
    const { url, cookie } = await begin();
    const back = await provider.visit(url.href, 'late');
    await stored.ssoAttempts.changeAll({}, { expiresAt: new Date(Date.now() - 1) });
    expect(await comeBack(back, cookie)).toEqual({ refused: 'stale', browser: null });
  });

  const now = () => Math.floor(Date.now() / 1_000);
  test.each([
    ['has expired', (claims: object) => ({ ...claims, exp: now() - 120 })],
    ['is of another issuer', (claims: object) => ({ ...claims, iss: 'https://other.example' })],
    ['is for another client', (claims: object) => ({ ...claims, aud: 'somebody-else' })],
    ['is of the future', (claims: object) => ({ ...claims, nbf: now() + 600 })],
  ])('with an ID token that %s', async (_what, forge) => {
    await member('forged');
    provider.forge = forge;
    expect(await signIn('forged')).toEqual({ refused: 'invalid', browser: null });
  });

  test('with an ID token that the provider has not signed', async () => {
    await member('unsigned');
    provider.forge = (claims) => claims;
    provider.withForeignKey = true;
    expect(await signIn('unsigned')).toEqual({ refused: 'invalid', browser: null });
  });

  test('when the person declines', async () => {
    const { url, cookie } = await begin();
    const search = `?error=access_denied&state=${url.searchParams.get('state')}&iss=${encodeURIComponent(provider.issuer)}`;
    expect(await comeBack({ search }, cookie)).toEqual({ refused: 'declined', browser: null });
  });
});

test('an ID token that expired within a minute is taken: clocks differ', async () => {
  await member('skewed');
  provider.forge = (claims) => ({ ...claims, exp: Math.floor(Date.now() / 1_000) - 20 });
  expect((await signIn('skewed')).refused).toBeNull();
});

describe('an address', () => {
  test.each([
    ['is not verified', { email_verified: false }],
    ['is not said to be verified', { email_verified: undefined as never }],
  ])('that %s links nobody', async (_what, claims) => {
    await aMember(app, 'unproven@example.com', 'owner');
    account('unproven', claims);
    expect(await signIn('unproven')).toEqual({ refused: 'unverified', browser: null });
    expect((await person('unproven@example.com'))?.identity ?? null).toBeNull();
  });

  test('is verified by what names it: userinfo says nothing about the address of an ID token', async () => {
    await aMember(app, 'target@example.com', 'owner');
    account('mixed');
    provider.forge = (claims) => ({ ...claims, email: 'target@example.com' });
    expect(await signIn('mixed')).toEqual({ refused: 'unverified', browser: null });
    account('mixed', { email: 'target@example.com', email_verified: false });
    provider.forge = (claims) => ({ ...claims, email_verified: true });
    expect(await signIn('mixed')).toEqual({ refused: 'unverified', browser: null });
    expect((await person('target@example.com'))?.identity ?? null).toBeNull();
  });

  test('of a person with an account of another issuer, or another account of this one, links nobody', async () => {
    const { personId, browser } = await member('shared');
    const identity = { issuer: 'https://other.example', subject: 'shared' };
    await stored.persons.changeAll({ _id: personId }, { identity });
    expect(await signIn('shared')).toEqual({ refused: 'taken', browser: null });
    expect(await person('shared@example.com')).toMatchObject({ identity });
    // The person frees the address, signed in by a link, and can then link the account.
    await browser.ask('delete', '/console/identity').expect(200);
    expect(await me(await signIn('shared'))).toMatchObject({ personId });
    account('double', { email: 'shared@example.com' });
    expect(await signIn('double')).toEqual({ refused: 'taken', browser: null });
  });

  test('is linked to one of two accounts that come at once', async () => {
    const { personId } = await member('race');
    account('race2', { email: 'race@example.com' });
    const both = await Promise.all([signIn('race'), signIn('race2')]);
    expect(both.map(({ refused }) => refused).sort()).toEqual([null, 'taken'].sort());
    const one = both.find(({ browser }) => browser !== null);
    expect(one && (await me(one))).toMatchObject({ personId });
  });

  test('that no member has leads to nobody: no person is created', async () => {
    account('stranger');
    expect(await signIn('stranger')).toEqual({ refused: 'no-access', browser: null });
    expect(await person('stranger@example.com')).toBeNull();
  });
});

test('neither codes, tokens nor addresses reach the log', () => {
  const text = lines.join('');
  expect(text).toContain('A sign-in with the OpenID provider failed');
  expect(text).not.toMatch(/@example\.com|code=|id_token|state=/);
});
