import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openDataDir } from '../../../../packages/local/src/data-dir';
import type { DataDir } from '../../../../packages/local/src/data-dir';
import { ensureDefaultProject } from '../../../../src/processes/local/start';
import { connectMongo, disconnectMongo } from '../../../../src/platform/mongo/connect';
import { authenticate } from '../../../../src/records/projects/key-service';
import { createProject } from '../../../../src/records/projects/service';
import type { ProjectKeys } from '../../../../src/records/projects/service';
import { testMongoUri } from '../../../support/run/servers';
import { stored } from '../../../support/data/stored';

let dir: DataDir;

beforeAll(() => connectMongo(testMongoUri(`default_project_${process.pid}`)));
afterAll(disconnectMongo);

beforeEach(async () => {
  await stored.projects.remove();
  dir = openDataDir(mkdtempSync(path.join(os.tmpdir(), 'lettermill-keys-')));
});

afterEach(() => rmSync(dir.root, { recursive: true, force: true }));

const marked = (): void => writeFileSync(`${dir.keys}.making`, '');
const written = (): unknown => JSON.parse(readFileSync(dir.keys, 'utf8'));

async function kindsOf({ secret, test, public: open }: ProjectKeys): Promise<unknown[]> {
  const found = await Promise.all([secret, test, open].map((key) => authenticate(key)));
  return found.map((who) => (typeof who === 'string' ? who : [who.key.kind, who.project.name]));
}

const ALL_KINDS = [
  ['secret', 'Default'],
  ['test', 'Default'],
  ['public', 'Default'],
];

test('the first start makes the project and writes its keys for their owner only; later starts read them', async () => {
  const keys = await ensureDefaultProject(dir);
  expect(await kindsOf(keys as ProjectKeys)).toEqual(ALL_KINDS);
  expect(written()).toEqual(keys);
  expect(statSync(dir.keys).mode & 0o777).toBe(0o600);
  expect(await ensureDefaultProject(dir)).toEqual(keys);
  expect(await stored.projects.count({})).toBe(1);
});

test('a first start killed before the project was made: the next one makes it', async () => {
  marked();
  expect(await kindsOf((await ensureDefaultProject(dir)) as ProjectKeys)).toEqual(ALL_KINDS);
  expect(await stored.projects.count({})).toBe(1);
});

test('a first start killed before the keys were written: the project gets new ones, and the unseen ones end', async () => {
  marked();
  const lost = await createProject('Default');
  const keys = (await ensureDefaultProject(dir)) as ProjectKeys;
  expect(keys.projectId).toBe(lost.projectId);
  expect(await kindsOf(keys)).toEqual(ALL_KINDS);
  expect(await authenticate(lost.secret)).toBe('revoked');
  expect(written()).toEqual(keys);
});

test('a first start killed before the mark was removed: the keys stay', async () => {
  const keys = await ensureDefaultProject(dir);
  marked();
  expect(await ensureDefaultProject(dir)).toEqual(keys);
  expect(await ensureDefaultProject(dir)).toEqual(keys);
});

test('a project of another DATA_DIR is left alone', async () => {
  const other = await createProject('Default');
  expect(await ensureDefaultProject(dir)).toBeNull();
  expect(await authenticate(other.secret)).toMatchObject({ project: { _id: other.projectId } });
  expect(await stored.projects.count({})).toBe(1);
});
