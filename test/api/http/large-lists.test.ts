import http from 'node:http';
import { newId } from '../../../src/platform/core/ids';
import { aProject } from '../../support/platform/app';
import type { TestApp } from '../../support/platform/app';
import { stored } from '../../support/data/stored';
import { newProject } from '../../support/data/projects';

const app = aProject();
let keys: TestApp['keys'];

afterEach(() => jest.restoreAllMocks());
beforeEach(async () => {
  keys = await newProject('Large lists');
});

interface Answer {
  readonly data: readonly { readonly templateId: string; readonly body: string }[];
  readonly nextCursor?: string;
}

const list = async (query: object = {}): Promise<Answer> =>
  (await app.api(keys.secret).get('/v1/templates').query(query).expect(200)).body.data as Answer;

/** All answers of a walk. */
async function walk(): Promise<readonly Answer[]> {
  const answers = [await list()];
  for (let cursor = answers[0]?.nextCursor; cursor; cursor = answers.at(-1)?.nextCursor) answers.push(await list({ cursor }));
  return answers;
}

const KIB = 1_024;
/** Templates of so many bytes, newest last. */
async function storeTemplates(sizes: readonly number[]): Promise<string[]> {
  const made = sizes.map((size, index) => ({
    _id: newId('tpl'),
    projectId: keys.projectId,
    ...{ name: `T${index}`, type: 'marketing', subject: '', fromName: null, fromEmail: 'a@hello.test', version: 1 },
    body: 'é'.repeat(size / 2),
    createdAt: new Date(1_700_000_000_000 + index),
    updatedAt: new Date(),
  }));
  for (const row of made) await stored.templates.collection.insertOne(row as never);
  return made.map(({ _id }) => _id);
}

test('an answer ends at 8 MiB of rows, at any limit', async () => {
  const made = await storeTemplates(Array.from({ length: 20 }, () => 900 * KIB));
  const answers = await walk();
  expect(answers.map(({ data }) => data.length)).toEqual([9, 9, 2]);
  expect(answers.flatMap(({ data }) => data).map((row) => row.templateId)).toEqual(made.reverse());
  expect(answers.flatMap(({ data }) => data).every((row) => row.body.length === 450 * KIB)).toBe(true);
});

test('an answer has at least one row, however long that is', async () => {
  await storeTemplates([9_000 * KIB, 200, 9_000 * KIB]);
  const answers = await walk();
  expect(answers.map(({ data }) => data.length)).toEqual([1, 1, 1]);
});

/** Asks for the templates. Resolves to the connection when the answer begins, of which nothing is read. */
const begun = (): Promise<http.ClientRequest> =>
  new Promise((resolve, reject) => {
    const asked = http.get(`${app.url}/v1/templates`, { agent: false, headers: { authorization: `Bearer ${keys.secret}` } }, () =>
      resolve(asked),
    );
    asked.on('error', reject);
  });

test('large answers that are not read hold up their own project only, until one of them is given up', async () => {
  await storeTemplates(Array.from({ length: 16 }, () => 900 * KIB));
  const unread = await Promise.all(Array.from({ length: 4 }, begun));
  const waits = list();
  expect((await list({ search: 'none' })).data).toEqual([]);
  keys = await newProject('Neighbour');
  await storeTemplates(Array.from({ length: 9 }, () => 900 * KIB));
  const first = await Promise.race([waits.then(() => 'busy'), list().then(({ data }) => data.length)]);
  expect(first).toBe(9);
  unread[0]?.destroy();
  expect((await waits).data).toHaveLength(9);
  for (const connection of unread) connection.destroy();
});

test('a client that takes nothing of a large answer for half a minute is cut off, and who waits has its place', async () => {
  const { setTimeout: limit } = http.ServerResponse.prototype;
  jest.spyOn(http.ServerResponse.prototype, 'setTimeout').mockImplementation(function (this: http.ServerResponse, ms, callback) {
    return limit.call(this, ms === 30_000 ? 300 : ms, callback);
  });
  await storeTemplates(Array.from({ length: 16 }, () => 900 * KIB));
  const unread = await Promise.all(Array.from({ length: 4 }, begun));
  expect((await list()).data).toHaveLength(9);
  for (const connection of unread) connection.destroy();
});
