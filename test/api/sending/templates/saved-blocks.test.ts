import type { Response } from 'supertest';
import { aProject } from '../../../support/platform/app';
import { stored } from '../../../support/data/stored';

const app = aProject({ config: {} });

beforeEach(() => stored.savedBlocks.remove());

const TEXT = { kind: 'text', id: 'b1', lines: [{ spans: [{ text: 'See you soon, ' }, { field: 'data.advisor', fallback: 'your team' }] }] };
const SIGNATURE = { name: 'Signature', blocks: [TEXT, { kind: 'divider', id: 'b2' }] };

const save = (given: object = SIGNATURE) => app.api().post('/v1/blocks').send(given);
const saved = async (given: object = SIGNATURE): Promise<string> => ((await save(given).expect(201)).body.data as { id: string }).id;
const pathsOf = ({ body }: Response): unknown => (body as { details: readonly { path: string }[] }).details.map(({ path }) => path);

test('blocks are saved under a name, read, renamed, replaced and deleted', async () => {
  const { body } = await save().expect(201);
  const { id } = body.data as { id: string };
  const times = { createdAt: expect.any(String), updatedAt: expect.any(String) };
  expect(body.data).toEqual({ id: expect.stringMatching(/^blk_/), ...SIGNATURE, ...times });
  await app.api().patch(`/v1/blocks/${id}`).send({ name: 'Closing line' }).expect(200);
  await app
    .api()
    .patch(`/v1/blocks/${id}`)
    .send({ blocks: [TEXT] })
    .expect(200);
  expect((await app.api().get(`/v1/blocks/${id}`).expect(200)).body.data).toEqual({ id, name: 'Closing line', blocks: [TEXT], ...times });
  await app.api().delete(`/v1/blocks/${id}`).expect(200);
  await app.api().get(`/v1/blocks/${id}`).expect(404);
  await app.api().patch(`/v1/blocks/${id}`).send({ name: 'Gone' }).expect(404);
  await app.api().delete(`/v1/blocks/${id}`).expect(404);
});

test('saved blocks are listed newest first, in pages, and found by a part of their name', async () => {
  for (const name of ['Header', 'Footer', 'Signature']) await saved({ ...SIGNATURE, name });
  const list = async (query: string) => (await app.api().get(`/v1/blocks${query}`).expect(200)).body.data as { name: string }[];
  expect((await list('')).map(({ name }) => name)).toEqual(['Signature', 'Footer', 'Header']);
  expect((await list('?search=oot')).map(({ name }) => name)).toEqual(['Footer']);
  const first = await app.api().get('/v1/blocks?limit=2').expect(200);
  expect((await list(`?limit=2&cursor=${String(first.body.nextCursor)}`)).map(({ name }) => name)).toEqual(['Header']);
});

test('a saved block is inserted as it is: a design of it renders', async () => {
  const id = await saved();
  const { body } = await app.api().get(`/v1/blocks/${id}`).expect(200);
  const { blocks } = body.data as typeof SIGNATURE;
  const rendered = await app
    .api()
    .post('/v1/templates/render-blocks')
    .send({ bodyBlocks: { version: 1, blocks } })
    .expect(200);
  expect(rendered.body.data.body).toContain('{{data.advisor | "your team"}}');
});

test('numbers stay as they are written', async () => {
  const raw = '{"name":"Rule","blocks":[{"kind":"spacer","id":"s","height":24.000000000000000000}]}';
  const { body } = await app.api().post('/v1/blocks').set('Content-Type', 'application/json').send(raw).expect(201);
  const answer = await app
    .api()
    .get(`/v1/blocks/${String(body.data.id)}`)
    .expect(200);
  expect(answer.text).toContain('24.000000000000000000');
});

test.each([
  ['no list', { kind: 'divider', id: 'd' }, ['blocks']],
  ['a text', '[]', ['blocks']],
  ['an empty list', [], ['blocks']],
  ['an unknown kind', [{ kind: 'movie', id: 'd' }], ['blocks.0.kind']],
  ['an unknown member', [{ kind: 'divider', id: 'd', onclick: 'x' }], ['blocks.0.onclick']],
  ['one id twice', [TEXT, TEXT], ['blocks.1.id']],
  ['a broken placeholder', [{ kind: 'html', id: 'h', html: '<p>{{#if x}}</p>' }], ['blocks']],
])('what is no list of blocks is refused: %s', async (_what, blocks, paths) => {
  expect(pathsOf(await save({ name: 'Wrong', blocks }).expect(422))).toEqual(paths);
  const id = await saved();
  expect(pathsOf(await app.api().patch(`/v1/blocks/${id}`).send({ blocks }).expect(422))).toEqual(paths);
});

test('a name is required, and unknown members are refused', async () => {
  expect(pathsOf(await save({ blocks: [TEXT] }).expect(422))).toEqual(['name']);
  expect(pathsOf(await save({ ...SIGNATURE, color: 'red' }).expect(422))).toEqual(['color']);
});

test('a project has at most 500 saved blocks', async () => {
  const { projectId } = await stored.savedBlocks.get(await saved());
  const now = new Date();
  const row = (n: number) => ({ _id: `blk_${n}`, projectId, name: 'Many', blocks: '[]', createdAt: now, updatedAt: now });
  await stored.savedBlocks.make(Array.from({ length: 499 }, (_, n) => row(n)));
  expect((await save().expect(409)).body).toMatchObject({ code: 'limit_exceeded' });
});
