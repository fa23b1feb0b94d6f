import { newId } from '../../../../src/platform/core/ids';
import { aProject } from '../../../support/platform/app';
import { storeEmail } from '../../../support/data/email-rows';
import { anInboundServer, envelopeSenderOf } from '../../../support/platform/inbound-smtp';
import { postfixReport } from '../../../support/data/returned-mail';
import { SmtpTalk } from '../../../support/calls/smtp-talk';
import { stored } from '../../../support/data/stored';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });
const smtp = anInboundServer(app);
let count = 0;

beforeAll(async () => {
  await verified(app.otherKeys.projectId, 'other.test');
});

async function verified(projectId: string, domain: string): Promise<void> {
  const keys = { selector: 'lm1', dkimPrivateKey: 'sealed', dkimPublicKey: 'public' };
  const now = new Date();
  const row = { _id: newId('dom'), projectId, domain, status: 'verified', ...keys, verifiedAt: now, createdAt: now } as const;
  await stored.domains.make({ ...row, development: false, revision: 1 });
}

const freshId = (): string => `<message-${++count}@example.com>`;
const letter = (more: string, body = 'Hello there'): string => `From: "Ada Lovelace" <Ada@Example.com>
To: Support@hello.test
Subject: A question
Message-ID: ${freshId()}
${more}MIME-Version: 1.0
Content-Type: text/plain; charset=utf-8

${body}
`;
const listed = async (to: string, key?: string) => (await app.api(key).get('/v1/inbound').query({ to }).expect(200)).body.data;
const shown = async (id: string) => (await app.api().get(`/v1/emails/${id}`).expect(200)).body.data;
const eventOf = (emailId: string) => stored.events.one({ emailId, name: 'email.received' });

test('mail for any local part at a verified domain is received, with its sender as a contact', async () => {
  const reply = await smtp.deliver({ from: 'bounces@example.com', to: 'Any.Thing+Tag@HELLO.test', data: letter('') });
  expect(reply.data).toMatch(/^250 /);
  const [row] = await listed('Any.Thing+Tag@hello.test');
  expect(row).toMatchObject({
    to: 'Any.Thing+Tag@hello.test',
    subject: 'A question',
    fromEmail: 'ada@example.com',
    fromName: 'Ada Lovelace',
    status: 'received',
  });
  expect(await shown(row.emailId as string)).toMatchObject({ source: 'inbound', text: 'Hello there' });
  const { body } = await app.api().get('/v1/contacts/ada@example.com').expect(200);
  expect(body.data).toMatchObject({ contactId: row.contactId as unknown, firstName: 'Ada', lastName: 'Lovelace', subscribed: false });
  expect(await eventOf(row.emailId as string)).toMatchObject({ contactId: row.contactId as unknown, testMode: false });
});

test('HTML, words in other letters and attachments arrive; what was attached is listed', async () => {
  const data = `From: =?utf-8?q?J=C3=BCrgen?= <juergen@example.com>
To: box@hello.test
Subject: =?utf-8?b?R3LDvMOfZQ==?=
Message-ID: ${freshId()}
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="m"

--m
Content-Type: multipart/alternative; boundary="a"

--a
Content-Type: text/plain; charset=iso-8859-1
Content-Transfer-Encoding: quoted-printable

Gr=FC=DFe
--a
Content-Type: text/html; charset=utf-8
Content-Transfer-Encoding: base64

PHA+R3LDvMOfZTwvcD4=
--a--

--m
Content-Type: application/pdf; name="../../offer.pdf"
Content-Disposition: attachment; filename="../../offer.pdf"
Content-Transfer-Encoding: base64

SGVsbG8gd29ybGQ=
--m
Content-Type: message/rfc822

Subject: forwarded

inner
--m--
`;
  expect((await smtp.deliver({ from: 'juergen@example.com', to: 'box@hello.test', data })).data).toMatch(/^250 /);
  const [row] = await listed('box@hello.test');
  expect(row).toMatchObject({ subject: 'Grüße', fromName: 'Jürgen' });
  const email = await shown(row.emailId as string);
  expect(email.text).toBe('Grüße');
  expect(email.html ?? email.body).toContain('<p>Grüße</p>');
  expect(email.attachments).toEqual([
    { filename: 'offer.pdf', contentType: 'application/pdf', size: 11 },
    expect.objectContaining({ contentType: 'message/rfc822' }),
  ]);
  expect((await eventOf(row.emailId as string))?.data).toMatchObject({ attachments: 2 });
});

test('one message to recipients of several projects is received by each of them once', async () => {
  const data = letter('');
  const to = ['one@hello.test', 'two@hello.test', 'three@other.test', 'nobody@elsewhere.test'];
  const first = await smtp.deliver({ from: 'ada@example.com', to, data });
  expect(first.recipients.map((reply) => reply.slice(0, 9))).toEqual(['250 Accep', '250 Accep', '250 Accep', '550 5.1.1']);
  expect(first.data).toMatch(/^250 /);
  // The answer was lost: the sender comes again, over another host.
  const again = await smtp.deliver({ from: 'ada@example.com', to, data: `Received: by backup.example.com\n${data}` });
  expect(again.data).toMatch(/^250 /);
  expect(await listed('one@hello.test')).toHaveLength(1);
  expect(await listed('two@hello.test')).toHaveLength(1);
  expect(await listed('three@other.test', app.otherKeys.secret)).toHaveLength(1);
  expect(await listed('three@other.test')).toHaveLength(0);
  await smtp.deliver({ from: 'ada@example.com', to: 'one@hello.test', data: letter('') });
  expect(await listed('one@hello.test')).toHaveLength(2);
});

test('mail without a From is its envelope sender’s; without either it is refused', async () => {
  await smtp.deliver({ from: 'Grace@example.com', to: 'bare@hello.test', data: 'Subject: Bare\n\nHi\n' });
  expect(await listed('bare@hello.test')).toMatchObject([{ fromEmail: 'grace@example.com', fromName: null, subject: 'Bare' }]);
  const { data } = await smtp.deliver({ to: 'bare@hello.test', data: 'Subject: Nobody\n\nHi\n' });
  expect(data).toMatch(/^554 5\.1\.7 /);
  expect(await listed('bare@hello.test')).toHaveLength(1);
});

test.each([
  ['with a null sender', '', ''],
  ['auto-replied', 'Auto-Submitted: auto-replied (vacation)\n', 'ada@example.com'],
  ['auto-generated', 'Auto-Submitted: Auto-Generated\n', 'ada@example.com'],
  ['bulk', 'Precedence: bulk\n', 'ada@example.com'],
  ['of an automation of ours', 'Feedback-ID: wfl_1:prj_1:transactional:lettermill\n', 'ada@example.com'],
  ['of a campaign of ours', 'Feedback-ID: cmp_1:prj_1:marketing:lettermill\n', 'ada@example.com'],
])('mail of a machine (%s) is received and starts no automation', async (_kind, fields, from) => {
  const to = `machine${++count}@hello.test`;
  expect((await smtp.deliver({ from, to, data: letter(fields) })).data).toMatch(/^250 /);
  const [row] = await listed(to);
  expect(await eventOf(row.emailId as string)).toMatchObject({ enrols: false, data: { automatic: true } });
});

test('mail of a person may start automations', async () => {
  const fields = 'Auto-Submitted: no\nFeedback-ID: send:prj_1:transactional:lettermill\n';
  await smtp.deliver({ from: 'ada@example.com', to: 'person@hello.test', data: letter(fields) });
  const [row] = await listed('person@hello.test');
  expect(await eventOf(row.emailId as string)).not.toHaveProperty('enrols');
});

test('mail that goes in a circle is refused', async () => {
  const hops = (number: number): string => Array.from({ length: number }, (_, hop) => `Received: by mx${hop}.example.com\n`).join('');
  const looping = await smtp.deliver({ from: 'ada@example.com', to: 'loop@hello.test', data: hops(31) + letter('') });
  expect(looping.data).toMatch(/^554 5\.4\.6 /);
  expect(await listed('loop@hello.test')).toHaveLength(0);
  expect((await smtp.deliver({ from: 'ada@example.com', to: 'loop@hello.test', data: hops(30) + letter('') })).data).toMatch(/^250 /);
});

test('a recipient past the project’s limit of inbound mail is put off, and nothing is stored', async () => {
  const used = await stored.emails.count({ projectId: app.keys.projectId, source: 'inbound' });
  const setLimit = (limit: number | null) => app.api().patch('/v1/billing').send({ monthlyLimitInbound: limit }).expect(200);
  await setLimit(used + 1);
  const to = ['limit@hello.test', 'limit2@hello.test'];
  const data = letter('');
  expect((await smtp.deliver({ from: 'ada@example.com', to, data })).data).toMatch(/^452 4\.2\.2 /);
  expect((await listed(to[0] ?? '')).length + (await listed(to[1] ?? '')).length).toBe(1);
  const { recipients } = await smtp.deliver({ from: 'ada@example.com', to: [...to, 'fine@other.test'], data });
  expect(recipients.map((reply) => reply.slice(0, 3))).toEqual(['452', '452', '250']);
  await setLimit(null);
  await smtp.deliver({ from: 'ada@example.com', to, data });
  expect([await listed(to[0] ?? ''), await listed(to[1] ?? '')].map(({ length }) => length)).toEqual([1, 1]);
});

test('a disabled project still receives', async () => {
  await stored.projects.change(app.otherKeys.projectId, { disabledAt: new Date() });
  await smtp.deliver({ from: 'ada@example.com', to: 'disabled@other.test', data: letter('') });
  expect(await listed('disabled@other.test', app.otherKeys.secret)).toHaveLength(1);
});

test('inbound SMTP relays nothing, however the recipient is disguised', async () => {
  const recipients = [
    'victim@elsewhere.test',
    'victim@hello.test.elsewhere.test',
    'victim@sub.hello.test',
    'victim@xhello.test',
    '@hello.test:victim@elsewhere.test',
    'victim@[127.0.0.1]',
    'victim@localhost',
    'fbl@lettermill.test',
    'fbl@bounce.elsewhere.test',
  ];
  const before = await stored.emails.count();
  for (const to of recipients) {
    const reply = await smtp.deliver({ from: 'ada@hello.test', to, data: letter('') });
    expect(reply.recipients[0]).toMatch(/^5\d\d /);
    expect(reply.data).toBeNull();
  }
  for (const to of ['victim%elsewhere.test@hello.test', 'elsewhere.test!victim@hello.test']) {
    await smtp.deliver({ from: 'ada@example.com', to, data: letter('') });
    expect(await listed(to)).toHaveLength(1);
  }
  expect(await stored.emails.count()).toBe(before + 2);
});

test('bounces come to the bounce domain of a verified domain too', async () => {
  const email = await storeEmail(app.keys.projectId, { status: 'delivered', sentAt: new Date(), deliveredAt: new Date(), attempts: 1 });
  const local = envelopeSenderOf(app.core, email._id).split('@')[0] ?? '';
  const data = postfixReport({ to: 'ada@example.com', said: '550 5.1.1 No', status: '5.1.1' });
  expect((await smtp.deliver({ to: `${local}@bounce.elsewhere.test`, data })).recipients[0]).toMatch(/^550 5\.1\.1 /);
  expect((await smtp.deliver({ to: `anybody@bounce.hello.test`, data })).recipients[0]).toMatch(/^550 5\.1\.1 /);
  expect((await smtp.deliver({ to: `${local}@Bounce.Hello.test`, data })).data).toMatch(/^250 /);
  expect(await shown(email._id)).toMatchObject({ status: 'bounced' });
});

test('a message is refused that is too large, announced or not', async () => {
  const talk = await SmtpTalk.open(smtp.port);
  await talk.reply();
  expect(await talk.say('EHLO mx.elsewhere.test')).toContain('SIZE 26214400');
  expect(await talk.say('MAIL FROM:<ada@example.com> SIZE=26214401')).toMatch(/^552 /);
  talk.close();
  const line = `${'x'.repeat(998)}\r\n`;
  const huge = Buffer.from(`Subject: huge\r\n\r\n${line.repeat(27_000)}`);
  expect((await smtp.deliver({ from: 'ada@example.com', to: 'huge@hello.test', data: huge })).data).toMatch(/^552 5\.3\.4 /);
  expect(await listed('huge@hello.test')).toHaveLength(0);
});

const nested = (depth: number): string => {
  let text = 'Subject: deep\nFrom: ada@example.com\nMIME-Version: 1.0\n';
  for (let level = 0; level < depth; level++) text += `Content-Type: multipart/mixed; boundary="b${level}"\n\n--b${level}\n`;
  return `${text}Content-Type: text/plain\n\nbottom\n`;
};

test.each([
  ['deeply nested', nested(60)],
  [
    'of a thousand parts',
    `Subject: parts\nFrom: ada@example.com\nContent-Type: multipart/mixed; boundary="p"\n\n${'--p\nContent-Type: text/plain\n\nx\n'.repeat(1_000)}--p--\n`,
  ],
  ['with an endless head', `Subject: head\n${`X-Padding: ${'x'.repeat(900)}\n`.repeat(400)}\nHello\n`],
])('a message %s is refused, and the next one is taken', async (_kind, data) => {
  const email = await storeEmail(app.keys.projectId, { status: 'delivered', sentAt: new Date(), attempts: 1 });
  expect((await smtp.deliver({ from: 'ada@example.com', to: 'poison@hello.test', data })).data).toMatch(/^554 5\.6\.0 /);
  expect(await smtp.toBounce(email._id, data)).toMatch(/^554 5\.6\.0 /);
  expect((await smtp.deliver({ from: 'ada@example.com', to: `next${++count}@hello.test`, data: letter('') })).data).toMatch(/^250 /);
});

test('texts that are too long are cut, and a message of any bytes is stored', async () => {
  const long = letter('', `${'é'.repeat(99)}\n`.repeat(6_000));
  expect((await smtp.deliver({ from: 'ada@example.com', to: 'long@hello.test', data: long })).data).toMatch(/^250 /);
  const [row] = await listed('long@hello.test');
  const { text } = await shown(row.emailId as string);
  expect(Buffer.byteLength(text as string)).toBeLessThanOrEqual(1_048_576);
  expect(Buffer.byteLength(text as string)).toBeGreaterThan(1_048_570);
  const bytes = Buffer.concat([
    Buffer.from('From: ada@example.com\r\nSubject: \0\xff\x01\r\n\r\n', 'latin1'),
    Buffer.from([0, 255, 254, 13, 10]),
  ]);
  expect((await smtp.deliver({ from: 'ada@example.com', to: 'bytes@hello.test', data: bytes })).data).toMatch(/^250 /);
  expect(await listed('bytes@hello.test')).toHaveLength(1);
});
