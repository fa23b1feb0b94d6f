import { automationExtensions } from '../../../../api/automations/routes';
import { emailExtensions } from '../../../../api/emails/routes';
import { keyExtensions } from '../../../../api/keys/routes';
import { settingsExtensions } from '../../../../api/settings/routes';
import { templateExtensions } from '../../../../api/templates/routes';
import { otherEndpoints, rooms } from '../../../../api/rooms';
import { createKey, listKeys, revokeKey } from '../../../../src/records/projects/key-service';
import { hashKey } from '../../../../src/records/projects/keys';
import type { KeyAccess } from '../../../../src/records/projects/keys';
import { apiOf, aProject, serve } from '../../../support/platform/app';
import { eventually } from '../../../support/platform/platform';
import { stored } from '../../../support/data/stored';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });

afterEach(() => jest.restoreAllMocks());

const MANY = 1_000;
const fresh = async (access: KeyAccess = {}, kind: 'secret' | 'test' | 'public' = 'secret'): Promise<string> =>
  (await createKey(app.keys.projectId, kind, MANY, access)).key;
const listed = async (key: string) => (await listKeys(app.keys.projectId)).find(({ prefix }) => key.startsWith(prefix));
const ago = (ms: number): Date => new Date(Date.now() - ms);
const message = { to: 'ada@example.com', from: 'us@hello.test', subject: 'Hello', text: 'Hello' };

const endpoints = [
  ...rooms({ health: () => Promise.resolve({ mongodb: 'up', temporal: 'up' }), document: () => ({}) }),
  ...automationExtensions,
  ...emailExtensions,
  ...settingsExtensions,
  ...keyExtensions,
  ...templateExtensions,
  ...otherEndpoints,
].filter(({ access }) => access !== 'none');

describe('scopes', () => {
  const SENDING = ['send', 'sendBatch', 'listEmails', 'getEmail'];

  test.each([
    ['sending', (operationId: string) => SENDING.includes(operationId)],
    ['read', (_: string, method: string) => method === 'get'],
    ['full', () => true],
  ] as const)('a key of scope %s opens what it says, and nothing else', async (scope, opens) => {
    const key = await fresh({ scope });
    for (const { method, path, operationId } of endpoints) {
      const { status, body } = await app.api(key)[method](path.replaceAll(/\{\w+\}/g, 'x'));
      const refused = { isRefused: status === 403, isForbidden: body.code === 'forbidden' };
      const expected = !opens(operationId, method);
      expect({ operationId, ...refused }).toEqual({ operationId, isRefused: expected, isForbidden: expected });
    }
  });

  test('a key that may send sends, and reads what became of it', async () => {
    const api = app.api(await fresh({ scope: 'sending' }));
    const { body } = await api.post('/v1/send').send(message).expect(200);
    await api
      .post('/v1/send/batch')
      .send({ messages: [message] })
      .expect(200);
    const path = `/v1/emails/${body.data.results[0].id}`;
    const seen = (await api.get(path).expect(200)).body.data as Record<string, unknown>;
    expect(seen).toMatchObject({ emailId: body.data.results[0].id, body: '', text: '', contentHidden: true });
    const { contentHidden, body: html } = (await app.api().get(path).expect(200)).body.data as Record<string, unknown>;
    expect([contentHidden, html]).toEqual([undefined, expect.stringMatching(/./)]);
    await api.head('/v1/emails').expect(200);
  });

  test('a refusal names the scope that is there and those that would do, and has no effect', async () => {
    const api = app.api(await fresh({ scope: 'read' }));
    const sent = await api.post('/v1/send').send(message).expect(403);
    expect(sent.body).toMatchObject({
      success: false,
      code: 'forbidden',
      error: "This key's scope is read; send needs the scope full or sending",
    });
    const made = await api.post('/v1/webhooks').send({ url: 'not even a URL' }).expect(403);
    expect(made.body.error).toBe("This key's scope is read; createWebhook needs the scope full");
    const read = await app
      .api(await fresh({ scope: 'sending' }))
      .get('/v1/contacts')
      .expect(403);
    expect(read.body.error).toBe("This key's scope is sending; listContacts needs the scope full or read");
  });

  test('a refusal takes a unit of the rate of the key', async () => {
    const own = await serve({ ...app.core, config: { ...app.core.config, API_RATE_PER_SECOND: 1, API_RATE_BURST: 3 } }, endpoints);
    const api = apiOf(own.url, await fresh({ scope: 'read' }))();
    const refused = await api.post('/v1/send').send(message).expect(403);
    expect(refused.headers).toMatchObject({ 'ratelimit-limit': '3', 'ratelimit-remaining': '2' });
    const statuses: number[] = [];
    for (let tries = 0; tries < 5; tries++) statuses.push((await api.post('/v1/send').send(message)).status);
    expect(statuses).toContain(429);
    await own.close();
  });

  test('a test key may have one too; of a public key nothing changes', async () => {
    const limited = app.api(await fresh({ scope: 'sending' }, 'test'));
    expect((await limited.post('/v1/send').send(message).expect(200)).body.data.testMode).toBe(true);
    await limited.get('/v1/contacts').expect(403);
    const open = await fresh({}, 'public');
    await app.api(open).post('/v1/events').send({ name: 'seen', email: 'ada@example.com' }).expect(201);
    await app.api(open).get('/v1/emails').expect(401);
    expect(await listed(open)).toMatchObject({ kind: 'public', scope: null });
  });
});

describe('expiry', () => {
  test('a key works until its end, and is refused in so many words from then on', async () => {
    const later = new Date(Date.now() + 3_600_000);
    const key = await fresh({ expiresAt: later });
    await app.api(key).get('/v1/emails').expect(200);
    expect(await listed(key)).toMatchObject({ expiresAt: later });
    const over = await app
      .api(await fresh({ expiresAt: ago(1) }))
      .get('/v1/emails')
      .expect(401);
    expect(over.body).toMatchObject({ success: false, code: 'unauthorized', error: 'This API key has expired' });
    expect(over.headers['www-authenticate']).toBe('Bearer');
    await app
      .api(await fresh({ expiresAt: ago(1) }, 'public'))
      .post('/v1/events')
      .send({ name: 'seen', email: 'ada@example.com' })
      .expect(401);
  });

  test('a key that was revoked says so', async () => {
    const key = await fresh({ expiresAt: ago(1) });
    await revokeKey(key);
    expect((await app.api(key).get('/v1/emails').expect(401)).body.error).toBe('This API key was revoked');
  });

  test('keys that have expired leave room for others', async () => {
    const { projectId } = app.otherKeys;
    for (let made = 0; made < 3; made++) await createKey(projectId, 'secret', 2, { expiresAt: ago(1) });
    await createKey(projectId, 'secret', 2, { expiresAt: new Date(Date.now() + 60_000) });
    await expect(createKey(projectId, 'secret', 2)).rejects.toThrow('A project has at most 2 secret keys');
  });
});

describe('last use', () => {
  const reads = (key: string) => app.api(key).get('/v1/emails');

  test('is written once a minute, for sends too, and not for what is refused with 401', async () => {
    const writes = jest.spyOn(stored.keyUses.collection, 'updateOne');
    const began = Date.now();
    const [key, never, expired] = [await fresh(), await fresh(), await fresh({ expiresAt: ago(1) })];
    await app.api(key).post('/v1/send').send(message).expect(200);
    for (let read = 0; read < 3; read++) await reads(key).expect(200);
    await reads(expired).expect(401);
    const used = await eventually('the last use', async () => (await listed(key))?.lastUsedAt);
    expect(used.getTime()).toBeGreaterThanOrEqual(began);
    expect(writes).toHaveBeenCalledTimes(1);
    expect(await listed(never)).toMatchObject({ lastUsedAt: null });
    expect(await listed(expired)).toMatchObject({ lastUsedAt: null });
  });

  test('holds up no request, and fails none', async () => {
    jest.spyOn(stored.keyUses.collection, 'updateOne').mockReturnValueOnce(new Promise(() => undefined));
    expect((await reads(await fresh())).status).toBe(200);
    jest.spyOn(stored.keyUses.collection, 'updateOne').mockRejectedValueOnce(new Error('not now'));
    expect((await reads(await fresh())).status).toBe(200);
  });
});

describe('revoking by the beginning of a key', () => {
  test.each([12, 13, 15, 16, 30, 54, 55])('%i characters do', async (length) => {
    const key = await fresh();
    expect(await revokeKey(key.slice(0, length))).toEqual({ projectId: app.keys.projectId, kind: 'secret', prefix: key.slice(0, 15) });
    expect((await app.api(key).get('/v1/emails')).status).toBe(401);
  });

  test('more than a whole key is none', async () => {
    const key = await fresh();
    await expect(revokeKey(`${key}0`)).rejects.toMatchObject({ code: 'validation_error' });
    expect((await listed(key))?.revokedAt).toBeNull();
  });

  test('where several begin so, none is revoked, and it says how many they are', async () => {
    const keys = [await fresh(), await fresh()];
    const [one = '', other = ''] = keys;
    const alike = one.slice(0, 12) + other.slice(12, 15);
    await stored.projects.collection.updateOne({ 'keys.hash': hashKey(other) }, { $set: { 'keys.$.prefix': alike } });
    const rows = async () => (await stored.projects.get(app.keys.projectId)).keys.filter(({ hash }) => keys.map(hashKey).includes(hash));
    await expect(revokeKey(one.slice(0, 12))).rejects.toMatchObject({
      code: 'conflict',
      message: '2 keys begin with these characters; none was revoked',
    });
    expect((await rows()).map(({ revokedAt }) => revokedAt)).toEqual([null, null]);
  });

  test('a whole key with a slip in it, an unknown one, and one that was revoked are not found', async () => {
    const key = await fresh();
    const slip = key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');
    await expect(revokeKey(slip)).rejects.toMatchObject({ code: 'not_found' });
    await expect(revokeKey('pk_000000000')).rejects.toMatchObject({ code: 'not_found' });
    await revokeKey(key);
    await expect(revokeKey(key)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('of two who revoke it at once, one does', async () => {
    const key = await fresh();
    const outcomes = await Promise.allSettled([revokeKey(key), revokeKey(key)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test.each(['sk_12345678', 'sk_^.*^.*^.*', 'nothing like it'])('%s is not the beginning of a key', async (text) => {
    await expect(revokeKey(text)).rejects.toMatchObject({
      code: 'validation_error',
      message: 'Give the first 12 characters of the key or more',
    });
  });
});
