import http from 'node:http';
import { aProject } from '../../../support/platform/app';
import { carryOut } from '../../../support/calls/imports';
import { eventually } from '../../../support/platform/platform';
import { elapsed } from '../../../support/checks/yardstick';
import { stored } from '../../../support/data/stored';

const app = aProject();

const api = (key?: string) => app.api(key);
const contact = (email: string) => stored.contacts.one({ email });

describe('a form', () => {
  const form = (key?: string) => api(key).post('/v1/contacts/import');

  test('with a part file, named or not, is taken', async () => {
    const { body } = await form().attach('file', Buffer.from('email\na@x.de\n'), 'contacts.csv').expect(202);
    await carryOut(body.data.importId as string, app.keys.projectId);
    expect(await contact('a@x.de')).not.toBeNull();
    await form().field('file', 'email\nb@x.de\n').expect(202);
  });

  test('is refused in time when the database does not take it', async () => {
    jest.spyOn(stored.importPieces.collection, 'insertOne').mockReturnValueOnce(new Promise(() => undefined));
    const { status, body, headers } = await form().attach('file', Buffer.from('email\na@x.de\n'), 'contacts.csv');
    expect([status, body.code, headers['retry-after']]).toEqual([503, 'unavailable', '2']);
  });

  test('with several faults is refused with all of them', async () => {
    const { body } = await form().field('other', 'x').field('more', 'y').expect(422);
    expect(body.details).toMatchObject([
      { path: 'other', code: 'unrecognized_keys' },
      { path: 'more', code: 'unrecognized_keys' },
      { path: 'file', code: 'invalid_type' },
    ]);
  });

  test.each([
    ['an empty form', () => form().set('Content-Type', 'multipart/form-data; boundary=x').send('--x--\r\n'), ['file', 'invalid_type']],
    [
      'two files',
      () => form().attach('file', Buffer.from('email\n'), 'a.csv').attach('file', Buffer.from('email\n'), 'b.csv'),
      ['file', 'too_big'],
    ],
    [
      'another file beside it',
      () => form().attach('file', Buffer.from('email\n'), 'a.csv').attach('picture', Buffer.from('email\n'), 'b.csv'),
      ['picture', 'unrecognized_keys'],
    ],
    ['no boundary', () => form().set('Content-Type', 'multipart/form-data').send('email\n'), ['', 'invalid_type']],
    [
      'a form cut off',
      () =>
        form()
          .set('Content-Type', 'multipart/form-data; boundary=x')
          .send('--x\r\nContent-Disposition: form-data; name="file"\r\n\r\nemail\n'),
      ['', 'invalid_type'],
    ],
  ])('%s is refused', async (_name, send, [path, code]) => {
    const { body } = await send().expect(422);
    expect(body.details).toEqual([{ path, code, message: expect.any(String) }]);
  });

  test('other media types are refused', async () => {
    expect((await form().send({ email: 'a@x.de' })).status).toBe(415);
  });
});

test('an upload that breaks off leaves no job and no file', async () => {
  const [jobs, pieces] = await Promise.all([stored.imports.count(), stored.importPieces.count()]);
  const request = http.request(`${app.url}/v1/contacts/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${app.keys.secret}`, 'content-type': 'text/csv' },
  });
  request.on('error', () => undefined);
  request.write(`email\n${'a@x.de\n'.repeat(100_000)}`);
  await eventually('a piece is stored', async () => (await stored.importPieces.count()) > pieces);
  request.destroy();
  await eventually('it is gone', async () => (await stored.importPieces.count()) === pieces);
  expect(await stored.imports.count()).toBe(jobs);
});

/** Uploads a file letter by letter. */
async function letterByLetter(file: string): Promise<void> {
  const { hostname, port } = new URL(app.url);
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const upload = http.request({
      hostname,
      port,
      method: 'POST',
      path: '/v1/contacts/import',
      headers: {
        Authorization: `Bearer ${app.keys.secret}`,
        'Content-Type': 'text/csv',
        'Transfer-Encoding': 'chunked',
      },
    });
    upload.on('error', reject).on('response', (response) => resolve(response.resume().statusCode));
    upload.cork();
    for (const letter of file) upload.write(letter);
    upload.end();
  });
  expect(status).toBe(202);
}

test('a long header that comes letter by letter costs about what as many letters after it cost', async () => {
  const header = `email,${Array.from({ length: 3_500 }, (_, index) => `field_${index}`).join(',')}\na@x.de`;
  const after = await elapsed(() => letterByLetter(`email\n${'a@x.de\n'.repeat(header.length / 7)}`));
  const within = await elapsed(() => letterByLetter(header));
  expect(within / after).toBeLessThan(2);
});

describe('columns that are named beside the file', () => {
  const send = (columns: string, key?: string) => {
    const upload = api().post(`/v1/contacts/import?columns=${columns}`).set('Content-Type', 'text/csv');
    return (key === undefined ? upload : upload.set('Idempotency-Key', key)).send('E-Mail-Adresse;Vorname;Notiz\nnamed@x.de;Ada;secret\n');
  };

  test('are what the file says, under any headers', async () => {
    const { body } = await send('email,firstName,-').expect(202);
    await carryOut(body.data.importId as string, app.keys.projectId);
    expect(await contact('named@x.de')).toMatchObject({ firstName: 'Ada', data: null });
  });

  test('are refused where they do not fit, and part of what makes an upload the same', async () => {
    const { body } = await send('email,firstName').expect(422);
    expect(body.details).toMatchObject([{ path: 'columns', code: 'invalid_combination' }]);
    await send('email,-,-', 'a key').expect(202);
    expect((await send('email,firstName,-', 'a key')).body.code).toBe('idempotency_key_reused');
  });
});
