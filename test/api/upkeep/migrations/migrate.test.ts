import { disconnectMongo } from '../../../../src/platform/mongo/connect';
import { MigrationLease, readSchema } from '../../../../src/upkeep/migrations/gate';
import { Membership } from '../../../../src/upkeep/migrations/membership';
import { migrate, migrateAll } from '../../../../src/upkeep/migrations/migrate';
import { SCHEMA_VERSION, VERSIONS } from '../../../../src/platform/mongo/versions';
import type { Version, Work } from '../../../../src/platform/mongo/versions';
import { connectEmptied, testDatabase } from '../../../support/run/database';
import { eventually } from '../../../support/platform/platform';
import { testMongoUri } from '../../../support/run/servers';
import { stored } from '../../../support/data/stored';

const LEASE_MS = 600;
const ROWS = ['a', 'b', 'c', 'd', 'e', 'f'];

let said: string[];
let done: string[];

beforeAll(() => connectEmptied(testMongoUri(testDatabase())));
afterAll(() => disconnectMongo());
beforeEach(async () => {
  [said, done] = [[], []];
  await Promise.all([stored.schemas.remove(), stored.parts.remove()]);
});
afterEach(() => jest.restoreAllMocks());

const run = (versions: readonly Version[], contract = false): Promise<void> =>
  migrate({ versions, contract, leaseMs: LEASE_MS, say: (line) => said.push(line) });

/** Goes through the rows from where it was, and notes each. */
const through =
  (name: string, before: (row: string) => Promise<void> | void = () => undefined) =>
  async ({ at, note }: Work): Promise<void> => {
    for (const row of ROWS.slice(ROWS.indexOf(at ?? '') + 1)) {
      await before(row);
      done.push(`${name} ${row}`);
      await note(row, 1);
    }
  };

const all = (name: string): readonly string[] => ROWS.map((row) => `${name} ${row}`);
const once = (name: string) => (): Promise<void> => Promise.resolve(void done.push(name));

/** Ends a migration as a kill would: nothing is given up. */
function killedAt(row: string): (each: string) => void {
  return (each) => {
    if (each !== row) return;
    jest.spyOn(MigrationLease.prototype, 'giveUp').mockImplementationOnce(function (this: MigrationLease) {
      clearInterval(this['timer']);
      return Promise.resolve();
    });
    throw new Error('killed');
  };
}

test('one of several processes that start together migrates, once, and all go on when it is done', async () => {
  const versions = [
    { version: 1, what: 'first', expand: through('first', () => new Promise((resolve) => setTimeout(resolve, 20))) },
    { version: 2, what: 'second', expand: once('second') },
  ];
  await Promise.all(Array.from({ length: 4 }, () => run(versions)));
  expect(done).toEqual([...all('first'), 'second']);
  expect(await readSchema()).toMatchObject({ version: 2, oldest: 0, contracted: 0 });
  expect(said.filter((line) => line.startsWith('Another process is migrating the database'))).toHaveLength(3);
  await run(versions);
  expect(done).toHaveLength(7);
});

test('one that is killed half-way is gone on with where it was, when its lease is over', async () => {
  const at = (before?: (row: string) => void): readonly Version[] => [{ version: 1, what: 'rows', expand: through('expand', before) }];
  const began = performance.now();
  await expect(run(at(killedAt('d')))).rejects.toThrow('killed');
  expect(await readSchema()).toMatchObject({ version: 0, progress: { step: 'expand 1', at: 'c', rows: 3 } });
  await run(at());
  expect(performance.now() - began).toBeGreaterThan(LEASE_MS / 2);
  expect(done).toEqual(all('expand'));
  expect(said).toContain('expand 1: rows; continues after 3 rows');
  expect(await readSchema()).toEqual(expect.objectContaining({ version: 1 }));
  expect(await readSchema()).not.toHaveProperty('progress');
});

test('one that was stopped for longer than its lease does nothing more when it goes on', async () => {
  let proceed: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (proceed = resolve));
  jest.spyOn(MigrationLease.prototype as unknown as { renew(): Promise<void> }, 'renew').mockResolvedValue();
  const stopped = run([{ version: 1, what: 'rows', expand: through('stopped', (row) => (row === 'c' ? held : undefined)) }]);
  const ended = stopped.catch((error: unknown) => error);
  await eventually('two rows are noted', async () => (await readSchema()).progress?.at === 'b');
  await run([{ version: 1, what: 'rows', expand: through('other') }]);
  proceed();
  expect(String(await ended)).toContain('Another process has taken over the migration');
  expect(done).toEqual(['stopped a', 'stopped b', 'other c', 'other d', 'other e', 'other f', 'stopped c']);
  expect(await readSchema()).toMatchObject({ version: 1 });
});

describe('what earlier releases need', () => {
  const versions: readonly Version[] = [
    { version: 1, what: 'one' },
    { version: 2, what: 'two', expand: once('expand 2'), contract: once('contract 2') },
  ];
  const later: readonly Version[] = [...versions, { version: 3, what: 'three', expand: once('expand 3') }];
  const soon = () => new Date(Date.now() + 60_000);
  const part = (schemaVersion: number) => ({
    _id: `prt_${schemaVersion}`,
    part: 'api',
    host: 'web-1',
    pid: 11,
    release: '0.1.0',
    schemaVersion,
    startedAt: new Date(),
    leaseUntil: soon(),
  });

  test('is taken away when that is asked for, and not while one of them runs', async () => {
    await stored.parts.make([part(1), part(2)]);
    await run(versions);
    expect(done).toEqual(['expand 2']);
    await expect(run(versions, true)).rejects.toThrow(/Stop them first: api of release 0\.1\.0 \(schema 1, web-1, process 11\)$/);
    expect(await readSchema()).toMatchObject({ oldest: 0, contracted: 0 });
    // One that was killed counts until its lease is over.
    await stored.parts.change('prt_1', { leaseUntil: new Date(Date.now() - 1) });
    await run(versions, true);
    expect(done).toEqual(['expand 2', 'contract 2']);
    expect(await readSchema()).toMatchObject({ version: 2, oldest: 2, contracted: 2 });
    await run(versions, true);
    expect(done).toHaveLength(2);
  });

  test('stays where one of them starts at the same moment', async () => {
    await run(versions);
    const write = jest.spyOn(MigrationLease.prototype, 'write');
    write.mockImplementationOnce(async function (this: MigrationLease, set) {
      await stored.parts.make(part(1));
      write.mockRestore();
      return this.write(set);
    });
    await expect(run(versions, true)).rejects.toThrow('web-1');
    expect(await readSchema()).toMatchObject({ oldest: 0, contracted: 0 });
    expect(done).toEqual(['expand 2']);
  });

  test('goes before the next version is begun, which the release before that can run beside', async () => {
    await run(versions);
    await stored.parts.make(part(1));
    await expect(run(later)).rejects.toThrow('schema 2');
    expect(done).toEqual(['expand 2']);
    await stored.parts.remove();
    await stored.parts.make(part(2));
    await run(later);
    expect(done).toEqual(['expand 2', 'contract 2', 'expand 3']);
    expect(await readSchema()).toMatchObject({ version: 3, oldest: 2, contracted: 2 });
  });
});

describe('a process that starts', () => {
  const log = { warn: (line: string) => said.push(line), fatal: (line: string) => said.push(line) };
  const none = new AbortController().signal;

  test('says that it is there, with its release, and takes that back when it stops', async () => {
    await run([{ version: SCHEMA_VERSION, what: 'now' }]);
    const membership = new Membership('smtp', log as never, migrateAll);
    expect(await membership.begin(none)).toBe(true);
    expect(await stored.parts.all()).toMatchObject([{ part: 'smtp', pid: process.pid, schemaVersion: SCHEMA_VERSION }]);
    await membership.end();
    expect([await stored.parts.count(), said.filter((line) => line.includes('waits'))]).toEqual([0, []]);
  });

  test('goes on with a database that was expanded further, and not with one that was contracted beyond it', async () => {
    const further = [1, 2].map((more) => ({ version: SCHEMA_VERSION + more, what: 'later', contract: once(`contract ${more}`) }));
    await run([{ version: SCHEMA_VERSION, what: 'now' }, ...further]);
    expect(await readSchema()).toMatchObject({ version: SCHEMA_VERSION + 2, contracted: SCHEMA_VERSION + 1 });
    await stored.schemas.change({}, { oldest: SCHEMA_VERSION });
    const membership = new Membership('worker', log as never, migrateAll);
    expect(await membership.begin(none)).toBe(true);
    await membership.end();
    await stored.schemas.change({}, { oldest: SCHEMA_VERSION + 1 });
    await expect(new Membership('worker', log as never, migrateAll).begin(none)).rejects.toThrow(
      /^The database has schema (\d+), and release \S+ knows schema \d+ and nothing later\. Start a release that knows schema \1, or restore a backup/,
    );
    expect(await stored.parts.count()).toBe(0);
  });
});

test('a first migration that fails says why, and is tried again', async () => {
  await stored.schemas.remove();
  const logged: unknown[] = [];
  const log = { info: () => undefined, warn: (...args: unknown[]) => logged.push(...args), fatal: () => undefined };
  let tries = 0;
  const failing = (say: (line: string) => void): Promise<void> =>
    tries++ === 0 ? Promise.reject(new Error('two rows of one name')) : migrateAll(say);
  const membership = new Membership('api', log, failing);
  expect(await membership.begin(new AbortController().signal)).toBe(true);
  expect(logged).toContainEqual({ err: expect.objectContaining({ message: 'two rows of one name' }) });
  expect(await stored.parts.count()).toBe(1);
  await membership.end();
});

test('a process that was cut off while its schema was taken away ends when it looks again', async () => {
  await run([{ version: SCHEMA_VERSION, what: 'now' }]);
  const membership = new Membership('api', { warn: () => undefined, fatal: (line: string) => said.push(line) } as never, migrateAll);
  expect(await membership.begin(new AbortController().signal)).toBe(true);
  const kill = jest.spyOn(process, 'kill').mockReturnValue(true);
  await membership['beat']();
  expect(kill).not.toHaveBeenCalled();
  await stored.schemas.change({}, { oldest: SCHEMA_VERSION + 1 });
  await membership['beat']();
  expect(kill).toHaveBeenCalledWith(process.pid, 'SIGTERM');
  expect(said.at(-1)).toContain('The process ends.');
  await membership.end();
});

test('schema 2 keeps the indexes that longer ones replace for the previous release, and removes them when none of it will run', async () => {
  const old = [
    [stored.executions.collection, { finishedAt: 1 }],
    [stored.campaigns.collection, { startedAt: 1 }],
    [stored.campaigns.collection, { projectId: 1, createdAt: -1, _id: -1 }],
  ] as const;
  const areThere = () =>
    Promise.all(old.map(async ([rows, keys]) => (await rows.indexes()).some(({ key }) => JSON.stringify(key) === JSON.stringify(keys))));
  await run(VERSIONS.slice(0, 1));
  for (const [rows, keys] of old) await rows.createIndex(keys);
  await run(VERSIONS);
  expect(await areThere()).toEqual([true, true, true]);
  await run(VERSIONS, true);
  expect(await areThere()).toEqual([false, false, false]);
  await stored.schemas.change({}, { contracted: 1 });
  await run(VERSIONS, true);
  expect(await readSchema()).toMatchObject({ version: 2, oldest: 2, contracted: 2 });
});
