import { wireMail } from '../../../support/checks/wire';
import type { Email } from '../../../../src/records/emails/model';
import { unsubscribeAddress } from '../../../../src/records/emails/urls';
import { aProject } from '../../../support/platform/app';
import { storeEmail } from '../../../support/data/email-rows';
import { anInboundServer } from '../../../support/platform/inbound-smtp';
import { feedbackReport, olderComplaint, outOfOffice, postfixReport } from '../../../support/data/returned-mail';
import { stored } from '../../../support/data/stored';
import { freshAddress, storeContacts } from '../../../support/data/people';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });
const smtp = anInboundServer(app);

/** A marketing message that a subscribed contact got. */
async function received(change: Partial<Email> = {}): Promise<Email> {
  const [at, to] = [new Date(), freshAddress()];
  const [contactId = null] = await storeContacts(app.keys.projectId, [[to]]);
  const delivered = { status: 'delivered', sentAt: at, deliveredAt: at, attempts: 1, type: 'marketing' } as const;
  return storeEmail(app.keys.projectId, { ...delivered, to, contactId, ...change });
}

/** As a provider would report it: recipient and body taken out. */
async function originalOf(email: Email, without: readonly string[] = []): Promise<string> {
  const { message } = await wireMail(app.core, email);
  const [head = ''] = message.split('\r\n\r\n');
  const fields = head.split(/\r\n(?![ \t])/).filter((field) => !without.some((name) => field.toLowerCase().startsWith(`${name}:`)));
  return `${fields.join('\n')}\n\n[removed]\n`.replaceAll(email.to, 'redacted@example.com');
}

const shown = async ({ _id }: Email) => (await app.api().get(`/v1/emails/${_id}`).expect(200)).body.data;
const suppressionOf = ({ to }: Email) => stored.suppressions.one({ projectId: app.keys.projectId, email: to });
const isSubscribed = async ({ contactId }: Email) => (await stored.contacts.one(contactId))?.subscribed;
async function emitted({ _id, contactId }: Email): Promise<string[]> {
  const events = await stored.events.all({ $or: [{ emailId: _id }, { contactId }] });
  return events.map(({ name }) => name).sort();
}
const report = async (data: string, to = 'fbl@bounce.lettermill.test'): Promise<string | null> =>
  (await smtp.deliver({ from: 'fbl@provider.test', to, data })).data;
const complaintsInReputation = async (): Promise<number> =>
  (await stored.deliveryCounts.all({ projectId: app.keys.projectId })).reduce((sum, { complained }) => sum + complained, 0);

const TRANSACTIONAL = { type: 'transactional' } as const;

test.each([
  ['the signed address in List-Unsubscribe', {}, ['message-id', 'feedback-id']],
  ['Message-ID and Feedback-ID', TRANSACTIONAL, []],
])('a complaint is known by %s', async (_by, change, without) => {
  const email = await received(change);
  expect(await report(feedbackReport(await originalOf(email, without)))).toMatch(/^250 /);
  expect(await shown(email)).toMatchObject({ status: 'complained' });
});

test('a complaint in the older form is known by the message in it', async () => {
  for (const address of ['fbl', 'envelope'] as const) {
    const email = await received();
    const data = olderComplaint(await originalOf(email, ['message-id', 'feedback-id']));
    const reply = address === 'fbl' ? await report(data) : await smtp.toBounce(email._id, data, 'staff@provider.test');
    expect(reply).toMatch(/^250 /);
    expect(await shown(email)).toMatchObject({ status: 'complained' });
    expect(await suppressionOf(email)).toMatchObject({ reason: 'complaint', source: 'arf' });
    expect(await isSubscribed(email)).toBe(false);
  }
  const silent = await received();
  await smtp.toBounce(silent._id, olderComplaint(await originalOf(silent)));
  expect(await shown(silent)).toMatchObject({ status: 'complained' });
});

test('a message of ours in the answer of a machine, in a bounce or in a late notice is no complaint', async () => {
  const email = await received();
  const original = await originalOf(email);
  const late = olderComplaint(original, `Delivery to ${email.to} has been delayed.`);
  expect(await smtp.toBounce(email._id, late)).toMatch(/^250 /);
  const away = olderComplaint(original, 'I am away.').replace('Subject: complaint', 'Subject: Automatic reply');
  expect(await smtp.toBounce(email._id, away, 'ada@example.com')).toMatch(/^250 /);
  const marked = olderComplaint(original, 'Thank you.').replace('Subject:', 'Auto-Submitted: auto-replied\nSubject:');
  expect(await smtp.toBounce(email._id, marked, 'ada@example.com')).toMatch(/^250 /);
  expect(await smtp.toBounce(email._id, outOfOffice(email.to), 'ada@example.com')).toMatch(/^250 /);
  expect(await shown(email)).toMatchObject({ status: 'delivered' });
  expect(await report(olderComplaint('Subject: not ours\n\nHello\n'))).toMatch(/^554 5\.7\.1 /);
  const bounced = olderComplaint(original, `Your message to ${email.to} was not delivered: 550 5.1.1 No`);
  await smtp.toBounce(email._id, bounced.replace('staff@', 'postmaster@'));
  expect(await shown(email)).toMatchObject({ status: 'bounced', bounceType: 'hard' });
});

test('a complaint about one of several copies with one Message-ID is recorded for its recipient', async () => {
  const copied = { to: [], cc: [], people: [] };
  const shared = { ...TRANSACTIONAL, messageId: '<msg_1@hello.test>' };
  const first = await received({ ...shared, copied: { as: 'to', ...copied } });
  const second = await received({ ...shared, copied: { as: 'bcc', ...copied } });
  const original = await originalOf(second);
  const forged = original.replace(/^(Feedback-ID: )\w+/m, `$1${first._id.slice(3)}`);
  expect(forged).not.toBe(original);
  for (const data of [forged, original]) expect(await report(feedbackReport(data))).toMatch(/^250 /);
  expect(await shown(second)).toMatchObject({ status: 'complained' });
  expect(await shown(first)).toMatchObject({ status: 'delivered' });
});

test('a complaint suppresses, unsubscribes, and is emitted once', async () => {
  const email = await received();
  const before = await complaintsInReputation();
  const data = feedbackReport(await originalOf(email));
  await Promise.all(Array.from({ length: 6 }, () => report(data)));
  expect(await report(data, 'ABUSE@Bounce.Lettermill.Test')).toMatch(/^250 /);
  expect(await suppressionOf(email)).toMatchObject({ reason: 'complaint', source: 'arf' });
  expect(await isSubscribed(email)).toBe(false);
  expect(await emitted(email)).toEqual(['contact.suppressed', 'contact.unsubscribed', 'email.complained']);
  const event = await stored.events.one({ emailId: email._id, name: 'email.complained' });
  expect(event?.data).toEqual({ source: 'transactional', feedbackType: 'abuse' });
  expect(await complaintsInReputation()).toBe(before + 1);
});

test('a report at the envelope sender is about that message, and so is one that names it', async () => {
  const email = await received();
  expect(await smtp.toBounce(email._id, feedbackReport('Subject: nothing left\n\n'), 'fbl@provider.test')).toMatch(/^250 /);
  expect(await shown(email)).toMatchObject({ status: 'complained' });
  const other = await received();
  const { envelope } = await wireMail(app.core, other);
  await report(feedbackReport('Subject: nothing left\n\n', 'abuse', `\nOriginal-Mail-From: <${envelope.from}>`));
  expect(await shown(other)).toMatchObject({ status: 'complained' });
});

test('a report among the mail of a verified domain is received, and is a complaint too', async () => {
  const email = await received();
  expect(await report(feedbackReport(await originalOf(email)), 'abuse@hello.test')).toMatch(/^250 /);
  expect(await shown(email)).toMatchObject({ status: 'complained' });
  const { body } = await app.api().get('/v1/inbound').query({ to: 'abuse@hello.test' }).expect(200);
  expect(body.data).toHaveLength(1);
});

test('a bounced message can be reported, a reported one does not bounce', async () => {
  const email = await received();
  await smtp.toBounce(email._id, postfixReport({ to: email.to, said: '550 5.1.1 No', status: '5.1.1' }));
  await report(feedbackReport(await originalOf(email)));
  expect(await shown(email)).toMatchObject({ status: 'complained', bounceType: 'hard' });
  expect(await suppressionOf(email)).toMatchObject({ reason: 'complaint', source: 'arf' });
  const reported = await received();
  await report(feedbackReport(await originalOf(reported)));
  await smtp.toBounce(reported._id, postfixReport({ to: reported.to, said: '550 5.1.1 No', status: '5.1.1' }));
  expect(await shown(reported)).toMatchObject({ status: 'complained', bounceType: null });
});

test('what is no complaint changes nothing', async () => {
  const email = await received();
  const original = await originalOf(email);
  expect(await report(feedbackReport(original, 'not-spam'))).toMatch(/^250 /);
  expect(await report(feedbackReport(original, 'auth-failure'))).toMatch(/^250 /);
  expect(await report(`Subject: hello\n\n${original}`)).toMatch(/^554 5\.7\.1 /);
  expect(await shown(email)).toMatchObject({ status: 'delivered' });
  expect(await isSubscribed(email)).toBe(true);
});

test('a forged report names no message', async () => {
  const email = await received(TRANSACTIONAL);
  const { message, envelope } = await wireMail(app.core, email);
  const head = message.split('\r\n\r\n')[0] ?? '';
  const foreign = head.replace(app.keys.projectId, app.otherKeys.projectId);
  const forged = envelope.from.replace(/.@/, (last) => (last === 'a@' ? 'b@' : 'a@'));
  for (const original of [foreign, `Return-Path: <${forged}>\nSubject: Hi`, `Message-ID: ${email.messageId}\nSubject: Hi`]) {
    expect(await report(feedbackReport(`${original}\n\n`))).toMatch(/^250 /);
  }
  expect(await shown(email)).toMatchObject({ status: 'delivered' });
});

test('mail to the address of List-Unsubscribe opts out, once', async () => {
  const email = await received();
  expect(await smtp.toUnsubscribe(email._id)).toMatch(/^250 /);
  expect(await smtp.toUnsubscribe(email._id, '')).toMatch(/^250 /);
  expect(await smtp.toUnsubscribe(email._id, 'Content-Type: multipart/mixed; boundary="a"\n'.repeat(99))).toMatch(/^250 /);
  expect(await isSubscribed(email)).toBe(false);
  expect(await suppressionOf(email)).toMatchObject({ reason: 'unsubscribe', source: 'mailto' });
  expect(await emitted(email)).toEqual(['contact.unsubscribed', 'email.unsubscribed']);
  const event = await stored.events.one({ emailId: email._id, name: 'email.unsubscribed' });
  expect(event?.data).toMatchObject({ method: 'mailto', first: true });
});

test('a forged unsubscribe address is refused', async () => {
  const email = await received();
  const other = await received();
  const own = unsubscribeAddress(app.core, email._id);
  const mixed = unsubscribeAddress(app.core, other._id).slice(0, 28) + own.slice(28);
  for (const to of [mixed, own.replace('u+', 'b+'), own.replace('u+', '')]) {
    const { recipients } = await smtp.deliver({ from: 'ada@example.com', to, data: '' });
    expect(recipients[0]).toMatch(/^550 5\.1\.1 /);
  }
  expect(await isSubscribed(email)).toBe(true);
  expect(await isSubscribed(other)).toBe(true);
});
