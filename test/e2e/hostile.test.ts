import { aPlatform } from '../support/platform/platform';

const platform = aPlatform();

const message = (more: Readonly<Record<string, unknown>>) => ({
  to: 'x@example.com',
  from: 'hello@hello.test',
  subject: 'Hi',
  html: '<p>Hi</p>',
  ...more,
});

/** Answers are for callers: nothing of how we are built belongs in them. */
const TELLTALE = /\bat \w+ \(|node_modules|\/src\/|Mongo|E11000|BSON/;

describe.each<[string, Record<string, unknown>]>([
  ['an operator for an address', { to: { $ne: null } }],
  ['an operator in variables', { variables: { a: { $where: '1' } } }],
  ['a prototype key', { variables: JSON.parse('{"__proto__": {"x": 1}}') as unknown }],
  ['two addresses in one', { to: 'a@example.com, b@example.com' }],
  ['a line break in the subject', { subject: 'Hi\r\nBcc: y@example.com' }],
  ['a line break in a name', { to: { email: 'a@example.com', name: 'A\r\nBcc: y@example.com' } }],
  ['a line break in a header', { headers: { 'X-A': 'a\r\nBcc: y@example.com' } }],
  ['a recipient by header', { headers: { Bcc: 'y@example.com' } }],
  ['a platform header', { headers: { 'List-Unsubscribe': '<https://example.com>' } }],
  ['a path for a file name', { attachments: [{ filename: '../../etc/passwd', content: 'QQ==' }] }],
  ['a megabyte of braces', { html: '{{'.repeat(500_000) }],
  ['a megabyte of blocks', { html: '{{#if a}}'.repeat(100_000) }],
  ['an unknown helper', { html: '{{lookup this "constructor"}}' }],
  [
    'nested loops without end',
    { html: '{{#each a}}{{#each ../a}}{{#each ../../a}}x{{/each}}{{/each}}{{/each}}', variables: { a: Array(200).fill(1) } },
  ],
])('%s', (_, more) => {
  test('is refused with a clear error, at once, and the platform goes on', async () => {
    const [answer, health] = await Promise.all([platform.post('/v1/send', message(more)), platform.get('/v1/health')]);
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({
      success: false,
      error: expect.any(String),
      code: expect.stringMatching(/^(validation_error|send_failed)$/),
    });
    expect(answer.body.details.length).toBeGreaterThan(0);
    expect(JSON.stringify(answer.body)).not.toMatch(TELLTALE);
    expect(health.status).toBe(200);
  });
});

test('what values bring into a message can neither add a header nor a script', async () => {
  const id = await platform.send('values@example.com', {
    subject: 'Hello {{name}}',
    html: '<p>{{name}} <a href="{{url}}">x</a></p>',
    variables: { name: 'A\r\nBcc: y@example.com\r\n<script>', url: 'java\tscript:alert(1)' },
  });
  await platform.untilStatus(id, 'delivered');
  const [mail] = platform.arrived('values@example.com');
  expect(mail?.headers['bcc']).toBeUndefined();
  expect(mail?.headers['subject']).toContain('Hello A');
  const { body } = await platform.get(`/v1/emails/${id}`);
  expect(body.data.body).toContain('&lt;script&gt;');
  expect(body.data.body).toContain('<a href="#">');
  expect(body.data.subject).not.toMatch(/[\r\n]/);
});

test('forged tokens lead nowhere', async () => {
  for (const path of ['/t/c/abc.def.ghi', '/t/o/abc.def.gif', '/u/abc.def', '/v/abc.def']) {
    const { status } = await fetch(platform.url + path, { redirect: 'manual' });
    expect(status).toBe(404);
  }
});
