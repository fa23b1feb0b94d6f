import { aProject } from '../../../support/platform/app';
import { onTheWireOf } from '../../../support/checks/wire';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });

const MESSAGE = { to: 'ada@example.com', from: 'team@hello.test', subject: 'Hello', html: '<p>Hello</p>' };
const BYTES = Buffer.from('Grüße an alle, '.repeat(12));
const CONTENT = BYTES.toString('base64');

const send = (attachment: object) =>
  app
    .api()
    .post('/v1/send')
    .send({ ...MESSAGE, attachments: [{ filename: 'a.txt', content: CONTENT, ...attachment }] });

test.each([
  'text/csv; charset=utf-8',
  'text/calendar;method=REQUEST;charset="utf-8"',
  'application/pdf; name="a; \\"b\\".pdf"',
  'text/plain; format=flowed; delsp=yes',
  'application/vnd.api+json ; profile="https://example.com/a b"',
])('a type may have parameters: %s', async (contentType) => {
  const { body } = await send({ contentType }).expect(200);
  const { id } = body.data.results[0] as { id: string };
  const { body: shown } = await app.api().get(`/v1/emails/${id}`).expect(200);
  expect(shown.data.attachments).toEqual([{ filename: 'a.txt', contentType, size: BYTES.length }]);
});

test.each([
  'text',
  'text/',
  'text/plain;',
  'text/plain; charset',
  'text/plain; charset=',
  'text/plain; charset="utf-8',
  'text/plain; charset=utf 8',
  'text/plain; charset=utf-8\r\nBcc: b@example.com',
  'text/plain; name="a\r\nBcc: b@example.com"',
  'text/plain; name="a\u0000"',
  `text/plain; name="${'a'.repeat(1000)}"`,
])('%j is no type', async (contentType) => {
  const { body } = await send({ contentType }).expect(422);
  expect(body.details[0]).toMatchObject({ path: 'attachments.0.contentType' });
});

test.each([
  ['in lines of 76', CONTENT.replace(/.{76}/g, '$&\r\n')],
  ['with a line end after it', `${CONTENT}\n`],
  ['with blanks and tabs', CONTENT.replace(/.{5}/g, '$& \t')],
  ['without padding', Buffer.from('ab').toString('base64').replace(/=+$/, '')],
])('base64 %s is taken', async (_case, content) => {
  const { body } = await send({ content }).expect(200);
  const { parsed } = await onTheWireOf(app, body.data.results[0].id as string);
  expect(parsed.attachments[0]?.content).toEqual(Buffer.from(content, 'base64'));
});

test.each(['a', 'ab=', 'abc==', 'a===', '=', 'ab-_', 'ab==cd==', 'a%'])('%j is no base64', async (content) => {
  const { body } = await send({ content }).expect(422);
  expect(body.details).toEqual([expect.objectContaining({ path: 'attachments.0.content', code: 'invalid_string' })]);
});

test('an invitation is an alternative of the texts and a file', async () => {
  const ics = Buffer.from('BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nEND:VCALENDAR\r\n');
  const { body } = await send({
    filename: 'invite.ics',
    content: ics.toString('base64'),
    contentType: 'text/calendar; method=REQUEST',
  }).expect(200);
  const { raw } = await onTheWireOf(app, body.data.results[0].id as string);
  expect([...raw.matchAll(/^Content-Type: ([a-z]+\/[a-z]+)/gm)].map(([, kind]) => kind)).toEqual([
    'multipart/mixed',
    'multipart/alternative',
    'text/plain',
    'text/html',
    'text/calendar',
    'text/calendar',
  ]);
});
