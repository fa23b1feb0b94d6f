import { aProject } from '../../../support/platform/app';
import { onTheWireOf } from '../../../support/checks/wire';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const LOGO = { filename: 'logo.png', content: PIXEL, contentType: 'image/png', contentId: 'logo' };
const SIGN = { filename: 'grün.png', content: PIXEL, contentType: 'image/png', contentId: 'sign.1@shop.example' };
const FILE = { filename: 'a.txt', content: Buffer.from('attached').toString('base64'), contentType: 'text/plain' };
const HTML =
  '<p>Grüße <img src="cid:logo"> {{firstName | "you"}} <IMG SRC=\'cid:sign.1@shop.example\'> <a href="https://example.com/">x</a></p>';
const MESSAGE = { to: 'ada@example.com', from: 'team@hello.test', subject: 'Hello', html: HTML };

async function sent(attachments: readonly object[], more: object = {}) {
  const { body } = await app
    .api()
    .post('/v1/send')
    .send({ ...MESSAGE, ...more, attachments })
    .expect(200);
  const { id } = body.data.results[0] as { id: string };
  return { id, ...(await onTheWireOf(app, id)) };
}

/** The kinds of the parts, in their order. */
const kindsOf = (raw: string): readonly string[] => [...raw.matchAll(/^Content-Type: ([a-z]+\/[a-z]+)/gim)].map(([, kind = '']) => kind);

test.each([
  ['alone', [LOGO, SIGN], ['multipart/alternative', 'text/plain', 'multipart/related', 'text/html', 'image/png', 'image/png']],
  [
    'beside a file',
    [LOGO, FILE, SIGN],
    ['multipart/mixed', 'multipart/alternative', 'text/plain', 'multipart/related', 'text/html', 'image/png', 'image/png', 'text/plain'],
  ],
])('images of the HTML, %s, are with it, and what names them goes out as written', async (_case, attachments, kinds) => {
  const { id, raw, parsed } = await sent(attachments);
  expect(kindsOf(raw)).toEqual(kinds);
  expect(parsed.html).toContain('<img src="cid:logo">');
  expect(parsed.html).toContain("<IMG SRC='cid:sign.1@shop.example'>");
  expect(parsed.html).toContain('Grüße');
  expect(parsed.html).toContain('/t/c/');
  expect(parsed.text).toContain('Grüße');
  const shown = parsed.attachments.filter(({ related }) => related);
  expect(shown.map(({ cid, filename, contentDisposition, contentType }) => [cid, filename, contentDisposition, contentType])).toEqual([
    ['logo', 'logo.png', 'inline', 'image/png'],
    ['sign.1@shop.example', 'grün.png', 'inline', 'image/png'],
  ]);
  expect(shown.map(({ content }) => content.toString('base64'))).toEqual([PIXEL, PIXEL]);
  expect(parsed.attachments.filter(({ related }) => !related).map(({ filename }) => filename)).toEqual(
    attachments.includes(FILE) ? ['a.txt'] : [],
  );
  const { attachments: listed } = (await app.api().get(`/v1/emails/${id}`).expect(200)).body.data as { attachments: unknown[] };
  expect(listed).toEqual(
    attachments.map(({ filename, contentType, content, ...file }) => ({
      filename,
      contentType,
      size: Buffer.from(content, 'base64').length,
      ...('contentId' in file && { contentId: file.contentId }),
    })),
  );
  expect((await onTheWireOf(app, id)).raw).toBe(raw);
});

test('an image that is not kept is shown too', async () => {
  const { parsed } = await sent([LOGO], { retainContent: false });
  expect(parsed.attachments.map(({ cid, content }) => [cid, content.toString('base64')])).toEqual([['logo', PIXEL]]);
});

test.each([
  ['a>\r\nBcc: x@evil.test', 'invalid_string'],
  ['a b', 'invalid_string'],
  ['', 'invalid_string'],
  ['<logo>', 'invalid_string'],
  ['a@', 'invalid_string'],
  ['a'.repeat(129), 'too_big'],
])('a contentId of %j is refused', async (contentId, code) => {
  const { body } = await app
    .api()
    .post('/v1/send')
    .send({ ...MESSAGE, attachments: [{ ...LOGO, contentId }] })
    .expect(422);
  expect(body.details).toEqual([expect.objectContaining({ path: 'attachments.0.contentId', code })]);
});

test('the same contentId twice is refused', async () => {
  const { body } = await app
    .api()
    .post('/v1/send')
    .send({ ...MESSAGE, attachments: [LOGO, FILE, LOGO] })
    .expect(422);
  expect(body.details).toEqual([expect.objectContaining({ path: 'attachments.2.contentId', code: 'invalid_combination' })]);
});
