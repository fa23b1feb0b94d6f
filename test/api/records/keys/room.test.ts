import { MOST_KEYS_AN_HOUR, createKey, listKeys } from '../../../../src/records/projects/key-service';
import { hashKey, keyIdOf, makeKey } from '../../../../src/records/projects/keys';
import { createProject } from '../../../../src/records/projects/service';
import type { KeyRow, ProjectKeys } from '../../../../src/records/projects';
import { aProject } from '../../../support/platform/app';
import { stored } from '../../../support/data/stored';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const KEPT = 100;
/** The date alone is another one. */
const NO_TIMERS = [
  ...(['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'clearImmediate'] as const),
  ...(['nextTick', 'queueMicrotask', 'hrtime', 'performance'] as const),
];

const app = aProject();
let project: ProjectKeys;

beforeEach(async () => {
  project = await createProject('Room');
});

const ago = (ms: number): Date => new Date(Date.now() - ms);
const listed = async (): Promise<readonly string[]> => (await listKeys(project.projectId)).map(({ keyId }) => keyId);
const create = () => createKey(project.projectId, 'secret', 60, {}, { mostAnHour: MOST_KEYS_AN_HOUR });
const make = () => app.api(project.secret).post('/v1/keys').send({ kind: 'secret' });

/** A key that can be used no more: every other one was revoked, the rest have expired. */
function ended(n: number, createdAt: Date): KeyRow {
  const { row } = makeKey('secret', createdAt);
  return n % 2 === 0 ? { ...row, revokedAt: createdAt } : { ...row, expiresAt: ago(1) };
}

/** Puts so many keys that ended before those that the project has. Resolves to their hashes, oldest first. */
async function endedBefore(count: number, createdAt: Date): Promise<readonly string[]> {
  const rows = Array.from({ length: count }, (_, n) => ended(n, createdAt));
  await stored.projects.change(project.projectId, { $push: { keys: { $each: rows, $position: 0 } } });
  return rows.map(({ hash }) => hash);
}

/** Moves the making of all keys of the project. */
const madeAt = (at: Date) => stored.projects.change(project.projectId, { $set: { 'keys.$[].createdAt': at } });

describe('keys that can be used no more', () => {
  test('beyond the newest 100 go when a key is made, with their last use; nothing else goes', async () => {
    const hashes = await endedBefore(KEPT + 30, ago(DAY_MS));
    await stored.keyUses.make(hashes.map((hash) => ({ _id: hash, usedAt: new Date() })));
    const usable = [project.secret, project.test, project.public].map(hashKey);
    const { key } = await create();
    expect(await listed()).toEqual([...hashes.slice(30), ...usable, hashKey(key)].map(keyIdOf));
    expect((await stored.keyUses.all({ _id: { $in: [...hashes] } })).map(({ _id }) => _id).sort()).toEqual(hashes.slice(30).sort());
    await app.api(project.secret).get('/v1/keys').expect(200);
  });

  test('stay where they are 100, and where the new one is refused', async () => {
    const hashes = await endedBefore(KEPT, ago(DAY_MS));
    await create();
    expect((await listed()).slice(0, KEPT)).toEqual(hashes.map(keyIdOf));
    await endedBefore(1, ago(DAY_MS));
    const before = await listed();
    await expect(createKey(project.projectId, 'secret', 2)).rejects.toMatchObject({ code: 'limit_exceeded' });
    expect(await listed()).toEqual(before);
  });

  test('go once, and no key is lost, when many are made at once', async () => {
    const hashes = await endedBefore(KEPT + 5, ago(DAY_MS));
    const made = await Promise.all(Array.from({ length: 10 }, create));
    const left = await listed();
    expect(left.slice(0, KEPT)).toEqual(hashes.slice(5).map(keyIdOf));
    expect(left.slice(KEPT + 3).sort()).toEqual(made.map(({ key }) => keyIdOf(hashKey(key))).sort());
  });

  test('that last use could not be forgotten with them fails no key; it goes by its age', async () => {
    await endedBefore(KEPT + 1, ago(DAY_MS));
    const removal = jest.spyOn(stored.keyUses.collection, 'deleteMany').mockRejectedValueOnce(new Error('not now'));
    await create();
    expect(removal).toHaveBeenCalledTimes(1);
    removal.mockRestore();
    const indexes = await stored.keyUses.collection.indexes();
    expect(indexes.find(({ key }) => JSON.stringify(key) === '{"usedAt":1}')).toMatchObject({ expireAfterSeconds: 400 * 86_400 });
  });

  test('a list goes on where it was left when the key that it was left at has gone', async () => {
    const [second = ''] = await endedBefore(1, ago(2 * DAY_MS));
    const [first = ''] = await endedBefore(1, ago(3 * DAY_MS));
    const page = (await app.api(project.secret).get('/v1/keys?limit=2').expect(200)).body;
    expect(page.data.data).toMatchObject([{ keyId: keyIdOf(first) }, { keyId: keyIdOf(second) }]);
    await stored.projects.change(project.projectId, { $pull: { keys: { hash: second } } });
    const rest = (await app.api(project.secret).get(`/v1/keys?limit=1&cursor=${page.nextCursor}`).expect(200)).body;
    expect(rest.data.data).toMatchObject([{ keyId: keyIdOf(hashKey(project.secret)) }]);
    const last = (await app.api(project.secret).get(`/v1/keys?cursor=${rest.nextCursor}`).expect(200)).body;
    expect((last.data.data as { keyId: string }[]).map(({ keyId }) => keyId)).toEqual(
      [project.test, project.public].map((key) => keyIdOf(hashKey(key))),
    );
  });
});

describe('within an hour', () => {
  test('50 keys of a kind are made, those that were revoked included, exactly, however many come at once', async () => {
    await endedBefore(42, ago(50 * MINUTE_MS));
    const outcomes = await Promise.allSettled(Array.from({ length: 12 }, create));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(7);
    const refusals = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
    expect(refusals).toEqual(Array.from({ length: 5 }, () => expect.objectContaining({ code: 'rate_limited' })));
    const { body, headers } = await make().expect(429);
    expect(body).toMatchObject({
      code: 'rate_limited',
      error: expect.stringMatching(/^A project can create at most 50 secret keys an hour; try/),
    });
    expect(Number(headers['retry-after'])).toBeGreaterThan(400);
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(600);
    // As ever of the key's own rate, which is not used up.
    expect(Number(headers['ratelimit-remaining'])).toBeGreaterThan(0);
  });

  test('a key that is made and revoked over and over comes to an end', async () => {
    await endedBefore(46, ago(MINUTE_MS));
    const statuses: number[] = [];
    for (let tries = 0; tries < 5; tries++) {
      const { status, body } = await make();
      statuses.push(status);
      if (status === 201) await app.api(project.secret).delete(`/v1/keys/${body.data.keyId}`).expect(200);
    }
    expect(statuses).toEqual([201, 201, 201, 429, 429]);
  });

  test('keys of one kind take no place of another, and all of the hour are known', async () => {
    await endedBefore(60, new Date());
    const make = async (kind: string) => (await app.api(project.secret).post('/v1/keys').send({ kind })).status;
    expect([await make('secret'), await make('test'), await make('public')]).toEqual([429, 201, 201]);
    await endedBefore(60, ago(DAY_MS));
    expect([await make('test'), await make('secret')]).toEqual([201, 429]);
  });

  test('an operator makes as many as there is room for', async () => {
    await endedBefore(60, new Date());
    expect(await createKey(project.projectId, 'secret', 50)).toMatchObject({ kind: 'secret' });
  });

  test('what is older does not count', async () => {
    await endedBefore(60, new Date());
    expect((await make()).status).toBe(429);
    await madeAt(ago(61 * MINUTE_MS));
    expect((await make()).status).toBe(201);
  });

  test('keys are made by the clock of the database', async () => {
    const clock = jest.useFakeTimers({ now: 0, doNotFake: [...NO_TIMERS] });
    const { prefix } = await create().finally(() => clock.useRealTimers());
    const made = (await listKeys(project.projectId)).find((key) => key.prefix === prefix);
    expect(Math.abs(Date.now() - (made?.createdAt.getTime() ?? 0))).toBeLessThan(MINUTE_MS);
  });

  test('a project that has as many as it may is said so: to wait would not help', async () => {
    await endedBefore(60, new Date());
    await expect(createKey(project.projectId, 'secret', 1, {}, { mostAnHour: MOST_KEYS_AN_HOUR })).rejects.toMatchObject({
      code: 'limit_exceeded',
    });
  });
});
