import http from 'node:http';
import mongoose from 'mongoose';
import { newId } from '../../../src/platform/core/ids';
import { aProject } from '../../support/platform/app';
import type { TestApp } from '../../support/platform/app';
import { eventually } from '../../support/platform/platform';
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
  readonly nextCursor?: string | null;
}

const list = async (query: object = {}): Promise<Answer> =>
  (await app.api(keys.secret).get('/v1/templates').query(query).expect(200)).body.data as Answer;

const KIB = 1_024;
/** Templates of so many bytes, newest last. */
async function storeTemplates(sizes: readonly number[]): Promise<string[]> {
  const made = sizes.map((size, index) => ({
    _id: newId('tpl'),
    projectId: keys.projectId,
    name: `T${index}`,
    type: 'marketing',
    subject: '',
    fromName: null,
    fromEmail: 'a@hello.test',
    version: 1,
    body: 'é'.repeat(size / 2),
    createdAt: new Date(1_700_000_000_000 + index),
    updatedAt: new Date(),
  }));
  for (const row of made) await stored.templates.collection.insertOne(row);
  return made.map(({ _id }) => _id);
}

test('an answer has all rows, however long they are', async () => {
  const made = await storeTemplates([9_000 * KIB, 200, ...Array.from({ length: 6 }, () => 900 * KIB)]);
  const whole = await list();
  expect(whole.data.map((row) => row.templateId)).toEqual(made.toReversed());
  expect(whole.data.reduce((sum, { body }) => sum + body.length, 0)).toBe((9_000 * KIB + 200 + 6 * 900 * KIB) / 2);
  expect(whole).not.toHaveProperty('nextCursor');
});

test('an answer that is streamed adds no more listeners than Node takes for sound', async () => {
  await storeTemplates(Array.from({ length: 6 }, () => 900 * KIB));
  const warnings: string[] = [];
  const note = ({ name }: Error): void => void warnings.push(name);
  process.on('warning', note);
  await list();
  process.off('warning', note);
  expect(warnings).toEqual([]);
});

test('a page has as many rows as are asked for, however long they are', async () => {
  const made = await storeTemplates(Array.from({ length: 6 }, () => 900 * KIB));
  const first = await list({ limit: 5 });
  expect(first.data.map((row) => row.templateId)).toEqual(made.toReversed().slice(0, 5));
  const last = await list({ limit: 5, cursor: first.nextCursor });
  expect([last.data.length, last.nextCursor]).toEqual([1, null]);
});

test('a list has all rows, however many there are', async () => {
  const name = (n: number) => ({
    _id: newId('evt'),
    projectId: keys.projectId,
    name: `n${n}`,
    count: 1,
    changes: 1,
    lastSeenAt: new Date(n),
  });
  await stored.nameTallies.collection.insertMany(Array.from({ length: 2_345 }, (_, n) => name(n)));
  const { body } = await app.api(keys.secret).get('/v1/events/names').expect(200);
  const rows = body.data.data as { name: string }[];
  expect(rows.map((row) => row.name)).toEqual(Array.from({ length: 2_345 }, (_, n) => `n${2_344 - n}`));
});

test('of an answer that is not read hardly more is held than of a short one', async () => {
  await storeTemplates(Array.from({ length: 40 }, () => 1_000 * KIB));
  const find = jest.spyOn(mongoose.mongo.Collection.prototype, 'find');
  const unread = await begun();
  await new Promise((resolve) => setTimeout(resolve, 700));
  const read = find.mock.calls.length;
  expect(read).toBeLessThan(30);
  unread.destroy();
  await eventually('nothing more is read', () =>
    app
      .api(keys.secret)
      .get('/v1/templates?limit=1')
      .then(({ status }) => status === 200),
  );
  expect(find.mock.calls.length).toBeLessThan(read + 5);
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
  expect((await waits).data).toHaveLength(16);
  for (const connection of unread) connection.destroy();
});

test('a client that takes nothing of a large answer for half a minute is cut off, and who waits has its place', async () => {
  const { setTimeout: limit } = http.ServerResponse.prototype;
  jest.spyOn(http.ServerResponse.prototype, 'setTimeout').mockImplementation(function (this: http.ServerResponse, ms, callback) {
    return limit.call(this, ms === 30_000 ? 3_000 : ms, callback);
  });
  await storeTemplates(Array.from({ length: 16 }, () => 900 * KIB));
  const unread = await Promise.all(Array.from({ length: 4 }, begun));
  expect((await list()).data).toHaveLength(16);
  for (const connection of unread) connection.destroy();
});
