import { Errors, Message, Models, ServerClient, TemplatedMessage } from 'postmark';
import { aProject } from '../../../support/platform/app';
import { addresses } from '../../sending/accept/copy-calls';
import { onTheWireOf } from '../../../support/checks/wire';
import { storeEmails } from '../../../support/data/email-rows';
import { stored } from '../../../support/data/stored';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test', SEND_RATE_BURST: '1000' } });

const client = (key = app.keys.secret): ServerClient =>
  new ServerClient(key, { useHttps: false, requestHost: `${new URL(app.url).host}/compat/postmark` });

const MESSAGE = { From: 'Team <team@hello.test>', Subject: 'Hi', TextBody: 'Hi' };

const failed = async (answer: Promise<unknown>) => {
  const error = await answer.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(Errors.PostmarkError);
  return error as Errors.PostmarkError;
};

test('a message has what the client gave, and braces stay as they are', async () => {
  const answer = await client().sendEmail({
    ...MESSAGE,
    To: '"Lovelace, Ada" <ada@example.com>, bob@example.com',
    Bcc: 'eve@example.com',
    Subject: 'Braces {{stay}}',
    HtmlBody: '<p>{{name}}</p>',
    ReplyTo: 'help@hello.test',
    Tag: 'Order shipped',
    Metadata: { order: '17', 'client name': 'Ada Lovelace', 'client/name': 'Grace' },
    TrackOpens: false,
    TrackLinks: Models.LinkTrackingOptions.None,
    Headers: [{ Name: 'X-Order', Value: '17' }],
    Attachments: [
      { Name: 'a.pdf', Content: Buffer.from('bytes').toString('base64'), ContentType: 'application/pdf', ContentID: null },
      { Name: 'l.png', Content: Buffer.from('img').toString('base64'), ContentType: 'image/png', ContentID: 'cid:logo' },
    ],
  });
  expect(answer).toEqual({
    To: '"Lovelace, Ada" <ada@example.com>, bob@example.com',
    Bcc: 'eve@example.com',
    SubmittedAt: expect.any(String),
    MessageID: expect.stringMatching(/^em_/),
    ErrorCode: 0,
    Message: 'OK',
  });
  const { parsed, email } = await onTheWireOf(app, answer.MessageID);
  expect([addresses(parsed.to), parsed.subject, addresses(parsed.replyTo), parsed.headers.get('x-order')]).toEqual([
    ['ada@example.com', 'bob@example.com'],
    'Braces {{stay}}',
    ['help@hello.test'],
    '17',
  ]);
  expect(parsed.attachments.map(({ filename }) => filename).sort()).toEqual(['a.pdf', 'l.png']);
  expect([email.untracked, email.tags]).toEqual([
    ['opens', 'clicks'],
    ['tag:Order-shipped', 'order:17', 'client-name:Ada-Lovelace'],
  ]);
  const details = await client().getOutboundMessageDetails(answer.MessageID);
  expect(details).toMatchObject({
    MessageID: answer.MessageID,
    Tag: 'Order-shipped',
    Metadata: { order: '17', 'client-name': 'Ada-Lovelace' },
    To: [
      { Email: 'ada@example.com', Name: 'Lovelace, Ada' },
      { Email: 'bob@example.com', Name: '' },
    ],
    Bcc: [{ Email: 'eve@example.com' }],
    Recipients: ['ada@example.com', 'bob@example.com', 'eve@example.com'],
    Status: 'Queued',
    TrackOpens: false,
    TrackLinks: 'None',
    Attachments: ['a.pdf', 'l.png'],
    MessageEvents: [],
  });
  await app.api().get('/v1/contacts/ada@example.com').expect(404);
});

test('a template is sent with its model, alone and in a batch', async () => {
  const { body } = await app
    .api()
    .post('/v1/templates')
    .send({ name: 'Order', subject: 'Order {{number}}', body: '<p>{{number}}</p>', fromEmail: 'team@hello.test' })
    .expect(201);
  const id = body.data.templateId as string;
  const message = new TemplatedMessage('team@hello.test', id, { number: 17 }, 'ada@example.com');
  const { MessageID } = await client().sendEmailWithTemplate(message);
  expect((await onTheWireOf(app, MessageID)).parsed.subject).toBe('Order 17');
  const batch = await client().sendEmailBatchWithTemplates([
    message,
    new TemplatedMessage('team@hello.test', 'tpl_none', {}, 'ada@example.com'),
  ]);
  expect(batch.map(({ ErrorCode }) => ErrorCode)).toEqual([0, 1101]);
  expect(
    await failed(client().sendEmailWithTemplate(new TemplatedMessage('team@hello.test', 'tpl_none', {}, 'a@example.com'))),
  ).toMatchObject({ code: 1101 });
});

test('a batch answers for each message at its place', async () => {
  await app.api().post('/v1/suppressions').send({ email: 'batch-gone@example.com' }).expect(201);
  const answer = await client().sendEmailBatch([
    { ...MESSAGE, To: 'a@example.com' },
    { ...MESSAGE, To: 'no address' },
    { ...MESSAGE, To: 'batch-gone@example.com' },
    { ...MESSAGE, To: 'b@example.com', From: 'x@other.test' },
    { ...MESSAGE, To: 'c@example.com' },
  ]);
  expect(answer.map(({ ErrorCode }) => ErrorCode)).toEqual([0, 300, 406, 400, 0]);
  expect((await stored.emails.get(answer[4]?.MessageID)).to).toBe('c@example.com');
  const many = Array.from({ length: 501 }, () => new Message('team@hello.test', 'Hi', undefined, 'Hi', 'a@example.com'));
  expect(await failed(client().sendEmailBatch(many))).toMatchObject({ code: 410, statusCode: 422 });
});

test('messages are listed by address and tag, in parts', async () => {
  const ids: string[] = [];
  for (const n of [1, 2, 3])
    ids.unshift((await client().sendEmail({ ...MESSAGE, To: 'list@example.com, also@example.com', Tag: `n${n}` })).MessageID);
  const listed = async (filter: object) => (await client().getOutboundMessages(filter as never)).Messages.map(({ MessageID }) => MessageID);
  expect(await listed({ recipient: 'also@example.com', count: 2 })).toEqual(ids.slice(0, 2));
  expect(await listed({ recipient: 'list@example.com', count: 2, offset: 1 })).toEqual(ids.slice(1));
  expect(await listed({ tag: 'n1' })).toEqual(ids.slice(2));
  expect(await listed({ count: 3 })).toEqual(ids);
  expect(await failed(listed({ subject: 'Hi' }))).toMatchObject({ code: 300, message: expect.stringMatching(/^subject: /i) });
});

test('a list of several pages is read to its end by its total', async () => {
  const to = 'many@example.com';
  await storeEmails(app.keys.projectId, ...Array.from({ length: 501 }, () => ({ to })));
  const page = (offset: number) => client().getOutboundMessages({ recipient: to, count: 500, offset });
  const [first, second] = [await page(0), await page(500)];
  expect([first.Messages.length, first.TotalCount, second.Messages.length, second.TotalCount]).toEqual([500, 501, 1, 501]);
  expect(new Set([...first.Messages, ...second.Messages].map(({ MessageID }) => MessageID)).size).toBe(501);
});

test('a list beyond its bound is refused, and says how to go on', async () => {
  const message = expect.stringContaining('Ask for older messages by fromdate and todate');
  expect(await failed(client().getOutboundMessages({ count: 500, offset: 9_501 }))).toMatchObject({ code: 300, message });
  expect((await client().getOutboundMessages({ count: 500, offset: 9_500 })).Messages).toEqual([]);
});

test('a message to some who get no mail is sent to the others', async () => {
  await app.api().post('/v1/suppressions').send({ email: 'gone@example.com' }).expect(201);
  expect(await client().sendEmail({ ...MESSAGE, To: 'gone@example.com, ok@example.com' })).toMatchObject({
    ErrorCode: 0,
    Message: 'Message OK, but will not deliver to these inactive addresses: gone@example.com',
  });
  const error = await failed(client().sendEmail({ ...MESSAGE, To: 'gone@example.com' }));
  expect(error).toBeInstanceOf(Errors.InactiveRecipientsError);
  expect(error).toMatchObject({ code: 406, statusCode: 422, recipients: ['gone@example.com'] });
});

test('an error has the form and the code of Postmark’s', async () => {
  const send = (message: object, key?: string) => failed(client(key).sendEmail({ ...MESSAGE, To: 'ada@example.com', ...message }));
  expect(await send({}, 'sk_live_unknown')).toMatchObject({ code: 10, statusCode: 401 });
  expect(await send({ To: 'no address' })).toMatchObject({ code: 300, statusCode: 422, message: expect.stringMatching(/^To/) });
  expect(await send({ From: 'a@other.test' })).toMatchObject({ code: 400, statusCode: 422 });
  expect(await failed(client().getOutboundMessageDetails('em_none'))).toMatchObject({ code: 701 });
  expect(
    await failed(
      client(app.otherKeys.secret).getOutboundMessageDetails((await client().sendEmail({ ...MESSAGE, To: 'a@example.com' })).MessageID),
    ),
  ).toMatchObject({ code: 701 });
  expect(await failed(client().getServer())).toMatchObject({ code: 404, message: expect.stringContaining('/v1/settings') });
  const plain = await fetch(`${app.url}/compat/postmark/email`, {
    method: 'POST',
    body: '{',
    headers: { 'X-Postmark-Server-Token': app.keys.secret, 'Content-Type': 'application/json' },
  });
  expect([plain.status, await plain.json()]).toEqual([422, { ErrorCode: 402, Message: 'The body is not JSON' }]);
  // The key of our own header opens nothing here.
  await app.api().post('/compat/postmark/email').send({}).expect(401);
});
