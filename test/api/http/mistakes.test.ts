import type { Test } from 'supertest';
import type { ErrorCode } from '../../../src/platform/core/errors';
import { createKey, revokeKey } from '../../../src/records/projects/key-service';
import { apiOf, aProject } from '../../support/platform/app';
import type { Api } from '../../support/platform/app';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test,news.test' } });
const linkOf = (code: ErrorCode): string => `<${app.core.config.PUBLIC_URL}/docs/guides/errors#${code}>; rel="help"`;

type Ask = (api: Api) => Test;
type Row = readonly [mistake: string, ask: Ask, status: number, code: ErrorCode, path: string | null, message: string];

const post =
  (path: string, base: object = {}) =>
  (change: object): Ask =>
  (api) =>
    api.post(path).send({ ...base, ...change });
const get =
  (path: string): Ask =>
  (api) =>
    api.get(path);

const MESSAGE = { to: 'ada@example.com', from: 'team@hello.test', subject: 'Hello', html: '<p>Hello</p>' };
const send = post('/v1/send', MESSAGE);
const campaign = post('/v1/campaigns', { name: 'News', subject: 'Hello', body: '<p>Hello</p>', fromEmail: 'team@hello.test' });
const contact = post('/v1/contacts', { email: 'ada@example.com' });
const webhook = post('/v1/webhooks', { url: 'https://example.com/hook', events: ['*'] });
const bulk = post('/v1/contacts/bulk', { emails: ['a@example.com'] });
const event = post('/v1/events', { name: 'signed.up', email: 'ada@example.com' });
const node = (change: object): Ask => post('/v1/workflows')({ name: 'Welcome', graph: { nodes: [{ id: 'a', ...change }], edges: [] } });

/** A fault of the request itself: 422, at a place in it. */
const wrong = (mistake: string, ask: Ask, path: string, message: string): Row => [mistake, ask, 422, 'validation_error', path, message];

const STATUSES =
  '"queued", "sending", "sent", "delivered", "opened", "clicked", "bounced", "complained", "failed", "received", "cancelled", "scheduled"';
const KINDS = `"trigger", "send_email", "delay", "digest", "wait_for_event", "condition", "switch", "split", "update_contact", "add_to_segment", "remove_from_segment", "emit_event", "webhook", "exit"`;

const MISTAKES: readonly Row[] = [
  // Names that are nearly right, or not known at all.
  wrong('a key with an underscore', send({ reply_to: 'a@hello.test' }), 'reply_to', 'Unknown key: did you mean "replyTo"?'),
  wrong('a key that is misspelt', send({ subjet: 'Hello' }), 'subjet', 'Unknown key: did you mean "subject"?'),
  wrong('a key in capitals', send({ Subject: 'Hello' }), 'Subject', 'Unknown key: did you mean "subject"?'),
  wrong('a key that is like none', send({ frobnicate: 1 }), 'frobnicate', 'Unknown key'),
  wrong(
    'a key within a batch',
    post('/v1/send/batch')({ messages: [MESSAGE, { ...MESSAGE, reply_to: 'a@b.test' }] }),
    'messages.1.reply_to',
    'Unknown key: did you mean "replyTo"?',
  ),
  wrong('a key within a recipient', send({ to: { mail: 'a@b.test' } }), 'to.mail', 'Unknown key: did you mean "email"?'),
  wrong('a key as Resend has it', send({ scheduled_at: '2027-01-01T00:00:00Z' }), 'scheduled_at', 'Unknown key: did you mean "sendAt"?'),
  wrong('a key as Postmark has it', send({ HtmlBody: '<p>Hello</p>' }), 'HtmlBody', 'Unknown key: did you mean "html"?'),
  wrong('a key as sends have it', campaign({ html: '<p>Hello</p>' }), 'html', 'Unknown key: did you mean "body"?'),
  wrong('a key of a campaign', campaign({ fromMail: 'a@hello.test' }), 'fromMail', 'Unknown key: did you mean "fromEmail"?'),
  wrong('a key of a contact', contact({ first_name: 'Ada' }), 'first_name', 'Unknown key: did you mean "firstName"?'),

  // Values that are missing, or of another kind.
  wrong('no recipient', send({ to: undefined }), 'to', 'Must be an address, {email, name}, or an array of them'),
  wrong('a number for the recipient', send({ to: 7 }), 'to', 'Must be an address, {email, name}, or an array of them'),
  wrong('a number for the subject', send({ subject: 7 }), 'subject', 'Must be a string, not a number'),
  wrong('a list for the subject', send({ subject: ['Hello'] }), 'subject', 'Must be a string, not a list'),
  wrong('null for the subject', send({ subject: null }), 'subject', 'Must be a string, not null'),
  wrong('no name', campaign({ name: undefined }), 'name', 'Missing; must be a string'),
  wrong('an empty name', campaign({ name: '' }), 'name', 'Must not be empty'),
  wrong('a text for a share', campaign({ abSamplePct: 'ten' }), 'abSamplePct', 'Must be a number, not a string'),
  wrong('a share over the most', campaign({ abSamplePct: 101 }), 'abSamplePct', 'Must be at most 100'),
  wrong('no address', contact({ email: undefined }), 'email', 'Missing; must be a string'),
  wrong('a word for a truth', contact({ subscribed: 'yes' }), 'subscribed', 'Must be true or false, not a string'),
  wrong('a list for the data', contact({ data: [] }), 'data', 'Must be an object, not a list'),
  wrong('no URL', webhook({ url: undefined }), 'url', 'Missing; must be a string'),
  wrong('no events', webhook({ events: [] }), 'events', 'Must hold 1 to 100 items, not 0'),
  wrong('one event that is not in a list', webhook({ events: 'email.sent' }), 'events', 'Must be a list, not a string'),
  wrong('a domain that is a number', post('/v1/domains')({ domain: 7 }), 'domain', 'Must be a string, not a number'),
  wrong(
    'a list for a body',
    (api) => api.post('/v1/send/batch').send([MESSAGE]),
    '',
    'Must be an object, not a list: write {"messages": […]}',
  ),
  wrong('no body', (api) => api.post('/v1/contacts'), 'email', 'Missing; must be a string'),

  // Values outside a list: it is given.
  wrong(
    'a misspelt type',
    send({ type: 'transactionl' }),
    'type',
    'Must be one of "transactional", "marketing": did you mean "transactional"?',
  ),
  wrong('an unknown audience', campaign({ audience: 'everybody' }), 'audience', 'Must be one of "all", "segment", "filter"'),
  wrong(
    'a misspelt audience',
    campaign({ audience: 'segmnet' }),
    'audience',
    'Must be one of "all", "segment", "filter": did you mean "segment"?',
  ),
  wrong(
    'a misspelt action',
    bulk({ action: 'subscribed' }),
    'action',
    'Must be one of "subscribe", "unsubscribe", "delete", "suppress": did you mean "subscribe"?',
  ),
  wrong(
    'a misspelt kind of node',
    node({ type: 'send_mail' }),
    'graph.nodes.0.type',
    `Must be one of ${KINDS}: did you mean "send_email"?`,
  ),
  wrong('a node of no kind', node({}), 'graph.nodes.0.type', `Missing; must be one of ${KINDS}`),
  wrong('a misspelt status', get('/v1/emails?status=delivred'), 'status', `Must be one of ${STATUSES}: did you mean "delivered"?`),

  // Texts of a form, and what they stand for.
  wrong(
    'an object for the sender',
    send({ from: { email: 'team@hello.test' } }),
    'from',
    'Must be an address, optionally with a name: "Ada <ada@example.com>"',
  ),
  wrong('an address that is none', send({ to: 'ada' }), 'to', 'Not an e-mail address'),
  wrong('an address where an id belongs', get('/v1/emails/ada@example.com'), 'id', 'Not an id'),
  wrong(
    'a domain that is a URL',
    post('/v1/domains')({ domain: 'https://hello.test' }),
    'domain',
    'Not a domain name: did you mean "hello.test"?',
  ),
  wrong('a word for an instant', get('/v1/emails?from=yesterday'), 'from', 'Must be an instant with an offset, like 2026-11-23T09:00:00Z'),
  wrong('a moment that has passed', send({ sendAt: '2020-01-01T00:00:00Z' }), 'sendAt', 'Must be in the future, at most 365 days ahead'),
  wrong('a subject in two lines', send({ subject: 'a\nb' }), 'subject', 'Must be one line'),
  wrong('a header that is ours', send({ headers: { From: 'a@hello.test' } }), 'headers.From', 'The platform sets this header'),
  wrong('a page that is too large', get('/v1/emails?limit=1000'), 'limit', 'Must be at most 100'),
  wrong('a page that is no number', get('/v1/emails?limit=all'), 'limit', 'Must be a whole number'),
  wrong('a cursor that was made up', get('/v1/emails?cursor=2'), 'cursor', 'This cursor was not handed out for this list'),
  wrong('a body that is no JSON', (api) => api.post('/v1/send').type('json').send('{to: "a"}'), '', 'The body is not JSON'),

  // What belongs together, or does not.
  wrong('no content', send({ html: undefined }), 'html', 'Give html, text or templateId'),
  wrong('a template and HTML', send({ templateId: 'tpl_1' }), 'templateId', 'Excludes html and text'),
  wrong('an unclosed placeholder', send({ html: '<p>{{firstName</p>' }), 'html', 'This tag is not closed (line 1, column 4)'),
  wrong('an unclosed block', send({ html: '{{#if a}}x' }), 'html', 'This block is not closed (line 1, column 1)'),
  wrong('an event of no contact', event({ email: undefined }), 'email', 'Give exactly one of email and contactId'),
  wrong(
    'an event of the system',
    event({ name: 'email.sent' }),
    'name',
    'Names beginning with email., contact., segment. or workflow. belong to the system',
  ),
  wrong('a change of nothing', (api) => api.patch('/v1/billing').send({}), '', 'Give at least one field'),

  // What depends on what there is.
  [
    'a sender of a domain that is not verified',
    send({ from: 'a@shop.test' }),
    422,
    'send_failed',
    '',
    'The domain shop.test is not verified in this project (verified: hello.test, news.test); add it with POST /v1/domains',
  ],
  ['a template that is not there', send({ html: undefined, templateId: 'tpl_1' }), 422, 'send_failed', '', 'No template has this id'],
  ['an id of nothing', get('/v1/emails/em_nothing'), 404, 'not_found', null, 'Email not found'],
  ['a domain that is there', post('/v1/domains')({ domain: 'hello.test' }), 409, 'conflict', null, 'The project already has this domain'],
  [
    'payments that are off',
    post('/api/payments/checkout')({ plan: 'growth' }),
    409,
    'payments_disabled',
    null,
    'Payments are not enabled on this installation',
  ],

  // Requests that reach no operation.
  [
    'a method that the path has not',
    (api) => api.put('/v1/contacts').send({}),
    405,
    'method_not_allowed',
    null,
    'This path does not support that method. Use GET, POST, HEAD; POST /v1/contacts updates a contact, by its address',
  ],
  [
    'a form in the place of JSON',
    (api) => api.post('/v1/send').type('form').send('to=a'),
    415,
    'unsupported_media_type',
    null,
    'Send the body as application/json',
  ],
];

/** What zod says when it is left to itself. */
const RAW = /Invalid (input|option|string|email|URL|ISO)|Required"|expected \w+|, received|Unrecognized|Too (small|big)/;

test.each(MISTAKES)('the answer to a mistake: %s', async (_mistake, ask, expectedStatus, expectedCode, path, message) => {
  const { status, body, headers } = await ask(app.api());
  const { error, code, details } = body as {
    error: string;
    code: string;
    details?: { path: string; message: string }[];
  };
  expect([status, code]).toEqual([expectedStatus, expectedCode]);
  const faults = details ? details.map((each) => ({ path: each.path, message: each.message })) : [{ path: null, message: error }];
  expect(faults).toContainEqual({ path, message });
  expect(error).toContain(details?.[0]?.message ?? message);
  expect(headers.link).toBe(linkOf(expectedCode));
  expect(JSON.stringify(body)).not.toMatch(RAW);
});

describe('a key that opens nothing: which mistake it is', () => {
  const keyOf = async (kind: 'secret' | 'public', access = {}): Promise<string> =>
    (await createKey(app.keys.projectId, kind, 100, access)).key;
  const revoked = async (): Promise<string> => {
    const key = await keyOf('secret');
    await revokeKey(key);
    return key;
  };
  const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
  const rows: readonly (readonly [string, () => Promise<object>, number, ErrorCode, string])[] = [
    ['none', async () => ({}), 401, 'unauthorized', 'Give an API key: Authorization: Bearer sk_…'],
    [
      'without the word Bearer',
      async () => ({ authorization: await keyOf('secret') }),
      401,
      'unauthorized',
      'The Authorization header must be the word Bearer, a space, and the API key',
    ],
    ['unknown', async () => bearer('sk_abc'), 401, 'unauthorized', 'There is no such API key'],
    ['unknown, as X-API-Key', async () => ({ 'x-api-key': 'sk_abc' }), 401, 'unauthorized', 'There is no such API key'],
    ['revoked', async () => bearer(await revoked()), 401, 'unauthorized', 'This API key was revoked'],
    ['expired', async () => bearer(await keyOf('secret', { expiresAt: new Date(0) })), 401, 'unauthorized', 'This API key has expired'],
    [
      'public',
      async () => bearer(await keyOf('public')),
      401,
      'unauthorized',
      'Public keys may only POST /v1/events; this needs a secret key',
    ],
    [
      'two of them',
      async () => ({ ...bearer(await keyOf('secret')), 'x-api-key': 'sk_other' }),
      400,
      'ambiguous_api_key',
      'Send exactly one API key',
    ],
    [
      'of another scope',
      async () => bearer(await keyOf('secret', { scope: 'sending' })),
      403,
      'forbidden',
      "This key's scope is sending; listContacts needs the scope full or read",
    ],
  ];

  test.each(rows)('%s', async (_mistake, headers, status, code, error) => {
    const answer = await apiOf(
      app.url,
      '',
    )(null)
      .get('/v1/contacts')
      .set((await headers()) as Record<string, string>);
    expect([answer.status, answer.body]).toEqual([status, { success: false, error, code }]);
    expect(answer.headers.link).toBe(linkOf(code));
    expect(answer.headers['www-authenticate']).toBe(status === 401 ? 'Bearer' : undefined);
  });
});
