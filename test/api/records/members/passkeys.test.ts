import type { MemberRole } from '../../../../src/records/projects/model';
import { CONSOLE_ORIGIN, ConsoleBrowser } from '../../../support/calls/console-browser';
import { aMember } from '../../../support/calls/member-browsers';
import { addPasskey, challengeFor, setUpApp, signInByPasskey } from '../../../support/calls/second-factors';
import { Authenticator } from '../../../support/data/authenticator';
import type { Creation } from '../../../support/data/authenticator';
import { stored } from '../../../support/data/stored';
import { aProject } from '../../../support/platform/app';

const app = aProject({ config: { PUBLIC_URL: CONSOLE_ORIGIN } });

const HOST = 'mail.example.com';

const work = (browser: ConsoleBrowser) => browser.ask('get', '/v1/contacts');
const factors = async (browser: ConsoleBrowser) => (await browser.ask('get', '/console/factors').expect(200)).body.data;

/** A person with a passkey. */
async function withPasskey(address: string, role: MemberRole = 'owner') {
  const { browser, personId } = await aMember(app, address, role);
  const authenticator = new Authenticator(HOST);
  const { body } = await addPasskey(browser, authenticator);
  return { browser, personId, authenticator, ...(body.data as { passkeyId: string; recoveryCodes: string[] }) };
}

/** Tries to sign in, in a browser that nobody has used. */
async function tryIn(signed: (challenge: string) => object) {
  const browser = new ConsoleBrowser(app.url);
  const answer = await signInByPasskey(browser, signed(await challengeFor(browser)));
  return { browser, status: answer.status };
}

test('a passkey signs its person in, and nothing else is asked for', async () => {
  const { browser, authenticator, personId, passkeyId, recoveryCodes } = await withPasskey('key@example.com');
  expect(recoveryCodes).toHaveLength(10);
  await work(browser).expect(200);
  await setUpApp(browser);
  const { browser: other, status } = await tryIn((challenge) => authenticator.sign(challenge));
  expect(status).toBe(200);
  await work(other).expect(200);
  expect((await other.ask('get', '/v1/me')).body.data).toMatchObject({ personId, grant: 'owner' });
  expect((await factors(other)).passkeys).toEqual([
    { passkeyId, name: 'Laptop', createdAt: expect.any(String), lastUsedAt: expect.any(String) },
  ]);
});

test('a passkey is the second factor of a session that began with a link', async () => {
  const { authenticator } = await withPasskey('second@example.com');
  const { browser } = await aMember(app, 'second@example.com', 'owner', app.otherKeys.projectId);
  await work(browser).expect(401);
  const challenge = await challengeFor(browser);
  expect((await signInByPasskey(browser, authenticator.sign(challenge))).status).toBe(200);
  expect((await browser.ask('get', '/v1/me').expect(200)).body.data.projectId).toBe(app.otherKeys.projectId);
});

describe('a sign-in is refused', () => {
  test.each([
    ['of another site', { origin: 'https://evil.example' }],
    ['of an authenticator that has not verified the person', { verified: false }],
  ])('%s', async (_what, odd) => {
    const { authenticator } = await withPasskey(`${Object.keys(odd).join('')}@example.com`);
    expect((await tryIn((challenge) => authenticator.sign(challenge, odd))).status).toBe(401);
    expect((await tryIn((challenge) => authenticator.sign(challenge))).status).toBe(200);
  });

  test('with the credential of another person', async () => {
    const mine = await withPasskey('mine@example.com');
    const theirs = await withPasskey('theirs@example.com');
    const userHandle = Buffer.from(theirs.personId).toString('base64url');
    expect((await tryIn((challenge) => mine.authenticator.sign(challenge, { userHandle }))).status).toBe(401);
    const named = (challenge: string) => ({
      ...mine.authenticator.sign(challenge, { userHandle }),
      id: theirs.passkeyId,
      rawId: theirs.passkeyId,
    });
    expect((await tryIn(named)).status).toBe(401);
    // A session that waits for one person's factor is not for another.
    const { browser } = await aMember(app, 'theirs@example.com', 'owner');
    const challenge = await challengeFor(browser);
    expect((await signInByPasskey(browser, mine.authenticator.sign(challenge))).status).toBe(401);
    await work(browser).expect(401);
  });

  test('with a challenge that was used, is over, or is none of ours', async () => {
    const { authenticator } = await withPasskey('challenge@example.com');
    const browser = new ConsoleBrowser(app.url);
    const challenge = await challengeFor(browser);
    expect((await signInByPasskey(browser, authenticator.sign(challenge))).status).toBe(200);
    expect((await tryIn(() => authenticator.sign(challenge))).status).toBe(401);
    expect((await tryIn(() => authenticator.sign('bm9uZQ'))).status).toBe(401);
    const late = await challengeFor(browser);
    await stored.passkeyChallenges.changeAll({}, { expiresAt: new Date(Date.now() - 1) });
    expect((await tryIn(() => authenticator.sign(late))).status).toBe(401);
  });

  test('with a challenge to make a passkey with', async () => {
    const { browser, authenticator } = await withPasskey('mixed@example.com');
    const { body } = await browser.ask('post', '/console/factors/passkeys/options').expect(200);
    const { challenge } = body.data as Creation;
    expect((await tryIn(() => authenticator.sign(challenge))).status).toBe(401);
  });

  test('with an answer that cannot be read', async () => {
    const { authenticator } = await withPasskey('unreadable@example.com');
    expect((await tryIn(() => ({}))).status).toBe(422);
    const broken = (challenge: string) => {
      const signed = authenticator.sign(challenge);
      return { ...signed, response: { ...signed.response, clientDataJSON: '!' } };
    };
    expect((await tryIn(broken)).status).toBe(401);
  });

  test('from a page of another site', async () => {
    const browser = new ConsoleBrowser(app.url);
    const evil = { Origin: 'https://evil.example' };
    await browser.ask('post', '/console/session/passkey/options', evil).expect(403);
    expect((await browser.ask('post', '/console/session/passkey', evil).send({})).status).toBe(403);
  });

  test('after an authenticator was copied: its count goes back', async () => {
    const { authenticator, personId } = await withPasskey('copied@example.com');
    await stored.persons.changeAll({ _id: personId }, { 'passkeys.0.counter': 99 });
    expect((await tryIn((challenge) => authenticator.sign(challenge))).status).toBe(401);
  });
});

describe('passkeys', () => {
  test('are not made on another site, without the person, or for another person', async () => {
    const { browser } = await aMember(app, 'making@example.com', 'owner');
    const other = await aMember(app, 'making-too@example.com', 'owner');
    const options = async (asking: ConsoleBrowser) => {
      const { body } = await asking.ask('post', '/console/factors/passkeys/options').expect(200);
      return body.data as Creation;
    };
    const make = (response: object) => browser.ask('post', '/console/factors/passkeys').send({ name: 'Odd', response });
    await make(new Authenticator(HOST).make(await options(browser), { origin: 'https://evil.example' })).expect(422);
    await make(new Authenticator('evil.example', CONSOLE_ORIGIN).make(await options(browser))).expect(422);
    await make(new Authenticator(HOST).make(await options(browser), { verified: false })).expect(422);
    await make(new Authenticator(HOST).make(await options(other.browser))).expect(422);
    const made = new Authenticator(HOST).make(await options(browser));
    await make(made).expect(200);
    await make(made).expect(422);
    expect((await factors(browser)).passkeys).toHaveLength(1);
  });

  test('are renamed and removed by their person alone', async () => {
    const mine = await withPasskey('rename@example.com');
    const theirs = await withPasskey('rename-not@example.com');
    const path = `/console/factors/passkeys/${mine.passkeyId}`;
    await theirs.browser.ask('patch', path).send({ name: 'Stolen' }).expect(404);
    await theirs.browser.ask('delete', path).expect(404);
    await mine.browser.ask('patch', path).send({ name: '' }).expect(422);
    await mine.browser.ask('patch', path).send({ name: 'Phone' }).expect(200);
    expect((await factors(mine.browser)).passkeys).toMatchObject([{ name: 'Phone', lastUsedAt: null }]);
    await mine.browser.ask('delete', path).expect(200);
    expect((await tryIn((challenge) => mine.authenticator.sign(challenge))).status).toBe(401);
    // Without a second factor, the mail suffices again.
    await work((await aMember(app, 'rename@example.com', 'owner')).browser).expect(200);
  });

  test('end with the place in the last project', async () => {
    const { authenticator, personId } = await withPasskey('gone@example.com', 'analyst');
    await app.api().delete(`/v1/members/${personId}`).expect(200);
    expect((await tryIn((challenge) => authenticator.sign(challenge))).status).toBe(401);
  });
});
