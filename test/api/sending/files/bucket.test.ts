import request from 'supertest';
import { forTheFile } from '../../../support/run/for-the-file';
import { retentionCalls } from '../../../support/calls/retention';
import { pictures } from '../../../support/data/pictures';
import { stored } from '../../../support/data/stored';
import { STORE_KEYS, startObjectStore } from '../../../support/servers/object-store';
import { aProject, testCore } from '../../../support/platform/app';
import { fileBucket } from '../../../../src/sending/files/blobs';
import { removeFrom, OF_PROJECT } from '../../../../src/upkeep/project-removal/registry';

const lines: string[] = [];
const store = forTheFile(startObjectStore, ({ close }) => close());
const app = aProject(() => ({
  config: { ...STORE_KEYS, FILES_URL: `s3://mail-files/of/lettermill/?region=eu-central-1&endpoint=${store.url}` },
  log: (line: string) => lines.push(line),
}));
const { sweep } = retentionCalls(() => app);

beforeEach(async () => {
  store.failing = null;
  store.objects.clear();
  lines.length = 0;
  await stored.files.remove();
  await stored.fileBlobs.remove();
});

const upload = (content: Buffer) => app.api().post('/v1/files').set('Content-Type', 'image/gif').send(content);
const uploaded = async (content: Buffer) => (await upload(content).expect(201)).body.data as { readonly id: string; readonly url: string };
const fetched = (url: string) => request(app.url).get(new URL(url).pathname).buffer(true);

test('contents are in the bucket, below its prefix, and are served from there', async () => {
  const content = pictures.gif(1, 2, 'in the bucket');
  const { id, url } = await uploaded(content);
  const { blobId } = await stored.files.get(id);
  expect([...store.objects]).toEqual([[`/mail-files/of/lettermill/${app.keys.projectId}/${blobId}`, content]]);
  expect(await stored.fileBlobs.get(blobId)).not.toHaveProperty('content');
  expect(Buffer.from((await fetched(url).expect(200)).body as Buffer)).toEqual(content);
  await app.api().delete(`/v1/files/${id}`).expect(200);
  expect([store.objects.size, await stored.fileBlobs.count()]).toEqual([0, 0]);
});

test('what MongoDB has from before is served from there', async () => {
  const content = pictures.gif(3, 4, 'from before');
  const { id, url } = await uploaded(content);
  const { blobId } = await stored.files.get(id);
  await stored.fileBlobs.change(blobId, { content });
  store.objects.clear();
  expect(Buffer.from((await fetched(url).expect(200)).body as Buffer)).toEqual(content);
});

test('an upload fails whole while the bucket does, and says so; the log has no key', async () => {
  store.failing = 500;
  const { body, headers } = await upload(pictures.gif(5, 6)).expect(503);
  expect([body.code, headers['retry-after']]).toEqual(['unavailable', '10']);
  expect(await stored.files.count()).toBe(0);
  store.failing = null;
  await sweep(1);
  expect(await stored.fileBlobs.count()).toBe(0);
  expect(lines.join('\n')).toContain('FILES_URL answered 500 InternalError');
  expect(lines.join('\n')).not.toMatch(/AKIDEXAMPLE|wJalrX/);
});

test('a picture that the bucket does not give is 503, and not kept', async () => {
  const { url } = await uploaded(pictures.gif(7, 8));
  store.failing = 503;
  expect((await fetched(url).expect(503)).headers['cache-control']).toBe('no-store, private');
  store.failing = null;
  await fetched(url).expect(200);
});

test('a deletion is done also while the bucket fails; the sweep finishes it', async () => {
  const { id, url } = await uploaded(pictures.gif(9, 10));
  store.failing = 500;
  await app.api().delete(`/v1/files/${id}`).expect(200);
  await fetched(url).expect(404);
  await sweep(1);
  expect(store.objects.size).toBe(1);
  store.failing = null;
  await sweep(1);
  expect([store.objects.size, await stored.fileBlobs.count()]).toEqual([0, 0]);
});

test('a wrong secret is refused by the store, and its answer is only named', async () => {
  const config = { ...STORE_KEYS, FILES_SECRET_ACCESS_KEY: 'wrong', FILES_URL: `s3://mail-files?endpoint=${store.url}` };
  const error: unknown = await fileBucket(testCore({ config }))
    ?.put('a/b', Buffer.from('c'))
    .catch((refused: unknown) => refused);
  expect(error).toMatchObject({ code: 'unavailable', cause: new Error('FILES_URL answered 403 SignatureDoesNotMatch') });
});

test('the removal of a project removes its pictures from the bucket', async () => {
  await uploaded(pictures.gif(11, 12));
  await uploaded(pictures.gif(13, 14));
  for (const step of OF_PROJECT.filter(([name]) => name === 'files' || name === 'file_blobs'))
    await removeFrom(app.core, step, app.keys.projectId);
  expect([store.objects.size, await stored.fileBlobs.count()]).toEqual([0, 0]);
});

test.each([
  ['s3://Bucket', 'FILES_URL'],
  ['https://bucket.example.com', 'must be s3://bucket'],
  ['s3://bucket?region=eu-central-1&key=1', 'must be s3://bucket'],
  ['s3://bucket?endpoint=http://user:secret@host', 'must be s3://bucket'],
])('%s is no bucket', (url, words) => {
  expect(() => testCore({ config: { ...STORE_KEYS, FILES_URL: url } })).toThrow(words);
});

test('a bucket needs its keys, and keys a bucket', () => {
  expect(() => testCore({ config: { FILES_URL: 's3://bucket' } })).toThrow('FILES_URL needs');
  expect(() => testCore({ config: { FILES_ACCESS_KEY_ID: 'a' } })).toThrow('need FILES_URL');
});
