import { readAudit } from '../../../../src/records/audit';
import { CONSOLE_ORIGIN } from '../../../support/calls/console-browser';
import type { ConsoleBrowser } from '../../../support/calls/console-browser';
import { aMember, operate } from '../../../support/calls/member-browsers';
import { codeOf, setUpApp, showCode } from '../../../support/calls/second-factors';
import { stored } from '../../../support/data/stored';
import { aProject } from '../../../support/platform/app';

const app = aProject({ config: { PUBLIC_URL: CONSOLE_ORIGIN } });

const work = (browser: ConsoleBrowser) => browser.ask('get', '/v1/contacts');
const session = (browser: ConsoleBrowser) => browser.ask('get', '/console/session');

/** A person with an authenticator app, and a further browser of the person that has the link alone. */
async function withApp(address: string) {
  const one = await aMember(app, address, 'owner');
  const mine = await setUpApp(one.browser);
  const two = await aMember(app, address, 'owner');
  return { ...mine, personId: one.personId, first: one.browser, second: two.browser };
}

describe('an authenticator app', () => {
  test('is set up by a code of it, and wanted at the next sign-in', async () => {
    const { secret, first, second } = await withApp('app@example.com');
    await work(first).expect(200);
    await work(second).expect(401);
    const { body } = await session(second).expect(200);
    expect(body.data).toMatchObject({ waits: 'code', projects: [] });
    expect(body.data).not.toHaveProperty('person');
    expect(body.data).not.toHaveProperty('project');
    await showCode(second, codeOf(secret, 1)).expect(200);
    await work(second).expect(200);
    expect((await session(second)).body.data.waits).toBeNull();
  });

  test('is wanted of sessions that began before it was set up', async () => {
    const one = await aMember(app, 'before@example.com', 'owner');
    const two = await aMember(app, 'before@example.com', 'owner');
    await work(two.browser).expect(200);
    await setUpApp(one.browser);
    expect((await work(two.browser)).status).toBe(401);
  });

  test('is not set up by a wrong code, nor by one of another secret', async () => {
    const { browser } = await aMember(app, 'unsure@example.com', 'owner');
    const begin = async () => (await browser.ask('post', '/console/factors/totp').expect(200)).body.data.secret as string;
    const replaced = await begin();
    const secret = await begin();
    const confirm = (code: string) => browser.ask('post', '/console/factors/totp/confirm').send({ code });
    await confirm(codeOf(replaced)).expect(422);
    await confirm('none').expect(422);
    expect((await browser.ask('get', '/console/factors')).body.data).toEqual({ totpSince: null, recoveryCodesLeft: 0, passkeys: [] });
    await confirm(codeOf(secret)).expect(200);
    await confirm(codeOf(secret, 1)).expect(409);
    await browser.ask('post', '/console/factors/totp').expect(409);
  });

  test('shows codes that are good once, also when they come at the same time', async () => {
    const { secret, second } = await withApp('once-only@example.com');
    await showCode(second, codeOf(secret)).expect(422);
    const code = codeOf(secret, 1);
    const third = await aMember(app, 'once-only@example.com', 'owner');
    const answers = await Promise.all([showCode(second, code), showCode(third.browser, code)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
    const fourth = await aMember(app, 'once-only@example.com', 'owner');
    await showCode(fourth.browser, code).expect(422);
    await work(fourth.browser).expect(401);
  });

  test('leaves ten attempts in ten minutes', async () => {
    const { secret, second } = await withApp('guesser@example.com');
    for (let attempt = 1; attempt < 10; attempt++) await showCode(second, 'wrong').expect(422);
    const answer = await showCode(second, codeOf(secret, 1));
    expect(answer.status).toBe(429);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    await work(second).expect(401);
  });

  test('is turned off by a code alone, and wanted no more', async () => {
    const { secret, recoveryCodes, first, second } = await withApp('off@example.com');
    const disable = (browser: ConsoleBrowser, code: string) => browser.ask('post', '/console/factors/totp/disable').send({ code });
    await disable(second, codeOf(secret, 1)).expect(401);
    await disable(first, '000').expect(422);
    await disable(first, codeOf(secret, 1)).expect(200);
    await work(second).expect(200);
    expect((await disable(first, recoveryCodes[0] ?? '')).status).toBe(409);
  });

  test('stays when the sessions cannot forget it: it is turned off with that, or not at all', async () => {
    const { secret, first } = await withApp('both@example.com');
    const forgetting = jest.spyOn(stored.consoleSessions.collection, 'updateMany').mockRejectedValueOnce(new Error('not now'));
    await first
      .ask('post', '/console/factors/totp/disable')
      .send({ code: codeOf(secret, 1) })
      .expect(500);
    forgetting.mockRestore();
    expect((await first.ask('get', '/console/factors').expect(200)).body.data.totpSince).not.toBeNull();
  });

  test('is not looked at, or changed, by a session that waits for its code', async () => {
    const { second } = await withApp('waits@example.com');
    await second.ask('get', '/console/factors').expect(401);
    await second.ask('post', '/console/factors/totp').expect(401);
    await second.ask('post', '/console/factors/recovery-codes').expect(401);
    await second.ask('post', '/console/factors/passkeys/options').expect(401);
    await second.ask('get', '/console/sessions').expect(401);
    await second.ask('patch', '/console/person').send({ name: 'Eve' }).expect(401);
    await second.ask('post', '/console/session/project').send({ projectId: app.keys.projectId }).expect(401);
    await second.ask('delete', '/console/session').expect(200);
    expect((await session(second)).status).toBe(401);
  });

  test('has a secret that is stored sealed and logged nowhere, and changes that are in the audit', async () => {
    const { secret, personId } = await withApp('sealed@example.com');
    const [person] = await stored.persons.all({ _id: personId });
    expect(JSON.stringify(person)).not.toContain(secret);
    const entries = await readAudit({ projectId: app.keys.projectId, limit: 100, before: null });
    expect(entries).toContainEqual(expect.objectContaining({ action: 'totp.enable', subject: personId, by: `person ${personId}` }));
    expect(JSON.stringify(entries)).not.toContain(secret);
  });
});

describe('recovery codes', () => {
  test('are ten, stored as hashes, and good once each', async () => {
    const { recoveryCodes, personId, first, second } = await withApp('recovery@example.com');
    expect(new Set(recoveryCodes).size).toBe(10);
    const [code = ''] = recoveryCodes;
    expect(JSON.stringify(await stored.persons.all({ _id: personId }))).not.toContain(code.replaceAll('-', ''));
    await showCode(second, ` ${code.toUpperCase()} `).expect(200);
    await work(second).expect(200);
    const third = await aMember(app, 'recovery@example.com', 'owner');
    await showCode(third.browser, code).expect(422);
    expect((await first.ask('get', '/console/factors')).body.data.recoveryCodesLeft).toBe(9);
  });

  test('are replaced by new ones', async () => {
    const { recoveryCodes, first, second } = await withApp('renew@example.com');
    const { body } = await first.ask('post', '/console/factors/recovery-codes').expect(200);
    expect(body.data.recoveryCodes).toHaveLength(10);
    await showCode(second, recoveryCodes[1] ?? '').expect(422);
    const { recoveryCodes: renewed } = body.data as { readonly recoveryCodes: readonly string[] };
    await showCode(second, renewed[1] ?? '').expect(200);
  });

  test('are of another person no use', async () => {
    const { recoveryCodes } = await withApp('theirs@example.com');
    const { second } = await withApp('mine@example.com');
    expect((await showCode(second, recoveryCodes[0] ?? '')).status).toBe(422);
  });

  test('need a second factor', async () => {
    const { browser } = await aMember(app, 'without@example.com', 'owner');
    await browser.ask('post', '/console/factors/recovery-codes').expect(409);
    expect((await showCode(browser, '123456')).status).toBe(409);
  });
});

test('an operator resets the factors of a person, whose sessions end', async () => {
  const { personId, first } = await withApp('lost@example.com');
  await expect(operate(app, 'members', 'reset-factors', 'nobody@example.com')).rejects.toMatchObject({ code: 'not_found' });
  expect(await operate(app, 'members', 'reset-factors', 'Lost@example.com')).toEqual({ personId });
  await work(first).expect(401);
  const { browser } = await aMember(app, 'lost@example.com', 'owner');
  await work(browser).expect(200);
  expect((await browser.ask('get', '/console/factors')).body.data).toEqual({ totpSince: null, recoveryCodesLeft: 0, passkeys: [] });
});
