import { DELIVERY_SHARDS } from '../../../../../src/contracts/delivery';
import { LEASE_TIMES } from '../../../../../src/sending/deliver/lease';
import { PUMP_TIMES } from '../../../../../src/sending/deliver/pump';
import { simpleParser } from 'mailparser';
import { stored } from '../../../../support/data/stored';
import { aProject } from '../../../../support/platform/app';
import { aDeliveryHost } from '../../../../support/platform/delivery-host';
import { SUBMISSION, aSubmission, handIn, lines } from '../../../../support/platform/submission';
import { aMailServer } from '../../../../support/servers/smtp-fault-server';
import type { ReceivedMail } from '../../../../support/servers/smtp-fault-server';

const sink = aMailServer({ eightBitMime: true });
const app = aProject(() => ({
  config: { ...SUBMISSION, DEV_VERIFIED_DOMAINS: 'hello.test', SMTP_URL: `smtp://127.0.0.1:${sink.port}` },
}));
const submission = aSubmission(app);
const host = aDeliveryHost(app, { lease: LEASE_TIMES, pump: { ...PUMP_TIMES, lingerMs: 100 } });

const api = (key?: string) => app.api(key);

/** Delivers what is due; resolves to what arrived for an address. */
async function arrivedFor(to: string): Promise<ReceivedMail> {
  const signal = new AbortController().signal;
  const run = (shard: number) => host.pump({ shard, startedAt: Date.now(), stay: true, signal, beat: () => undefined });
  await Promise.all(Array.from({ length: DELIVERY_SHARDS }, (_, shard) => run(shard)));
  const mail = sink.messages.find((message) => message.to === to);
  if (!mail) throw new Error(`Nothing arrived for ${to}`);
  return mail;
}

/** The head without what we add, and the body. */
function asGiven({ raw }: ReceivedMail): string {
  const text = raw.toString('latin1');
  return text.replace(/^(?:DKIM-Signature|Feedback-ID):[^]*?\r\n(?![ \t])/gm, '');
}

const idsIn = (reply = ''): readonly string[] => reply.match(/em_[0-9a-z]{26}/g) ?? [];

const untracked = () =>
  api()
    .patch('/v1/settings')
    .send({ tracking: { transactional: { opens: false, clicks: false } } })
    .expect(200);
const tracked = () =>
  api()
    .patch('/v1/settings')
    .send({ tracking: { transactional: { opens: true, clicks: true } } })
    .expect(200);

test('a program hands one message in for several people: one e-mail for each, and 250 names them', async () => {
  const program = submission.program(app.keys.secret);
  const { response } = await program.sendMail({
    from: '"The shop" <shop@hello.test>',
    to: ['ada@example.com', 'bob@example.com'],
    bcc: 'cyd@example.com',
    subject: 'Your order',
    text: 'It is on its way. {{firstName}}',
    html: '<p>It is on its way. {{firstName}}</p>',
  });
  expect(response).toMatch(/^250 2\.0\.0 em_\w+ em_\w+ em_\w+$/);
  const emails = await Promise.all(idsIn(response).map(async (id) => (await api().get(`/v1/emails/${id}`).expect(200)).body.data));
  expect(emails.map(({ to }) => to).sort()).toEqual(['ada@example.com', 'bob@example.com', 'cyd@example.com']);
  expect(emails[0]).toMatchObject({
    subject: 'Your order',
    fromEmail: 'shop@hello.test',
    fromName: 'The shop',
    status: 'queued',
    type: 'transactional',
    text: expect.stringContaining('{{firstName}}'),
    body: expect.stringContaining('{{firstName}}'),
    attachments: [],
  });
  const mail = await arrivedFor('cyd@example.com');
  expect(mail.headers).toMatchObject({ to: 'ada@example.com, bob@example.com', from: 'The shop <shop@hello.test>' });
  expect(mail.headers['bcc']).toBeUndefined();
  expect(mail.headers['dkim-signature']).toContain('d=hello.test');
});

test('the bytes go out as they came: only Bcc, Return-Path and control headers go', async () => {
  await untracked();
  const talk = await submission.signedIn(app.keys.secret);
  const rest = [
    'Subject:   odd   spacing',
    'X-Folded: one',
    '\ttwo',
    'Message-ID: <bytes@program.test>',
    'Date: Sat, 1 Nov 2025 10:00:00 +0100',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=cut',
  ];
  const body = [
    '',
    'preamble',
    '--cut',
    'Content-Type: text/html; charset=utf-8',
    '',
    '<a href="https://example.com/">Go</a>  ',
    '..dots',
    '--cut--',
  ];
  const given = lines(
    'From: shop@hello.test',
    'To: dan@example.com',
    'Bcc: hidden@example.com',
    'Return-Path: <x@y.test>',
    'X-Lettermill-Tag: kind:receipt',
    ...rest,
    ...body,
  );
  const reply = await handIn(talk, ['dan@example.com'], given.replace(/^\./gm, '..'));
  expect(reply).toMatch(/^250 2\.0\.0 em_/);
  expect(asGiven(await arrivedFor('dan@example.com'))).toBe(
    `${lines('From: shop@hello.test', 'To: dan@example.com', ...rest, ...body)}\r\n`,
  );
  const [id] = idsIn(reply);
  expect((await api().get(`/v1/emails/${id}`)).body.data).toMatchObject({
    messageId: '<bytes@program.test>',
    tags: [{ name: 'kind', value: 'receipt' }],
  });
  talk.close();
  await tracked();
});

test('characters of eight bits stay, words in the header are encoded, and the next server is told', async () => {
  await untracked();
  const talk = await submission.signedIn(app.keys.secret);
  const body = lines('Content-Type: text/plain; charset=utf-8', 'Content-Transfer-Encoding: 8bit', '', 'Grüße aus Zürich');
  const message = lines('From: Jörg <shop@hello.test>', 'To: Zoë <eve@bücher.example>', 'Subject: Grüße', 'MIME-Version: 1.0', body);
  const reply = await handIn(talk, ['eve@bücher.example'], message, ' BODY=8BITMIME SMTPUTF8');
  expect(reply).toMatch(/^250 /);
  const mail = await arrivedFor('eve@xn--bcher-kva.example');
  const read = await simpleParser(mail.raw);
  expect([read.subject, read.from?.text, read.text?.trim()]).toEqual(['Grüße', '"Jörg" <shop@hello.test>', 'Grüße aus Zürich']);
  expect(sink.commands.filter((command) => command.endsWith(' BODY=8BITMIME'))).toHaveLength(1);
  expect(mail.raw.subarray(-18).toString()).toContain('aus Zürich');
  expect(mail.raw.toString('latin1').split('\r\n\r\n')[0]).toMatch(/^[\0-\x7f]*$/);
  talk.close();
  await tracked();
});

test('links and opens are tracked in the HTML part as the settings say, and files stay as they are', async () => {
  const file = Buffer.from('%PDF-1.7 not really');
  const { response } = await submission.program(app.keys.secret).sendMail({
    from: 'shop@hello.test',
    to: 'fay@example.com',
    subject: 'Tracked',
    text: 'Read https://example.com/plain',
    html: '<p><a href="https://example.com/go">Go</a> {{data.x}}</p>',
    attachments: [{ filename: 'invoice.pdf', content: file }],
  });
  const read = await simpleParser((await arrivedFor('fay@example.com')).raw);
  expect(read.html).toMatch(/href="http:\/\/localhost:3000\/t\/c\/[^]*src="http:\/\/localhost:3000\/t\/o\//);
  expect(read.html).toContain('{{data.x}}');
  expect(read.text).toContain('https://example.com/plain');
  expect(read.attachments.map(({ filename, content }) => [filename, content.toString()])).toEqual([['invoice.pdf', file.toString()]]);
  const { body } = await api().get(`/v1/emails/${idsIn(response)[0]}`);
  expect(body.data.attachments).toEqual([{ filename: 'invoice.pdf', contentType: 'application/pdf', size: file.length }]);
  expect(body.data.body).toContain('https://example.com/go');
});

test('marketing mail gets the footer and the unsubscribe headers', async () => {
  await submission.program(app.keys.secret).sendMail({
    from: 'shop@hello.test',
    to: 'gil@example.com',
    subject: 'News',
    text: 'News',
    html: '<p>News</p>',
    headers: {
      'X-Lettermill-Type': 'marketing',
      'List-Unsubscribe': '<https://elsewhere.test/>',
    },
  });
  const mail = await arrivedFor('gil@example.com');
  const read = await simpleParser(mail.raw);
  expect(mail.headers['list-unsubscribe']).toMatch(/\/u\/.*mailto:/);
  expect(mail.headers['x-lettermill-type']).toBeUndefined();
  expect(read.html).toMatch(/\/u\//);
  expect(read.text).toMatch(/\/u\//);
});

test('a message is written from a template and variables', async () => {
  const { body } = await api()
    .post('/v1/templates')
    .send({ name: 'Welcome', fromEmail: 'shop@hello.test', subject: 'Welcome {{name}}', body: '<p>Hello {{name}}, plan {{plan}}</p>' })
    .expect(201);
  await submission.program(app.keys.secret).sendMail({
    from: 'shop@hello.test',
    to: 'hal@example.com',
    text: 'not used',
    headers: {
      'X-Lettermill-Template': body.data.templateId as string,
      'X-Lettermill-Variables': JSON.stringify({ name: 'Zoë', plan: 'pro' }),
    },
  });
  const read = await simpleParser((await arrivedFor('hal@example.com')).raw);
  expect([read.subject, read.text]).toEqual(['Welcome Zoë', expect.stringContaining('Hello Zoë, plan pro')]);
});

test('Send-At schedules a message; a time that has passed means at once', async () => {
  const program = submission.program(app.keys.secret);
  const at = new Date(Date.now() + 3_600_000).toISOString();
  const message = { from: 'shop@hello.test', to: 'ida@example.com', subject: 'Later', text: 'Later' };
  const later = await program.sendMail({ ...message, headers: { 'X-Lettermill-Send-At': at } });
  const passed = await program.sendMail({ ...message, headers: { 'X-Lettermill-Send-At': '2020-01-01T00:00:00Z' } });
  const row = async (response?: string) => (await api().get(`/v1/emails/${idsIn(response)[0]}`)).body.data;
  expect(await row(later.response)).toMatchObject({ scheduledFor: at });
  expect(await row(passed.response)).toMatchObject({ scheduledFor: null, status: 'queued' });
});

test('a test key sends nothing', async () => {
  const { response } = await submission.program(app.keys.test).sendMail({
    from: 'anybody@elsewhere.example',
    to: 'jan@example.com',
    subject: 'Test',
    text: 'Test',
  });
  expect((await api().get(`/v1/emails/${idsIn(response)[0]}`)).body.data).toMatchObject({ testMode: true, status: 'sent' });
});

test('the same message again stores nothing twice, for each recipient, and answers the same 250', async () => {
  const program = submission.program(app.keys.secret);
  const message = { from: 'shop@hello.test', subject: 'Once', text: 'Once', messageId: '<once@program.test>' };
  const first = await program.sendMail({ ...message, to: ['kim@example.com', 'lea@example.com'] });
  const again = await program.sendMail({ ...message, to: ['kim@example.com', 'lea@example.com'] });
  expect(again.response).toBe(first.response);
  const more = await program.sendMail({ ...message, to: ['lea@example.com', 'max@example.com'] });
  expect(idsIn(more.response)[0]).toBe(idsIn(first.response)[1]);
  expect(await stored.emails.count({ messageId: '<once@program.test>' })).toBe(3);
  const keyed = {
    ...message,
    messageId: '<a@program.test>',
    to: 'kim@example.com',
    headers: { 'X-Lettermill-Idempotency-Key': 'order-1' },
  };
  const one = await program.sendMail(keyed);
  const two = await program.sendMail({ ...keyed, messageId: '<b@program.test>' });
  expect(two.response).toBe(one.response);
});

test('the same message at the same time is stored once', async () => {
  const programs = Array.from({ length: 8 }, () => submission.program(app.keys.secret));
  const message = { from: 'shop@hello.test', to: 'ned@example.com', subject: 'Race', text: 'Race', messageId: '<race@program.test>' };
  const responses = await Promise.all(programs.map(async (program) => (await program.sendMail(message)).response));
  expect(new Set(responses).size).toBe(1);
  expect(await stored.emails.count({ messageId: '<race@program.test>' })).toBe(1);
});

test('a suppressed recipient is skipped, and 250 says so', async () => {
  await api().post('/v1/suppressions').send({ email: 'out@example.com' }).expect(201);
  const { response } = await submission.program(app.keys.secret).sendMail({
    from: 'shop@hello.test',
    to: ['out@example.com', 'oda@example.com'],
    subject: 'Skipped',
    text: 'Skipped',
  });
  expect(response).toMatch(/^250 2\.0\.0 em_\w+; 1 skipped: suppressed$/);
});

test('TLS from the first byte, and AUTH LOGIN', async () => {
  const program = submission.program(app.keys.secret, { port: submission.tlsPort, secure: true, authMethod: 'LOGIN' });
  const { response } = await program.sendMail({ from: 'shop@hello.test', to: 'pam@example.com', subject: 'Hello', text: 'Hello' });
  expect(response).toMatch(/^250 2\.0\.0 em_/);
});

test('a session is written down with what it brought and what was refused', async () => {
  const talk = await submission.signedIn(app.keys.secret);
  const message = (from: string) => lines(`From: ${from}`, 'To: quy@example.com', 'Subject: Hello', '', 'Hello');
  const [id] = idsIn(await handIn(talk, ['quy@example.com'], message('shop@hello.test')));
  await handIn(talk, ['quy@example.com'], message('shop@strange.example'));
  await talk.say('QUIT');
  const session = await untilListed(({ emailIds, endedAt }) => emailIds.includes(id ?? '') && endedAt !== null);
  expect(session).toMatchObject({
    network: '127.0.0.0/24',
    client: 'program.test',
    result: 'partial',
    accepted: 1,
    refused: 1,
    testMode: false,
    emailIds: [id],
    key: app.keys.secret.slice(0, 15),
    refusals: [expect.stringMatching(/^550 5\.7\.1 The domain strange\.example is not verified/)],
  });
  expect(session.tls).toMatch(/^TLSv1\.[23]$/);
  expect((await api(app.otherKeys.secret).get('/v1/smtp-sessions')).body.data).toEqual([]);
  const emailsOf = async (result: string) =>
    ((await api().get(`/v1/smtp-sessions?result=${result}`).expect(200)).body.data as readonly Session[]).flatMap(
      ({ emailIds }) => emailIds,
    );
  expect(await emailsOf('partial')).toEqual([id]);
  for (const other of ['accepted', 'refused', 'nothing']) expect(await emailsOf(other)).not.toContain(id);
});

test('an open session is listed with what it has brought so far, and its end once it has one', async () => {
  const talk = await submission.signedIn(app.keys.test);
  const [id] = idsIn(await handIn(talk, ['roy@example.com'], lines('From: shop@hello.test', 'To: roy@example.com', '', 'Hello')));
  const brought = ({ emailIds }: Session): boolean => emailIds.includes(id ?? '');
  expect(await untilListed(brought)).toMatchObject({ endedAt: null, testMode: true, result: 'accepted', accepted: 1 });
  await talk.say('QUIT');
  const ended = await untilListed((session) => brought(session) && session.endedAt !== null);
  expect(Date.parse(ended.endedAt ?? '')).toBeLessThanOrEqual(Date.now());
  const { body } = await api().get('/v1/smtp-sessions').expect(200);
  expect((body.data as readonly Session[]).filter(brought)).toHaveLength(1);
});

interface Session {
  readonly emailIds: readonly string[];
  readonly tls: string;
  readonly endedAt: string | null;
}

/** The session, which is written down a moment after it has changed. */
async function untilListed(isIt: (session: Session) => boolean): Promise<Session> {
  for (;;) {
    const { body } = await api().get('/v1/smtp-sessions').expect(200);
    const found = (body.data as readonly Session[]).find(isIt);
    if (found) return found;
  }
}
