import type { Test } from 'supertest';
import { createKey } from '../../../src/records/projects/key-service';
import { aProject, apiOf } from '../../support/platform/app';
import type { Api } from '../../support/platform/app';

/** What people write who come from another service, and all that the answer has to say to it: in its body, or in its warning. */
const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });

type Ask = (api: Api) => Test;
type Row = readonly [habit: string, ask: Ask, status: number, says: string | readonly string[]];

const post =
  (path: string, body: object): Ask =>
  (api) =>
    api.post(path).send(body);
const get =
  (path: string): Ask =>
  (api) =>
    api.get(path);

const MESSAGE = { to: 'ada@example.com', from: 'team@hello.test', subject: 'Hello', html: '<p>Hello</p>' };
const TEMPLATE = { name: 'News', subject: 'Hello', fromEmail: 'team@hello.test' };
const send = (change: object): Ask => post('/v1/send', { ...MESSAGE, ...change });
const template = (body: string): Ask => post('/v1/templates', { ...TEMPLATE, body });
const contact = (change: object): Ask => post('/v1/contacts', { email: 'ada@example.com', ...change });

const meant = (name: string): string => `did you mean "${name}"?`;
const AS_WRITTEN = 'is sent as it is written: placeholders here are like {{firstName}}';

const HABITS: readonly Row[] = [
  [
    'the body of a Resend message',
    send({ reply_to: 'a@hello.test', scheduled_at: 'x', tags: [] }),
    422,
    [meant('replyTo'), meant('sendAt')],
  ],
  [
    'the body of a Postmark message',
    post('/v1/send', { From: 'a@hello.test', To: 'b@example.com', Subject: 'Hi', HtmlBody: 'x', TextBody: 'x', MessageStream: 'x' }),
    422,
    [meant('from'), meant('to'), meant('subject'), meant('html'), meant('text'), meant('type')],
  ],
  [
    'the body of a SendGrid message',
    post('/v1/send', { personalizations: [], from: 'a@hello.test', subject: 'Hi', content: [], dynamic_template_data: {}, categories: [] }),
    422,
    [meant('to'), meant('html'), meant('variables'), meant('tags')],
  ],
  ['POST /emails', post('/emails', MESSAGE), 404, 'POST /v1/send sends a message'],
  ['POST /v1/emails', post('/v1/emails', MESSAGE), 405, 'POST /v1/send sends a message'],
  ['POST /email', post('/email', MESSAGE), 404, 'POST /v1/send sends a message'],
  ['a broadcast', post('/v1/broadcasts', {}), 404, 'did you mean /v1/campaigns?'],
  ['a cancellation', post('/emails/em_1/cancel', {}), 404, 'DELETE /v1/emails/{id} cancels a message that waits'],
  ['PATCH of a contact', (api) => api.patch('/v1/contacts/ctc_1').send({}), 405, 'POST /v1/contacts updates a contact, by its address'],
  ['addresses in one text', send({ to: 'a@x.com, b@x.com' }), 422, 'Give several addresses as an array'],
  ['a body of a send', send({ body: 'x' }), 422, meant('html')],
  ['HTML of a template', post('/v1/templates', { ...TEMPLATE, html: 'x' }), 422, meant('body')],
  ['template_id', send({ template_id: 'tpl_1' }), 422, meant('templateId')],
  ['first_name', contact({ first_name: 'Ada' }), 422, meant('firstName')],
  ['data of a send', send({ data: {} }), 422, meant('variables')],
  ['template_data', send({ template_data: {} }), 422, meant('variables')],
  ['a field beside the contact', contact({ plan: 'pro' }), 422, 'custom fields go into "data"'],
  [
    'an event of an analytics service',
    post('/v1/events', { event: 'a', properties: {}, userId: '1' }),
    422,
    [meant('name'), meant('data'), meant('contactId')],
  ],
  ['the endpoint of a webhook', post('/v1/webhooks', { endpoint: 'https://example.com/', events: ['*'] }), 422, meant('url')],
  ['the name of a domain', post('/v1/domains', { name: 'example.com' }), 422, meant('domain')],
  ['unsubscribed', contact({ unsubscribed: false }), 422, 'did you mean "subscribed", with the opposite meaning?'],
  [
    'a batch that is a list',
    (api) => api.post('/v1/send/batch').send([MESSAGE]),
    422,
    'Must be an object, not a list: write {"messages": […]}',
  ],
  ['a page as a domain', post('/v1/domains', { domain: 'https://www.example.com/' }), 422, meant('example.com')],
  [
    'the domain of a mailbox provider',
    post('/v1/domains', { domain: 'gmail.com' }),
    422,
    'A public domain cannot be a sending domain; use your own domain',
  ],
  ['Liquid', template('{% if vip %}Hello{% endif %}'), 201, `{% if vip %} looks like Liquid or Jinja and ${AS_WRITTEN}`],
  ['Mailchimp', template('Hello *|FNAME|*'), 201, `*|FNAME|* looks like Mailchimp and ${AS_WRITTEN}`],
  ['Mailgun', template('Hello %recipient.name%'), 201, `%recipient.name% looks like Mailgun and ${AS_WRITTEN}`],
  ['a partial of Handlebars', template('{{> header}}'), 422, 'line 1, column 1'],
  ['a section of Mustache', template('{{#items}}x{{/items}}'), 422, 'did you mean {{#each items}} or {{#if items}}?'],
  ['a helper of another name', template('{{upper name}}'), 422, meant('uppercase')],
  ['a time in words', send({ sendAt: 'in 1 hour' }), 422, 'like 2026-'],
  ['a time without an offset', send({ sendAt: '2027-01-01T09:00:00' }), 422, 'with an offset'],
  ['a time that has passed', send({ sendAt: '2020-01-01T00:00:00Z' }), 422, 'Must be in the future'],
  ['a misspelt filter', get('/v1/contacts?subscribd=true'), 200, 'subscribd (did you mean subscribed?)'],
  ['a page number for a cursor', get('/v1/emails?cursor=2'), 422, 'This cursor was not handed out for this list'],
  ['a thousand rows', get('/v1/emails?limit=1000'), 422, 'Must be at most 100'],
  ['a misspelt status', get('/v1/emails?status=delivred'), 422, meant('delivered')],
  ['an event that nobody waits for', post('/v1/events', { name: 'a.b', email: 'ada@example.com' }), 201, '"triggered":[]'],
];

test.each(HABITS)('the answer helps on: %s', async (_habit, ask, status, says) => {
  const answer = await ask(app.api());
  expect([answer.status, answer.body]).toEqual([status, answer.body]);
  const { error = '', details = [] } = answer.body as { error?: string; details?: { message: string }[] };
  const said = [error, ...details.map(({ message }) => message), JSON.stringify(answer.body), answer.headers['x-lettermill-warning']];
  for (const each of [says].flat()) expect(said.join('\n')).toContain(each);
});

test.each([
  ['no key', async () => ({}), 'Give an API key: Authorization: Bearer sk_…'],
  ['a key alone', async () => ({ authorization: app.keys.secret }), 'the word Bearer, a space, and the API key'],
  ['a key that is none', async () => ({ authorization: 'Bearer re_123' }), 'There is no such API key'],
  [
    'a public key',
    async () => ({ authorization: `Bearer ${(await createKey(app.keys.projectId, 'public', 100)).key}` }),
    'this needs a secret key',
  ],
])('the answer helps on: %s', async (_habit, headers: () => Promise<object>, says) => {
  const answer = await apiOf(
    app.url,
    '',
  )(null)
    .get('/v1/contacts')
    .set((await headers()) as Record<string, string>);
  expect([answer.status, answer.body.error]).toEqual([401, expect.stringContaining(says)]);
});
