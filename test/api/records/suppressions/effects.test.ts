import { failedOutcome } from '../../../../src/sending/deliver/outcome';
import type { Outcome } from '../../../../src/records/emails/attempts';
import { withoutBlocked } from '../../../../src/sending/deliver/recheck';
import { record } from '../../../../src/sending/deliver/record';
import type { Email } from '../../../../src/records/emails/model';
import { newId } from '../../../../src/platform/core/ids';
import { aProject } from '../../../support/platform/app';
import { storeEmail, scheduled, storeEmails } from '../../../support/data/email-rows';
import { contactCalls } from '../../audience/contacts/calls';
import { stored } from '../../../support/data/stored';
import { freshAddress } from '../../../support/data/people';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });

const { api, upsert, get } = contactCalls(() => app);
const suppress = (email: string, reason: string) => api().post('/v1/suppressions').send({ email, reason }).expect(201);
const lift = (email: string) =>
  api()
    .delete(`/v1/suppressions/${encodeURIComponent(email)}`)
    .expect(200);

const ATTEMPT = { id: newId('att'), worker: 'wrk_1', at: new Date() };
const bounced = (email: Email): Outcome =>
  failedOutcome(
    email,
    {
      accepted: false,
      phase: 'rcpt',
      cause: 'reply',
      inDoubt: false,
      message: '',
      reply: { code: 550, enhanced: '5.1.1', text: '5.1.1 No such user' },
    },
    { route: 'direct', retrySeconds: [], acceptedIsDelivered: true },
    new Date(),
  );

const CONTENT = { from: 'a@hello.test', subject: 'Hi', text: 'Hi' };
type MailType = 'transactional' | 'marketing';

interface Result {
  readonly id?: string;
  readonly status?: string;
  readonly skipped?: string;
}

const fateOf = ({ status, skipped }: Result): string => skipped ?? status ?? 'none';

async function send(to: string, type: MailType, more: object = {}): Promise<string> {
  const { body } = await api()
    .post('/v1/send')
    .send({ ...CONTENT, to, type, ...more })
    .expect(200);
  return fateOf((body.data.results as Result[])[0] ?? {});
}

const fates = async (email: string): Promise<string[]> => [await send(email, 'transactional'), await send(email, 'marketing')];

test.each<[string, string, string]>([
  ['hard_bounce', 'suppressed', 'suppressed'],
  ['complaint', 'suppressed', 'suppressed'],
  ['manual', 'suppressed', 'suppressed'],
  ['unsubscribe', 'queued', 'unsubscribed'],
])('%s: transactional mail is %s, marketing mail %s, until it is lifted', async (reason, transactional, marketing) => {
  const email = freshAddress();
  expect(await fates(email)).toEqual(['queued', 'queued']);
  await suppress(email, reason);
  expect(await fates(email)).toEqual([transactional, marketing]);
  expect(await fates(email.toUpperCase())).toEqual([transactional, marketing]);
  await lift(email);
  expect(await fates(email)).toEqual(['queued', 'queued']);
});

test('a blocking reason is reported before the opt-out that it hides, which is back when it is lifted', async () => {
  const email = freshAddress();
  await suppress(email, 'unsubscribe');
  await suppress(email, 'manual');
  expect(await fates(email)).toEqual(['suppressed', 'suppressed']);
  await lift(email);
  expect(await fates(email)).toEqual(['queued', 'unsubscribed']);
});

test('an unsubscribed contact gets no marketing mail though nothing is suppressed', async () => {
  const { email } = await upsert(freshAddress(), { subscribed: false });
  expect(await fates(email)).toEqual(['queued', 'unsubscribed']);
  expect((await api().get('/v1/suppressions/check').query({ email }).expect(200)).body.data.suppressed).toBe(false);
  await upsert(email, { subscribed: true }, 200);
  expect(await fates(email)).toEqual(['queued', 'queued']);
});

test('a contact that sending makes for an address that opted out starts unsubscribed, also behind a blocking reason', async () => {
  const email = freshAddress();
  await suppress(email, 'unsubscribe');
  expect(await send(email, 'transactional')).toBe('queued');
  expect((await get(email)).subscribed).toBe(false);
  // What suppressions say does not hold at the simulator; what the contact says does.
  const simulated = 'delivered@simulator.lettermill.test';
  await suppress(simulated, 'unsubscribe');
  await suppress(simulated, 'manual');
  expect(await send(simulated, 'transactional')).toBe('queued');
  expect((await get(simulated)).subscribed).toBe(false);
  expect(await send(simulated, 'marketing')).toBe('unsubscribed');
  const subscribed = 'delivered+subscribed@simulator.lettermill.test';
  await api().post('/v1/contacts').send({ email: subscribed, subscribed: true }).expect(201);
  await suppress(subscribed, 'unsubscribe');
  expect(await send(subscribed, 'marketing')).toBe('queued');
});

test('a skipped recipient leaves no e-mail, no contact, and takes no credit', async () => {
  const email = freshAddress();
  await suppress(email, 'manual');
  const usage = async () => (await api().get('/v1/billing').expect(200)).body.data as unknown;
  const before = await usage();
  expect(await send(email, 'transactional')).toBe('suppressed');
  expect(await usage()).toEqual(before);
  expect(await stored.emails.count({ to: email })).toBe(0);
  await api()
    .get(`/v1/contacts/${encodeURIComponent(email)}`)
    .expect(404);
});

test('a suppression is judged for each recipient of a message and each message of a batch', async () => {
  const [free, blocked, optedOut] = [freshAddress(), freshAddress(), freshAddress()];
  await suppress(blocked, 'complaint');
  await suppress(optedOut, 'unsubscribe');
  const to = [free, blocked, optedOut];
  const many = await api()
    .post('/v1/send')
    .send({ ...CONTENT, to, type: 'marketing' })
    .expect(200);
  expect((many.body.data.results as Result[]).map(fateOf)).toEqual(['queued', 'suppressed', 'unsubscribed']);
  const messages = [...to.map((each) => ({ ...CONTENT, to: each })), { ...CONTENT, to, type: 'marketing' }];
  const { body } = await api().post('/v1/send/batch').send({ messages }).expect(200);
  const [first, second, third, all] = body.data.results as [Result, Result, Result, { results: Result[] }];
  expect([first, second, third].map(fateOf)).toEqual(['queued', 'suppressed', 'queued']);
  expect(all.results.map(fateOf)).toEqual(['queued', 'suppressed', 'unsubscribed']);
});

test('a suppression holds for a test key and for a scheduled message', async () => {
  const [blocked, optedOut] = [freshAddress(), freshAddress()];
  await suppress(blocked, 'manual');
  await suppress(optedOut, 'unsubscribe');
  const sendAt = new Date(Date.now() + 60_000).toISOString();
  expect(await send(blocked, 'transactional', { sendAt })).toBe('suppressed');
  expect(await send(optedOut, 'marketing', { sendAt })).toBe('unsubscribed');
  expect(await send(optedOut, 'transactional', { sendAt })).toBe('scheduled');
  const { body } = await api(app.keys.test)
    .post('/v1/send')
    .send({ ...CONTENT, to: [blocked, optedOut], type: 'marketing' })
    .expect(200);
  expect((body.data.results as Result[]).map(fateOf)).toEqual(['suppressed', 'unsubscribed']);
});

test('what waits is looked at again before it goes out', async () => {
  const { projectId } = app.keys;
  const wait = async (type: MailType, email: string): Promise<Email> => {
    const { contactId } = await upsert(email);
    return (await storeEmails(projectId, { ...scheduled(), to: email, type, contactId }))[0] as Email;
  };
  const [blocked, optedOut, transactional, unsubscribed, free] = [
    freshAddress(),
    freshAddress(),
    freshAddress(),
    freshAddress(),
    freshAddress(),
  ];
  const rows = [
    await wait('transactional', blocked),
    await wait('marketing', optedOut),
    await wait('transactional', transactional),
    await wait('marketing', unsubscribed),
    await wait('marketing', free),
  ];
  await suppress(blocked, 'hard_bounce');
  await suppress(optedOut, 'unsubscribe');
  await suppress(transactional, 'unsubscribe');
  await api()
    .post('/v1/contacts/bulk')
    .send({ action: 'unsubscribe', emails: [unsubscribed] })
    .expect(200);
  const left = await withoutBlocked(app.core, rows, new Date());
  expect(left.map(({ to }) => to)).toEqual([transactional, free]);
  const statuses = await Promise.all(rows.map(async ({ _id }) => (await stored.emails.one(_id))?.status));
  expect(statuses).toEqual(['cancelled', 'cancelled', 'queued', 'cancelled', 'queued']);
});

test('what is left of a removed project is stopped, and holds up neither the mail beside it nor its own record', async () => {
  const gone = newId('prj');
  const left = await storeEmail(gone, { ...scheduled(), to: freshAddress() });
  const beside = await storeEmail(app.keys.projectId, { ...scheduled(), to: freshAddress() });
  const due = await withoutBlocked(app.core, [left, beside], new Date());
  expect(due).toEqual([beside]);
  expect((await stored.emails.one(left._id))?.status).toBe('cancelled');

  const wire = await storeEmail(gone, { to: freshAddress(), status: 'sending', attempts: 1, attempt: ATTEMPT });
  await record(app.core, [bounced(wire)]);
  expect((await stored.emails.one(wire._id))?.status).toBe('bounced');
});

test("another project's suppressions block no one", async () => {
  const email = freshAddress();
  await api(app.otherKeys.secret).post('/v1/suppressions').send({ email }).expect(201);
  expect(await fates(email)).toEqual(['queued', 'queued']);
});
