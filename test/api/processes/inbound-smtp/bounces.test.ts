import { aProject } from '../../../support/platform/app';
import { anInboundServer, envelopeSenderOf } from '../../../support/platform/inbound-smtp';
import {
  exchangeReport,
  eximReport,
  gmailReport,
  outOfOffice,
  plainEximBounce,
  postfixReport,
  qmailBounce,
  wrapped,
} from '../../../support/data/returned-mail';
import { daysAgo, failing, sentMail } from '../../sending/accept/sent-mail';
import { stored } from '../../../support/data/stored';

const app = aProject({ log: (line) => (logged += line) });
const smtp = anInboundServer(app);
let logged = '';

const { sent, suppressionOf } = sentMail(() => app);
const shown = async (id: string) => (await app.api().get(`/v1/emails/${id}`).expect(200)).body.data;
const emitted = async (id: string) => (await stored.events.all({ emailId: id }, { _id: 1 })).map(({ name }) => name);

test.each([
  ['Postfix', failing],
  ['Exim', (to: string) => eximReport(to, '550 5.1.1 No such user')],
  ['Exim, without an enhanced code', (to: string) => eximReport(to, '550 Unknown user')],
  ['Exchange', exchangeReport],
  ['Gmail', gmailReport],
  ['qmail', (to: string) => qmailBounce(to)],
  ['old Exim', (to: string) => plainEximBounce(to, '550 5.1.1 Unknown user')],
  ['a gateway that wraps reports', (to: string) => wrapped(failing(to))],
  ['a gateway that wraps bounces in words', (to: string) => wrapped(qmailBounce(to))],
  [
    'a report without recipients',
    (to: string) => failing(to).replace(/^(?:Final|Original)-Recipient.*\n|^(?:Action|Status|Diagnostic-Code):.*\n/gm, ''),
  ],
  ['a notice in HTML', (to: string) => htmlNotice(to)],
  [
    'French words',
    (to: string) => `From: MAILER-DAEMON@mx.example.test\nSubject: Retour\n\nVotre message n'a pas pu etre remis a ${to} : 550 5.1.1\n`,
  ],
])('a hard bounce in the form of %s suppresses the address', async (_system, bounceOf) => {
  const email = await sent();
  expect(await smtp.toBounce(email._id, bounceOf(email.to))).toMatch(/^250 /);
  const after = await shown(email._id);
  expect(after).toMatchObject({ status: 'bounced', bounceType: 'hard' });
  expect(after.error).toMatch(/5\.1\.1|550/);
  expect(await suppressionOf(email)).toMatchObject({ reason: 'hard_bounce', source: 'dsn' });
  expect(await emitted(email._id)).toEqual(['email.bounced']);
});

const htmlNotice = (to: string): string => `From: postmaster@mx.example.test
Subject: Undeliverable: Hello
Content-Type: text/html

<html><body><p>Delivery to <a href="mailto:${to}">${to}</a> failed.</p><p>550 5.1.1 User unknown</p></body></html>
`;

test('a bounce in words without a code is a block', async () => {
  const email = await sent();
  await smtp.toBounce(
    email._id,
    `From: postmaster@mx.example.test\nSubject: Undeliverable\n\nYour message to ${email.to} was not delivered.\n`,
  );
  expect(await shown(email._id)).toMatchObject({ status: 'bounced', bounceType: 'block' });
  expect(await suppressionOf(email)).toBeNull();
});

test.each([
  ['soft', '552 5.2.2 Mailbox full', '5.2.2'],
  ['block', '550 5.7.1 Not you', '5.1.1'],
  ['block', '550 Your IP 192.0.2.7 is listed at bl.example', '5.0.0'],
  ['soft', '451 4.4.7 Expired', '4.4.7'],
  ['block', '554 5.7.1 Blocked', '5.7.1'],
])('a %s bounce (%s) suppresses nothing and does not count in the reputation', async (bounceType, said, status) => {
  const email = await sent();
  await smtp.toBounce(email._id, failing(email.to, said, status));
  expect(await shown(email._id)).toMatchObject({ status: 'bounced', bounceType, error: said });
  expect(await suppressionOf(email)).toBeNull();
});

test('a report with the whole of a long message is read', async () => {
  const email = await sent();
  const long = failing(email.to).replace('Hello, this is the body.', `${'x'.repeat(900)}\n`.repeat(3_000));
  expect(await smtp.toBounce(email._id, long)).toMatch(/^250 /);
  expect(await shown(email._id)).toMatchObject({ status: 'bounced' });
});

test('the event of a bounce, in lists and for listeners', async () => {
  const email = await sent({ contactId: 'ctc_1' });
  await smtp.toBounce(email._id, failing(email.to));
  const { body } = await app.api().get('/v1/events').query({ name: 'email.bounced', contactId: 'ctc_1' }).expect(200);
  expect(body.data).toHaveLength(1);
  expect(body.data[0]).toMatchObject({
    name: 'email.bounced',
    contactId: 'ctc_1',
    emailId: email._id,
    data: { source: 'transactional', bounceType: 'hard', reason: '550 5.1.1 User unknown', late: true },
  });
});

test('many reports of one message, at once and later, are one bounce', async () => {
  const email = await sent();
  const before = await bouncedInReputation();
  const replies = await Promise.all(Array.from({ length: 12 }, () => smtp.toBounce(email._id, failing(email.to))));
  expect(replies.every((reply) => reply?.startsWith('250 '))).toBe(true);
  expect(await smtp.toBounce(email._id, gmailReport(email.to))).toMatch(/^250 /);
  expect(await emitted(email._id)).toEqual(['email.bounced']);
  expect(await bouncedInReputation()).toBe(before + 1);
});

const bouncedInReputation = async (): Promise<number> =>
  (await stored.deliveryCounts.all({ projectId: app.keys.projectId })).reduce((sum, { bounced }) => sum + bounced, 0);

test('a message that was opened and clicked bounces all the same', async () => {
  const at = daysAgo(1);
  const email = await sent({ status: 'clicked', openedAt: at, clickedAt: at, opens: 1, clicks: 1 });
  await smtp.toBounce(email._id, failing(email.to));
  expect(await shown(email._id)).toMatchObject({ status: 'bounced', opens: 1, clicks: 1 });
});

test('a report counts for 14 days', async () => {
  const late = await sent({ sentAt: daysAgo(14.01) });
  expect(await smtp.toBounce(late._id, failing(late.to))).toMatch(/^250 /);
  expect(await shown(late._id)).toMatchObject({ status: 'delivered', bounceType: null });
  expect(await suppressionOf(late)).toBeNull();
  const inTime = await sent({ sentAt: daysAgo(13.99) });
  await smtp.toBounce(inTime._id, failing(inTime.to));
  expect(await shown(inTime._id)).toMatchObject({ status: 'bounced' });
});

test.each(['failed', 'cancelled', 'complained', 'queued'] as const)('a message that is %s stays so', async (status) => {
  const email = await sent({ status, attempts: 0 });
  expect(await smtp.toBounce(email._id, failing(email.to))).toMatch(/^250 /);
  expect(await shown(email._id)).toMatchObject({ status, bounceType: null });
  expect(await emitted(email._id)).toEqual([]);
});

test('a report on a message whose delivery is not recorded yet is put off, and taken when it is', async () => {
  const email = await sent({ status: 'sending', sentAt: null, deliveredAt: null });
  expect(await smtp.toBounce(email._id, failing(email.to))).toMatch(/^451 4\.3\.0 /);
  const reply = smtp.toBounce(email._id, failing(email.to));
  await stored.emails.change(email._id, { status: 'delivered', sentAt: new Date(), deliveredAt: new Date() });
  expect(await reply).toMatch(/^250 /);
  expect(await shown(email._id)).toMatchObject({ status: 'bounced' });
});

test('a message in test mode, and one to the simulator, take no reports', async () => {
  for (const change of [{ testMode: true }, { to: 'opened@simulator.lettermill.test' }]) {
    const email = await sent(change);
    expect(await smtp.toBounce(email._id, failing(email.to))).toMatch(/^250 /);
    expect(await shown(email._id)).toMatchObject({ status: 'delivered' });
    expect(await suppressionOf(email)).toBeNull();
  }
});

test('an out-of-office reply, and mail of a person to the envelope sender, are no bounces', async () => {
  const email = await sent();
  expect(await smtp.toBounce(email._id, outOfOffice(email.to))).toMatch(/^250 /);
  expect(await smtp.toBounce(email._id, outOfOffice(email.to), email.to)).toMatch(/^250 /);
  expect(await smtp.toBounce(email._id, `From: ${email.to}\nSubject: Re: Hello\n\n550 5.1.1 is what I got\n`, email.to)).toMatch(/^250 /);
  expect(await shown(email._id)).toMatchObject({ status: 'delivered' });
});

test('a report of delivery sets delivered over a smarthost; delayed and relayed set nothing', async () => {
  const email = await sent({ status: 'sent', deliveredAt: null });
  for (const action of ['delayed', 'relayed']) {
    await smtp.toBounce(email._id, postfixReport({ to: email.to, said: '451 4.4.1 Wait', status: '4.4.1', action }));
    expect(await shown(email._id)).toMatchObject({ status: 'sent', deliveredAt: null });
  }
  const arrived = postfixReport({ to: email.to, said: '250 2.0.0 Ok', status: '2.0.0', action: 'delivered' });
  expect(await smtp.toBounce(email._id, arrived)).toMatch(/^250 /);
  await smtp.toBounce(email._id, arrived);
  expect(await shown(email._id)).toMatchObject({ status: 'delivered', deliveredAt: expect.any(String) as unknown });
  expect(await emitted(email._id)).toEqual(['email.delivered']);
  const opened = await sent({ status: 'opened', deliveredAt: null, openedAt: new Date(), opens: 1 });
  await smtp.toBounce(opened._id, arrived.replaceAll(email.to, opened.to));
  expect(await shown(opened._id)).toMatchObject({ status: 'opened', deliveredAt: expect.any(String) as unknown });
});

test('forged and unknown addresses are refused; case does not matter', async () => {
  const email = await sent();
  const address = envelopeSenderOf(app.core, email._id);
  const [local = '', domain = ''] = address.split('@');
  const forged = local.slice(0, -1) + (local.endsWith('a') ? 'b' : 'a');
  const unsubscribing = `u+${local.slice(2)}`;
  for (const wrong of [forged, unsubscribing, 'b+', `b+${email._id}`, 'nobody', 'postmaster']) {
    const { recipients, data } = await smtp.deliver({ to: `${wrong}@${domain}`, data: failing(email.to) });
    expect(recipients[0]).toMatch(/^550 5\.1\.1 /);
    expect(data).toBeNull();
  }
  expect(await shown(email._id)).toMatchObject({ status: 'delivered' });
  const { data } = await smtp.deliver({ to: address.toUpperCase(), data: failing(email.to) });
  expect(data).toMatch(/^250 /);
  expect(await shown(email._id)).toMatchObject({ status: 'bounced' });
});

test('the log holds no address', () => {
  expect(logged).not.toContain('@example.com');
});
