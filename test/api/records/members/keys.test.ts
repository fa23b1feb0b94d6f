import { readAudit } from '../../../../src/records/audit';
import { createKey } from '../../../../src/records/projects/key-service';
import type { MemberRole } from '../../../../src/records/projects/model';
import { aMember, operate } from '../../../support/calls/member-browsers';
import type { SignedInMember } from '../../../support/calls/member-browsers';
import { CONSOLE_ORIGIN, ConsoleBrowser } from '../../../support/calls/console-browser';
import { newProject } from '../../../support/data/projects';
import { aProject } from '../../../support/platform/app';

const app = aProject({ config: { PUBLIC_URL: CONSOLE_ORIGIN } });

interface Made {
  readonly key: string;
  readonly keyId: string;
  readonly prefix: string;
  readonly createdBy: string | null;
}
const make = async ({ browser }: SignedInMember, body: object = {}): Promise<Made> =>
  (
    await browser
      .ask('post', '/v1/keys')
      .send({ kind: 'secret', ...body })
      .expect(201)
  ).body.data as Made;
const makeBy = async (key: string): Promise<Made> =>
  (await app.api(key).post('/v1/keys').send({ kind: 'secret' }).expect(201)).body.data as Made;
const statusOf = async (key: string): Promise<number> => (await app.api(key).get('/v1/keys')).status;

test('a key says who made it: a person, another key, or nobody for an operator', async () => {
  const admin = await aMember(app, 'maker@example.com', 'admin');
  const byPerson = await make(admin);
  expect(byPerson.createdBy).toBe(`person ${admin.personId}`);
  const byKey = await makeBy(byPerson.key);
  expect(byKey.createdBy).toBe(`key ${byPerson.prefix}`);
  const { body } = await app.api().get('/v1/keys').expect(200);
  const rows = body.data.data as readonly Made[];
  expect(rows.find(({ prefix }) => app.keys.secret.startsWith(prefix))?.createdBy).toBeNull();
  expect(rows.find(({ keyId }) => keyId === byPerson.keyId)?.createdBy).toBe(`person ${admin.personId}`);
  const [, change] = await readAudit({ projectId: app.keys.projectId, limit: 2, before: null });
  expect(change).toMatchObject({ by: `person ${admin.personId}`, action: 'key.create', subject: byPerson.prefix });
});

describe('the role bounds the keys that a person makes', () => {
  const asked = [
    ['full', { kind: 'secret' }],
    ['test', { kind: 'test' }],
    ['sending', { kind: 'secret', scope: 'sending' }],
    ['read', { kind: 'secret', scope: 'read' }],
    ['public', { kind: 'public' }],
  ] as const;

  test.each<[MemberRole, string]>([
    ['owner', 'full, test, sending, read, public'],
    ['admin', 'full, test, sending, read, public'],
    ['marketer', 'sending, read, public'],
    ['analyst', 'read'],
    ['approver', 'read'],
  ])('%s: %s', async (role, expected) => {
    const { browser } = await aMember(app, `keys-${role}@example.com`, role);
    const may: string[] = [];
    for (const [name, body] of asked) if ((await browser.ask('post', '/v1/keys').send(body)).status === 201) may.push(name);
    expect(may.join(', ')).toBe(expected);
  });

  test('and the refusal says which', async () => {
    const { browser } = await aMember(app, 'bounded@example.com', 'marketer');
    const { body } = await browser.ask('post', '/v1/keys').send({ kind: 'secret' }).expect(403);
    expect(body).toMatchObject({
      code: 'forbidden',
      error: 'Your role in this project is marketer; it creates keys with the scope `sending` or `read`',
    });
  });

  test('and those that the person revokes: only own ones below an admin', async () => {
    const marketer = await aMember(app, 'reviser@example.com', 'marketer');
    const admin = await aMember(app, 'chief@example.com', 'admin');
    const [own, other] = [await make(marketer, { scope: 'sending' }), await make(admin, { scope: 'read' })];
    await marketer.browser.ask('delete', `/v1/keys/${other.keyId}`).expect(403);
    await marketer.browser.ask('delete', `/v1/keys/${own.keyId}`).expect(200);
    await admin.browser.ask('delete', `/v1/keys/${other.keyId}`).expect(200);
    expect([await statusOf(own.key), await statusOf(other.key)]).toEqual([401, 401]);
  });
});

describe('a person whose role bounds the keys', () => {
  const tried = async ({ browser }: SignedInMember, kind = 'secret') => browser.ask('post', '/v1/keys').send({ kind, scope: 'read' });

  test('has up to ten of a kind, however many come at once: the others of the project remain for everybody else', async () => {
    const { projectId } = await newProject('Bounded');
    const [analyst, other] = [
      await aMember(app, 'ten@example.com', 'analyst', projectId),
      await aMember(app, 'more@example.com', 'analyst', projectId),
    ];
    const answers = await Promise.all(Array.from({ length: 12 }, () => tried(analyst)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10);
    const { body } = await tried(analyst);
    expect(body).toMatchObject({ code: 'limit_exceeded', error: 'A person with your role has at most 10 secret keys' });
    expect([(await tried(analyst, 'test')).status, (await tried(other)).status]).toEqual([201, 201]);
    const owner = await aMember(app, 'unbound@example.com', 'owner', projectId);
    for (let count = 0; count < 11; count++) await make(owner);
  });

  test('creates ten an hour, also where each is revoked', async () => {
    const { projectId } = await newProject('Hourly');
    const marketer = await aMember(app, 'hourly@example.com', 'marketer', projectId);
    for (let count = 0; count < 10; count++) {
      const { keyId } = await make(marketer, { scope: 'sending' });
      await marketer.browser.ask('delete', `/v1/keys/${keyId}`).expect(200);
    }
    const { status, body, headers } = await tried(marketer);
    expect([status, body.code]).toEqual([429, 'rate_limited']);
    expect(Number(headers['retry-after'])).toBeGreaterThan(3_000);
  });
});

describe('when a person is removed', () => {
  /** A member with a key, one that was made with that key, and a console session of it. */
  async function leaver(address: string) {
    const member = await aMember(app, address, 'admin');
    const own = await make(member);
    const browser = new ConsoleBrowser(app.url);
    await browser.signIn({ key: own.key });
    return { member, own, made: await makeBy(own.key), browser };
  }

  test('the keys stay, unless they are to go', async () => {
    const { member, own, made } = await leaver('keeps@example.com');
    await app.api().delete(`/v1/members/${member.personId}`).expect(200);
    expect([await statusOf(own.key), await statusOf(made.key)]).toEqual([200, 200]);
  });

  test('the keys go with the person: also those made with them, and sessions of them; no others', async () => {
    const { member, own, made, browser } = await leaver('takes@example.com');
    const other = await make(await aMember(app, 'remains@example.com', 'admin'));
    await app.api().delete(`/v1/members/${member.personId}?keys=perhaps`).expect(422);
    const { body } = await app.api().delete(`/v1/members/${member.personId}?keys=revoke`).expect(200);
    expect(body.data).toEqual({ success: true, keysRevoked: 2 });
    expect([await statusOf(own.key), await statusOf(made.key), await statusOf(other.key)]).toEqual([401, 401, 200]);
    await browser.ask('get', '/v1/contacts').expect(401);
    const [change] = await readAudit({ projectId: app.keys.projectId, limit: 1, before: null });
    expect(change).toMatchObject({ action: 'member.remove', subject: member.personId, reason: 'keys revoked: 2' });
  });

  test('an operator has the choice too', async () => {
    const { own } = await leaver('operated@example.com');
    await operate(app, 'members', 'remove', app.keys.projectId, 'operated@example.com', '--revoke-keys');
    expect(await statusOf(own.key)).toBe(401);
  });

  test('a key that the person is creating is refused: it would stay', async () => {
    const { personId } = await aMember(app, 'creating@example.com', 'admin');
    const by = `person ${personId}`;
    await app.api().delete(`/v1/members/${personId}?keys=revoke`).expect(200);
    const creation = createKey(app.keys.projectId, 'secret', 50, {}, { maker: { createdBy: by, origin: by } });
    await expect(creation).rejects.toMatchObject({ code: 'forbidden' });
  });

  test('a removal that is refused revokes nothing', async () => {
    const owner = await aMember(app, 'sole@example.com', 'owner', (await newProject('Sole')).projectId);
    const own = await make(owner);
    expect((await owner.browser.ask('delete', `/v1/members/${owner.personId}?keys=revoke`)).status).toBe(409);
    expect(await statusOf(own.key)).toBe(200);
  });
});
