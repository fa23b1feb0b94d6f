import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Resend } from 'resend';
import { aProject } from '../../../support/platform/app';
import { addresses } from '../../sending/accept/copy-calls';
import { onTheWireOf } from '../../../support/checks/wire';
import { stored } from '../../../support/data/stored';

const app = aProject({
  config: { DEV_VERIFIED_DOMAINS: 'hello.test', WEBHOOK_ALLOW_PRIVATE: 'true', WEBHOOK_ALLOW_INSECURE: 'true', SEND_RATE_BURST: '1000' },
});

const client = (key = app.keys.secret): Resend => new Resend(key, { baseUrl: `${app.url}/compat/resend` });
const MESSAGE = { from: 'Team <team@hello.test>', subject: 'Hi', html: '<p>Hi</p>' };
const HOUR_MS = 3_600_000;

/** The data of an answer, which has to be one. */
const good = <T>({ data, error }: { readonly data: T | null; readonly error: unknown }): T => {
  expect(error).toBeNull();
  return data as T;
};

const sent = async (message: object) => good(await client().emails.send({ ...MESSAGE, ...message } as never));

test('the environment variable of the client and a key are all that it needs', async () => {
  process.env['RESEND_BASE_URL'] = `${app.url}/compat/resend`;
  try {
    expect(good(await new Resend(app.keys.secret).emails.send({ ...MESSAGE, to: 'ada@example.com' }))).toEqual({
      id: expect.stringMatching(/^em_/),
    });
  } finally {
    delete process.env['RESEND_BASE_URL'];
  }
});

test('a message has what the client gave, braces stay as they are, and its recipient does not become a contact', async () => {
  const { id } = await sent({
    to: 'Eve <eve@example.com>',
    subject: 'Braces {{stay}}',
    html: '<p>{{name}} {{{raw}}}</p>',
    text: '{{name}}',
    replyTo: ['help@hello.test'],
    headers: { 'X-Entity-Ref-ID': '7' },
    tags: [{ name: 'kind', value: 'welcome' }],
    attachments: [
      { filename: 'a.pdf', content: Buffer.from('bytes') },
      { filename: 'logo.png', content: Buffer.from('img').toString('base64'), contentId: 'logo' },
    ],
  });
  const { parsed } = await onTheWireOf(app, id);
  expect([parsed.subject, parsed.text, parsed.html]).toEqual([
    'Braces {{stay}}',
    '{{name}}',
    expect.stringContaining('<p>{{name}} {{{raw}}}</p>'),
  ]);
  expect([addresses(parsed.to), addresses(parsed.replyTo), parsed.headers.get('x-entity-ref-id')]).toEqual([
    ['eve@example.com'],
    ['help@hello.test'],
    '7',
  ]);
  expect(parsed.attachments.map(({ filename, contentType, content }) => [filename, contentType, content.toString()])).toEqual(
    expect.arrayContaining([
      ['a.pdf', 'application/pdf', 'bytes'],
      ['logo.png', 'image/png', 'img'],
    ]),
  );
  await app.api().get('/v1/contacts/eve@example.com').expect(404);
  expect(good(await client().emails.get(id))).toMatchObject({
    object: 'email',
    id,
    to: ['Eve <eve@example.com>'],
    from: 'Team <team@hello.test>',
    subject: 'Braces {{stay}}',
    cc: null,
    bcc: null,
    reply_to: ['help@hello.test'],
    last_event: 'queued',
    scheduled_at: null,
    tags: [{ name: 'kind', value: 'welcome' }],
  });
});

test('several recipients get one message that shows them all; its id is that of the first, and its event the furthest', async () => {
  const { id } = await sent({ to: ['ada@example.com', 'bob@example.com'], bcc: 'eve@example.com' });
  const shared = await stored.emails.get(id);
  const copies = await stored.emails.all({ messageId: shared.messageId });
  expect(copies.map(({ to }) => to).sort()).toEqual(['ada@example.com', 'bob@example.com', 'eve@example.com']);
  const wires = await Promise.all(copies.map(({ _id }) => onTheWireOf(app, _id)));
  for (const { parsed } of wires)
    expect([addresses(parsed.to), parsed.headers.has('cc')]).toEqual([['ada@example.com', 'bob@example.com'], false]);
  const bob = copies.find(({ to }) => to === 'bob@example.com');
  await stored.emails.change(bob?._id ?? '', { $set: { status: 'delivered' } });
  const whole = { id, to: ['ada@example.com', 'bob@example.com'], bcc: ['eve@example.com'], last_event: 'delivered' };
  expect(good(await client().emails.get(id))).toMatchObject(whole);
  expect(good(await client().emails.get(bob?._id ?? ''))).toMatchObject(whole);
  const { data } = good(await client().emails.list({ limit: 100 }));
  expect(data.filter((row) => copies.some(({ _id }) => _id === row.id)).map((row) => row.id)).toEqual([id]);
});

test('a scheduled message can be moved and cancelled, with all its copies', async () => {
  const { id } = await sent({ to: ['ada@example.com', 'bob@example.com'], scheduledAt: 'in 1 min' });
  const { scheduled_at: first, last_event: event } = good(await client().emails.get(id));
  expect(Math.abs(Date.parse(first ?? '') - Date.now() - 60_000)).toBeLessThan(20_000);
  expect(event).toBe('scheduled');
  const later = new Date(Date.now() + HOUR_MS).toISOString();
  expect(good(await client().emails.update({ id, scheduledAt: later }))).toEqual({ object: 'email', id });
  expect(good(await client().emails.get(id)).scheduled_at).toBe(later);
  expect(good(await client().emails.cancel(id))).toEqual({ object: 'email', id });
  expect(good(await client().emails.get(id)).last_event).toBe('canceled');
  const { messageId } = await stored.emails.get(id);
  expect((await stored.emails.all({ messageId })).map(({ status }) => status)).toEqual(['cancelled', 'cancelled']);
  expect((await client().emails.cancel(id)).error).toMatchObject({ statusCode: 422, name: 'validation_error' });
});

test('a file at a URL is fetched, by the rules of webhooks', async () => {
  const server = createServer((_req, res) => res.writeHead(200, { 'Content-Type': 'text/csv' }).end('a,b'));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/report`;
  try {
    const { id } = await sent({ to: 'ada@example.com', attachments: [{ path: url }] });
    const { parsed } = await onTheWireOf(app, id);
    expect(parsed.attachments.map(({ filename, contentType, content }) => [filename, contentType, content.toString()])).toEqual([
      ['report', 'text/csv', 'a,b'],
    ]);
  } finally {
    server.close();
  }
  const { error } = await client().emails.send({ ...MESSAGE, to: 'ada@example.com', attachments: [{ path: 'ftp://example.com/a' }] });
  expect(error).toEqual({ statusCode: 422, name: 'invalid_attachment', message: 'attachments.0.path: The URL must begin with https://' });
});

test('a template is sent with its variables', async () => {
  const template = await client().templates.create({
    name: 'Order',
    from: 'team@hello.test',
    subject: 'Order {{{NUMBER}}}',
    html: '<p>{{{NUMBER}}} {{{contact.first_name|friend}}}</p>',
  });
  const { id } = good(template);
  const message = await sent({
    html: undefined,
    subject: undefined,
    from: undefined,
    to: 'ada@example.com',
    template: { id, variables: { NUMBER: 17 } },
  });
  const { parsed } = await onTheWireOf(app, message.id);
  expect([parsed.subject, parsed.html]).toEqual(['Order 17', expect.stringContaining('<p>17 friend</p>')]);
});

describe('an idempotency key', () => {
  test('sends once, refuses another body, and is the same for a message whose time has passed', async () => {
    const message = { ...MESSAGE, to: 'ada@example.com' };
    const first = good(await client().emails.send(message, { idempotencyKey: 'order-1' }));
    expect(good(await client().emails.send(message, { idempotencyKey: 'order-1' }))).toEqual(first);
    const { error } = await client().emails.send({ ...message, subject: 'Other' }, { idempotencyKey: 'order-1' });
    expect(error).toMatchObject({ statusCode: 409, name: 'invalid_idempotent_request' });
    expect((await client().emails.send(message, { idempotencyKey: 'x'.repeat(300) })).error).toMatchObject({
      statusCode: 400,
      name: 'invalid_idempotency_key',
    });
  });
});

describe('a batch', () => {
  const to = (email: string, more: object = {}) => ({ ...MESSAGE, to: email, ...more });

  test('takes attachments and times, and answers with an id for each message', async () => {
    const { data } = good(
      await client().batch.send([
        to('a@example.com', { scheduledAt: 'in 2 hours' }),
        to('b@example.com', { attachments: [{ filename: 'a.txt', content: Buffer.from('hi').toString('base64') }] }),
      ]),
    );
    const [first, second] = data;
    expect(good(await client().emails.get(first?.id ?? '')).last_event).toBe('scheduled');
    expect((await onTheWireOf(app, second?.id ?? '')).parsed.attachments).toHaveLength(1);
  });

  test('that is strict sends nothing if one message is at fault', async () => {
    const wrong = await client().batch.send([to('strict@example.com'), to('not an address')]);
    expect(wrong.error).toMatchObject({ statusCode: 422, name: 'validation_error', message: expect.stringMatching(/^1\.to/) });
    const unverified = await client().batch.send([to('strict@example.com'), to('b@example.com', { from: 'x@other.test' })]);
    expect(unverified.error).toMatchObject({ statusCode: 403, name: 'validation_error', message: expect.stringMatching(/^1: /) });
    expect(await stored.emails.all({ to: 'strict@example.com' })).toEqual([]);
  });

  test('that is permissive sends the others, and names the places of those that are at fault', async () => {
    const messages = [to('not an address'), to('ok@example.com'), to('c@example.com', { from: 'x@other.test' }), to('ok2@example.com')];
    const options = { batchValidation: 'permissive', idempotencyKey: 'batch-1' } as const;
    const answer = good(await client().batch.send(messages, options));
    expect(answer.data).toHaveLength(2);
    expect(answer.errors.map(({ index }) => index)).toEqual([0, 2]);
    expect(good(await client().batch.send(messages, options))).toEqual(answer);
    expect(await stored.emails.all({ to: 'ok@example.com' })).toHaveLength(1);
  });

  test('has 100 messages at most', async () => {
    const { error } = await client().batch.send(Array.from({ length: 101 }, () => to('a@example.com')));
    expect(error).toMatchObject({ statusCode: 422, name: 'validation_error', message: 'Give 1 to 100 messages' });
  });
});

test('messages are listed newest first, from an id on or up to it', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 5; n++) ids.unshift((await sent({ to: `list${n}@example.com` })).id);
  const newest = good(await client().emails.list({ limit: 2 }));
  expect([newest.object, newest.has_more, newest.data.map(({ id }) => id)]).toEqual(['list', true, ids.slice(0, 2)]);
  expect(good(await client().emails.list({ limit: 2, after: ids[1] ?? '' })).data.map(({ id }) => id)).toEqual(ids.slice(2, 4));
  const before = good(await client().emails.list({ limit: 2, before: ids[4] ?? '' }));
  expect([before.has_more, before.data.map(({ id }) => id)]).toEqual([true, ids.slice(2, 4)]);
  expect((await client().emails.list({ limit: 101 })).error).toMatchObject({ statusCode: 422, name: 'validation_error' });
  expect((await client().emails.list({ after: 'em_none' })).error).toMatchObject({ statusCode: 404, name: 'not_found' });
});

describe('an error has the form and the name of Resend’s', () => {
  const send = async (key: string, message: object = {}) =>
    (await client(key).emails.send({ ...MESSAGE, to: 'ada@example.com', ...message })).error;

  test('for keys', async () => {
    const bare = await fetch(`${app.url}/compat/resend/emails`, {
      method: 'POST',
      body: '{}',
      headers: { 'Content-Type': 'application/json' },
    });
    expect([bare.status, await bare.json()]).toEqual([401, { statusCode: 401, name: 'missing_api_key', message: expect.any(String) }]);
    expect(await send('sk_live_unknown')).toMatchObject({ statusCode: 403, name: 'invalid_api_key' });
    const { body } = await app.api().post('/v1/keys').send({ kind: 'secret', scope: 'sending' });
    expect(await send(String(body.data.key))).toBeNull();
    expect((await client(String(body.data.key)).domains.list()).error).toMatchObject({ statusCode: 401, name: 'restricted_api_key' });
  });

  test('for faults of a message', async () => {
    const key = app.keys.secret;
    expect(await send(key, { to: undefined })).toMatchObject({ statusCode: 422 });
    expect(await send(key, { from: 'nobody' })).toMatchObject({ statusCode: 422, name: 'invalid_from_address' });
    expect(await send(key, { scheduledAt: 'some day' })).toMatchObject({ message: expect.stringMatching(/^scheduled_at: /) });
    expect(await send(key, { from: 'a@other.test' })).toMatchObject({ statusCode: 403, name: 'validation_error' });
    expect(await send(key, { replyTo: ['a@b.test', 'b@b.test'] })).toMatchObject({ message: expect.stringMatching(/^reply_to: /) });
  });

  test('for a recipient who gets no mail', async () => {
    await app.api().post('/v1/suppressions').send({ email: 'gone@example.com' }).expect(201);
    expect(await send(app.keys.secret, { to: 'gone@example.com' })).toEqual({
      statusCode: 422,
      name: 'validation_error',
      message: 'gone@example.com gets no mail: suppressed',
    });
  });

  test('for what is not there', async () => {
    expect((await client().emails.get('em_none')).error).toEqual({ statusCode: 404, name: 'not_found', message: 'Email not found' });
    expect((await client(app.otherKeys.secret).emails.get((await sent({ to: 'ada@example.com' })).id)).error).toMatchObject({
      statusCode: 404,
    });
    expect((await client().automations.list()).error).toMatchObject({
      statusCode: 404,
      name: 'not_found',
      message: expect.stringContaining('/v1/workflows'),
    });
    const unknown = await fetch(`${app.url}/compat/resend/nothing`);
    expect(await unknown.json()).toMatchObject({ statusCode: 404, name: 'not_found' });
    const method = await fetch(`${app.url}/compat/resend/emails`, { method: 'DELETE' });
    expect(await method.json()).toMatchObject({ statusCode: 405, name: 'method_not_allowed' });
  });
});
