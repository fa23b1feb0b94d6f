import { createKey } from '../../../../src/records/projects/key-service';
import { readAudit } from '../../../../src/records/audit';
import { documentsWith } from '../../../support/checks/traces';
import { aProject } from '../../../support/platform/app';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test', MAX_KEYS: '8' } });

interface Listed {
  readonly keyId: string;
  readonly prefix: string;
  readonly kind: string;
  readonly revokedAt: string | null;
}
const listed = async (): Promise<readonly Listed[]> => (await app.api().get('/v1/keys').expect(200)).body.data.data as readonly Listed[];
const make = (body: object, key?: string) => app.api(key).post('/v1/keys').send(body);

test('a key is made, works as its scope says, is listed without itself, and is refused once it is revoked', async () => {
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  const { body } = await make({ kind: 'secret', scope: 'read', expiresAt }).expect(201);
  const { key, ...shown } = body.data as Listed & { key: string };
  expect(shown).toEqual({
    keyId: expect.stringMatching(/^key_/),
    prefix: key.slice(0, 15),
    kind: 'secret',
    scope: 'read',
    expiresAt,
    createdBy: `key ${app.keys.secret.slice(0, 15)}`,
    createdAt: expect.any(String),
    lastUsedAt: null,
    revokedAt: null,
  });
  expect((await listed()).at(-1)).toEqual(shown);
  expect(JSON.stringify(await listed())).not.toContain(key);
  await app.api(key).get('/v1/keys').expect(200);
  await make({ kind: 'test' }, key).expect(403);
  const revoked = await app.api().delete(`/v1/keys/${shown.keyId}`).expect(200);
  expect(revoked.body.data).toMatchObject({ keyId: shown.keyId, revokedAt: expect.any(String) });
  await app.api(key).get('/v1/keys').expect(401);
  await app.api().delete(`/v1/keys/${shown.keyId}`).expect(404);
  const changes = await readAudit({ projectId: app.keys.projectId, limit: 10, before: null });
  expect(changes.map(({ action, subject }) => `${action} ${subject}`)).toEqual([
    `key.revoke ${shown.prefix}`,
    `key.create ${shown.prefix}`,
  ]);
});

test('no key is stored, not even one that was used or has made something', async () => {
  const { key } = (await make({ kind: 'secret' }).expect(201)).body.data as { key: string };
  await app.api(key).get('/v1/keys').expect(200);
  await app.api(key).post('/v1/events').set('Idempotency-Key', 'once').send({ name: 'seen', email: 'ada@example.com' }).expect(201);
  expect(await documentsWith([app.keys.secret, app.keys.test, app.keys.public, key])).toEqual([]);
});

test('the list goes on where it was left', async () => {
  const all = await listed();
  const first = (await app.api().get('/v1/keys?limit=2').expect(200)).body;
  expect(first.data.data).toHaveLength(2);
  const rest = (await app.api().get(`/v1/keys?cursor=${first.nextCursor}`).expect(200)).body;
  expect([...first.data.data, ...rest.data.data].map(({ keyId }: Listed) => keyId)).toEqual(all.map(({ keyId }) => keyId));
});

test('a test key makes no keys, and revokes test keys alone', async () => {
  const { test: testKey } = app.keys;
  const { body } = await make({ kind: 'test' }).expect(201);
  for (const kind of ['secret', 'test', 'public']) expect((await make({ kind }, testKey).expect(403)).body.code).toBe('forbidden');
  const live = (await listed()).find(({ kind }) => kind !== 'test');
  const statuses = [];
  for (const id of [live?.keyId, body.data.keyId]) statuses.push((await app.api(testKey).delete(`/v1/keys/${id}`)).status);
  expect(statuses).toEqual([404, 200]);
});

test.each([
  ['no end', undefined],
  ['a later end', 7_200_000],
  ['an earlier end', 600_000],
])('a key that ends makes no key that outlives it: asked for %s', async (_what, ms) => {
  const end = new Date(Date.now() + 3_600_000);
  const { key } = (await make({ kind: 'secret', expiresAt: end }).expect(201)).body.data as { key: string };
  const wanted = ms === undefined ? {} : { expiresAt: new Date(Date.now() + ms) };
  const { body } = await make({ kind: 'test', ...wanted }, key).expect(201);
  expect(Date.parse(body.data.expiresAt as string)).toBe(Math.min(end.getTime(), wanted.expiresAt?.getTime() ?? Infinity));
});

test('a key of another project is not there', async () => {
  const { prefix } = await createKey(app.otherKeys.projectId, 'secret', 50);
  const others = (await app.api(app.otherKeys.secret).get('/v1/keys').expect(200)).body.data.data as readonly Listed[];
  const foreign = others.find((key) => key.prefix === prefix);
  expect((await app.api().delete(`/v1/keys/${foreign?.keyId}`)).status).toBe(404);
});

test.each([
  [{ kind: 'root' }, 'kind'],
  [{ kind: 'public', scope: 'full' }, 'scope'],
  [{ kind: 'secret', expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
  [{ kind: 'secret', name: 'x' }, 'name'],
])('a key of %j is refused', async (body, path) => {
  const answer = await make(body).expect(422);
  expect(answer.body.details).toMatchObject([{ path }]);
});

test('a project may have a limited number of keys', async () => {
  let status = 201;
  for (let tries = 0; tries < 12 && status === 201; tries++) ({ status } = await make({ kind: 'secret' }));
  const { body } = await make({ kind: 'secret' });
  expect(body.code).toBe('limit_exceeded');
});
