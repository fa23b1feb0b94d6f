import request from 'supertest';
import type { Response } from 'supertest';
import { pictures } from '../../../support/data/pictures';
import { stored } from '../../../support/data/stored';
import { retentionCalls } from '../../../support/calls/retention';
import { aProject } from '../../../support/platform/app';

const app = aProject({ config: { MAX_FILE_BYTES: '6000000' } });
const { sweep } = retentionCalls(() => app);

beforeEach(async () => {
  await stored.files.remove();
  await stored.fileBlobs.remove();
});

interface Shown {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly contentType: string;
  readonly [member: string]: unknown;
}

const upload = (content: Buffer, { name = 'a.png', type = 'application/octet-stream', key = app.keys.secret } = {}) =>
  app.api(key).post('/v1/files').query({ name }).set('Content-Type', type).send(content);
const uploaded = async (content: Buffer, given?: Parameters<typeof upload>[1]): Promise<Shown> =>
  (await upload(content, given).expect(201)).body.data as Shown;
const fetched = (url: string, headers: Readonly<Record<string, string>> = {}) =>
  request(app.url).get(new URL(url).pathname).set(headers).buffer(true);
const names = async (query = '') => ((await app.api().get(`/v1/files${query}`).expect(200)).body.data as Shown[]).map(({ name }) => name);
const faultOf = ({ body }: Response): unknown => (body as { details: readonly { code: string }[] }).details[0]?.code;

test.each([
  ['image/png', pictures.png(640, 480)],
  ['image/gif', pictures.gif(640, 480)],
  ['image/jpeg', pictures.jpeg(640, 480)],
  ['image/webp', pictures.webp('VP8 ', 640, 480)],
  ['image/webp', pictures.webp('VP8L', 640, 480)],
  ['image/webp', pictures.webp('VP8X', 640, 480)],
])('a picture is known by its content: %s', async (contentType, content) => {
  const file = await uploaded(content, { name: 'Shop.html', type: 'image/png' });
  expect(file).toEqual({
    id: expect.stringMatching(/^fil_[0-9a-z]{26}$/),
    name: 'Shop.html',
    url: expect.stringMatching(/\/i\/fil_[0-9a-z]{26}\.(png|gif|jpg|webp)$/),
    contentType,
    bytes: (await fetched(file.url)).body.length,
    width: 640,
    height: 480,
    createdAt: expect.any(String),
  });
  expect((await app.api().get(`/v1/files/${file.id}`).expect(200)).body.data).toEqual({ ...file, uses: [] });
});

test.each([
  ['a page', Buffer.from('<html><script>alert(1)</script>')],
  ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>')],
  ['nothing', Buffer.alloc(0)],
  ['a PNG that was cut off', pictures.png(1, 1).subarray(0, 20)],
  ['a JPEG without a frame', Buffer.from('\xff\xd8\xff\xe0\x00\x02\xff\xd9\x00\x00\x00\x00\x00\x00\x00', 'latin1')],
  ['a picture without an extent', pictures.gif(0, 10)],
])('%s is no picture', async (_what, content) => {
  const answer = await upload(content, { type: 'image/png' }).expect(422);
  expect(faultOf(answer)).toBe('invalid_type');
  expect(await stored.fileBlobs.count()).toBe(0);
});

test.each([
  ['a side', 10_001, 1],
  ['an area', 9_000, 9_000],
  ['an area that overflows', 4_294_967_295, 4_294_967_295],
])('a small file that says %s is huge is refused', async (_what, width, height) => {
  expect(faultOf(await upload(pictures.png(width, height)).expect(422))).toBe('too_big');
});

test('a type that is no picture is refused by its header, a body over 5 MiB by its size', async () => {
  await upload(pictures.gif(1, 1), { type: 'image/svg+xml' }).expect(415);
  const large = Buffer.concat([pictures.gif(1, 1), Buffer.alloc(5 * 1_048_576)]);
  expect((await upload(large).expect(413)).body).toMatchObject({ success: false, code: 'payload_too_large' });
  expect(await stored.fileBlobs.count()).toBe(0);
});

test('the same content is the same file, also when it comes ten times at once, and keeps its first name', async () => {
  const content = pictures.gif(10, 10, 'again');
  const answers = await Promise.all(Array.from({ length: 10 }, () => upload(content, { name: 'first' })));
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(9).fill(200), 201]);
  const { body } = await upload(content, { name: 'second' }).expect(200);
  expect(body.data).toMatchObject({ name: 'first' });
  expect(new Set(answers.map((answer) => (answer.body as { data: Shown }).data.id))).toEqual(new Set([(body.data as Shown).id]));
  expect([await stored.files.count(), await stored.fileBlobs.count()]).toEqual([1, 1]);
});

test('a picture is served to everyone, for good, and inert', async () => {
  const polyglot = pictures.gif(4, 4, '=1;/*<html><script>alert(document.domain)</script>*/');
  const { url } = await uploaded(polyglot, { name: 'x.html' });
  const answer = await fetched(url).expect(200);
  expect(Buffer.from(answer.body as Buffer).equals(polyglot)).toBe(true);
  expect(answer.headers).toMatchObject({
    'content-type': 'image/gif',
    'cache-control': 'public, max-age=31536000, immutable',
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
  });
  expect(answer.headers).not.toHaveProperty('set-cookie');
  const etag = String(answer.headers['etag']);
  const again = await fetched(url, { 'If-None-Match': `"other", ${etag}` }).expect(304);
  expect(again.headers).toMatchObject({ etag, 'cache-control': 'public, max-age=31536000, immutable' });
  await fetched(url, { 'If-None-Match': '"other"' }).expect(200);
  const head = await request(app.url).head(new URL(url).pathname).expect(200);
  expect(head.headers['content-length']).toBe(String(polyglot.length));
});

test('another ending, another id and a deleted picture are not found, and that is not kept', async () => {
  const { id, url } = await uploaded(pictures.gif(5, 5));
  for (const other of [url.replace('.gif', '.html'), url.replace('.gif', ''), url.replace('fil_', 'fil_0')])
    expect((await fetched(other).expect(404)).headers['cache-control']).toBe('no-store, private');
  await app.api().delete(`/v1/files/${id}`).expect(200);
  await fetched(url).expect(404);
  await app.api().delete(`/v1/files/${id}`).expect(404);
  expect(await stored.fileBlobs.count()).toBe(0);
  expect((await uploaded(pictures.gif(5, 5))).url).toBe(url);
});

test.each(['<img src=x onerror=alert(1)>', '../../etc/passwd', 'a"; filename="b.html', '图片 🖼.png', '\u202Egnp.exe'])(
  'the name %j is kept as it is, and is in no header',
  async (name) => {
    const { url } = await uploaded(pictures.gif(6, 6), { name });
    expect(await names()).toEqual([name]);
    expect(JSON.stringify((await fetched(url).expect(200)).headers)).not.toContain(name);
  },
);

test('a name of several lines, an empty one and one of more than 200 characters are refused', async () => {
  for (const name of ['a\r\nSet-Cookie: b', '', 'a'.repeat(201)]) expect((await upload(pictures.gif(7, 7), { name })).status).toBe(422);
});

test('files are listed newest first, in pages, and found by a part of their name', async () => {
  for (const name of ['One', 'Two.*', 'Three']) await uploaded(pictures.gif(8, 8, name), { name });
  expect(await names()).toEqual(['Three', 'Two.*', 'One']);
  expect(await names('?search=TWO.')).toEqual(['Two.*']);
  expect(await names('?search=T.*e')).toEqual([]);
  const { body } = await app.api().get('/v1/files?limit=2').expect(200);
  expect(await names(`?limit=2&cursor=${String(body.nextCursor)}`)).toEqual(['One']);
});

test('two projects with the same content have files of their own', async () => {
  const content = pictures.gif(9, 9);
  const mine = await uploaded(content, { name: 'mine' });
  const theirs = await uploaded(content, { name: 'theirs', key: app.otherKeys.secret });
  expect(theirs.url).not.toBe(mine.url);
  await app.api(app.otherKeys.secret).get(`/v1/files/${mine.id}`).expect(404);
  await app.api(app.otherKeys.secret).delete(`/v1/files/${mine.id}`).expect(404);
  await app.api(app.otherKeys.secret).delete(`/v1/files/${theirs.id}`).expect(200);
  await fetched(mine.url).expect(200);
});

test("a project's tracking host serves its pictures, and no other project's", async () => {
  const { body } = await app.api().post('/v1/domains').send({ domain: 'shop.test' }).expect(201);
  await stored.domains.change(String(body.data.domainId), { $set: { status: 'verified', 'records.tracking': 'verified' } });
  const mine = await uploaded(pictures.gif(11, 11));
  const theirs = await uploaded(pictures.gif(11, 11), { key: app.otherKeys.secret });
  const statusOf = async ({ url }: Shown) => (await fetched(url, { Host: 'track.shop.test' })).status;
  expect([await statusOf(mine), await statusOf(theirs)]).toEqual([200, 404]);
});

test('a project has room for so many bytes', async () => {
  const large = (tail: string) => Buffer.concat([pictures.gif(12, 12, tail), Buffer.alloc(3_500_000)]);
  const { id } = await uploaded(large('a'));
  expect((await upload(large('b')).expect(409)).body).toMatchObject({ code: 'limit_exceeded' });
  expect(await stored.fileBlobs.count()).toBe(1);
  await upload(large('a')).expect(200);
  await uploaded(large('b'), { key: app.otherKeys.secret });
  await app.api().delete(`/v1/files/${id}`).expect(200);
  await uploaded(large('b'));
});

test('what an upload that was killed left behind is seen by nobody, and goes', async () => {
  const { blobId } = await stored.files.get((await uploaded(pictures.gif(13, 13))).id);
  const killed = { projectId: app.keys.projectId, attached: false, content: pictures.gif(14, 14) };
  await stored.fileBlobs.make([
    { ...killed, _id: 'fbl_old', at: new Date(Date.now() - 3_700_000) },
    { ...killed, _id: 'fbl_under_way', at: new Date() },
  ]);
  await stored.fileBlobs.change(blobId, { at: new Date(0) });
  expect(await names()).toHaveLength(1);
  await sweep();
  expect((await stored.fileBlobs.distinct('_id')).sort()).toEqual(['fbl_under_way', blobId].sort());
});

test('a key that may only read or send uploads nothing', async () => {
  for (const scope of ['read', 'sending']) {
    const { body } = await app.api().post('/v1/keys').send({ kind: 'secret', scope }).expect(201);
    expect((await upload(pictures.gif(15, 15), { key: String(body.data.key) })).status).toBe(403);
  }
});

test('uploads and deletions are in the audit, an upload that finds its file is not', async () => {
  await stored.audit.remove();
  const { id } = await uploaded(pictures.gif(16, 16));
  await upload(pictures.gif(16, 16)).expect(200);
  await app.api().delete(`/v1/files/${id}`).expect(200);
  const entries = await stored.audit.all({}, { at: 1 });
  expect(entries.map(({ action, subject }) => [action, subject])).toEqual([
    ['file.create', id],
    ['file.delete', id],
  ]);
});
