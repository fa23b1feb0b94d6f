import { recordReturned } from '../../../../src/sending/deliver/returned';
import type { Email } from '../../../../src/records/emails/model';
import { recordHits } from '../../../../src/sending/tracking/record';
import { aProject } from '../../../support/platform/app';
import { hit } from '../../../support/calls/campaigns';
import { acceptance, onTheWire, recordAccepted } from '../../../support/data/accepted-mail';
import { storeEmail } from '../../../support/data/email-rows';
import { SENT, erasureCalls } from '../../../support/calls/erasures';
import { publicUrls } from '../../../support/calls/public-urls';
import { documentsWith } from '../../../support/checks/traces';
import { contactCalls } from './calls';
import { stored } from '../../../support/data/stored';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });

const { api, upsert } = contactCalls(() => app);
const { turn, erasureOf, fresh, remove, hashed, rowOf, erase } = erasureCalls(() => app);

describe('mail that is on its way', () => {
  test.each(['queued', 'sending'] as const)('%s: goes out as it was accepted, and is erased then', async (status) => {
    const email = fresh();
    await upsert(email);
    const row = await storeEmail(app.keys.projectId, { to: email, status, dueAt: new Date() });
    const id = row._id;
    await remove(email);
    const { erasureId } = await erasureOf(email);
    expect(await turn(erasureId, 60_000)).toMatchObject({ status: 'waiting', open: 1, waitMs: 5_000 });
    expect(await turn(erasureId, 70_000)).toMatchObject({ status: 'waiting', open: 1, waitMs: 10_000 });
    expect(await rowOf(id)).toMatchObject({ to: email, subject: 'Hello Ada' });
    await stored.emails.change(id, { $set: SENT, $unset: { dueAt: '' } });
    expect(await turn(erasureId, 80_000)).toMatchObject({ status: 'completed' });
    expect(await rowOf(id)).toMatchObject({ to: await hashed(email), subject: '', status: 'sent' });
  });

  test('scheduled: is cancelled and its charge given back', async () => {
    const email = fresh();
    await upsert(email);
    const used = async () => (await api().get('/v1/billing').expect(200)).body.data.categories.transactional.used as number;
    const before = await used();
    const sendAt = new Date(Date.now() + 86_400_000).toISOString();
    const message = { to: email, from: 'a@hello.test', subject: 'Later', text: 'Dora later', sendAt };
    const id = (await api().post('/v1/send').send(message).expect(200)).body.data.results[0].id as string;
    expect(await used()).toBe(before + 1);
    await remove(email);
    await erase(email);
    expect([(await rowOf(id)).status, await used()]).toEqual(['cancelled', before]);
  });
});

test('what the next server answered to mail of a person goes with the person, and the events stay', async () => {
  const email = fresh();
  const { contactId } = await upsert(email);
  const [row] = await onTheWire(app.keys.projectId, [{ to: email, contactId, source: 'transactional', type: 'transactional' }]);
  const id = row?._id ?? '';
  await recordAccepted(app.core, row ? [acceptance(row, new Date(), `250 2.1.5 <${email}> recipient ok`)] : []);
  expect(await rowOf(id)).toMatchObject({ response: `250 2.1.5 <${email}> recipient ok` });
  await remove(email);
  await erase(email);
  expect(await documentsWith([email])).toEqual([]);
  const { data } = (await api().get('/v1/events').query({ name: 'email.delivered', limit: 100 }).expect(200)).body as {
    data: { emailId: string; contactId: string | null }[];
  };
  expect(data.filter(({ emailId }) => emailId === id)).toMatchObject([{ contactId: null }]);
});

describe('what comes back later', () => {
  async function erasedMail(change: Partial<Email> = {}): Promise<{ readonly email: string; readonly id: string }> {
    const email = fresh();
    const { contactId } = await upsert(email);
    const row = await storeEmail(app.keys.projectId, { to: email, contactId, ...SENT, ...change });
    await remove(email);
    await erase(email);
    return { email, id: row._id };
  }
  const check = async (email: string) => (await api().get('/v1/suppressions/check').query({ email }).expect(200)).body.data;

  test('an opt-out through the link of erased mail holds for the address', async () => {
    const { email, id } = await erasedMail();
    expect((await check(email)).suppressed).toBe(false);
    await fetch(new URL(new URL(publicUrls(app.core, id).unsubscribeUrl).pathname, app.url), { method: 'POST' });
    expect(await check(email)).toMatchObject({ suppressed: true, suppression: { email: await hashed(email), reason: 'unsubscribe' } });
    expect((await upsert(email)).subscribed).toBe(false);
    await api().delete(`/v1/suppressions/${email}`).expect(200);
    expect((await check(email)).suppressed).toBe(false);
  });

  test('a bounce is counted and suppresses, and its words are not kept', async () => {
    const { email, id } = await erasedMail();
    const error = `550 <${email}> no such user`;
    await recordReturned(app.core, id, { kind: 'bounced', bounceType: 'hard', suppresses: 'at_once', error, at: new Date() });
    expect(await rowOf(id)).toMatchObject({ status: 'bounced', error: '' });
    expect(await check(email)).toMatchObject({ suppressed: true, suppression: { reason: 'hard_bounce' } });
    expect(await documentsWith([email])).toEqual([]);
  });

  test('a click is counted, and where it led is not kept', async () => {
    const { id } = await erasedMail();
    await recordHits([hit(id, 'https://example.com/?who=dora')], false);
    expect(await rowOf(id)).toMatchObject({ status: 'clicked', clicks: 1 });
    expect(await documentsWith(['who=dora'])).toEqual([]);
  });

  test('the link to the message in the browser says that it is gone', async () => {
    const { id } = await erasedMail();
    const url = new URL(new URL(publicUrls(app.core, id).viewInBrowserUrl).pathname, app.url);
    const answer = await fetch(url, { headers: { accept: 'text/html' } });
    expect([answer.status, await answer.text()]).toEqual([410, expect.stringContaining('no longer available')]);
  });
});

test('a suppression outlives the person and keeps an import from mailing them; one who was only deleted comes back anew', async () => {
  const [listed, free] = [fresh(), fresh()];
  await upsert(listed);
  await upsert(free);
  await api().post('/v1/suppressions').send({ email: listed, reason: 'complaint' }).expect(201);
  for (const email of [listed, free]) {
    await remove(email);
    await erase(email);
  }
  const results = async (email: string) =>
    (await api().post('/v1/send').send({ to: email, from: 'a@hello.test', subject: 'S', text: 'T' }).expect(200)).body.data
      .results[0] as object;
  await upsert(listed);
  await upsert(free);
  expect(await results(listed)).toMatchObject({ skipped: 'suppressed' });
  expect(await results(free)).toMatchObject({ status: 'queued' });
  // The list shows the hash, and a query by the address finds the record.
  expect((await api().post('/v1/suppressions').send({ email: listed }).expect(200)).body.data).toMatchObject({
    email: await hashed(listed),
  });
});

test('an erasure does not touch the mail of a contact made anew', async () => {
  const email = fresh();
  await upsert(email);
  await remove(email);
  const { erasureId } = await erasureOf(email);
  await upsert(email, { firstName: 'Again' });
  const row = await storeEmail(app.keys.projectId, { to: email, ...SENT, createdAt: new Date(Date.now() + 1_000) });
  expect(await turn(erasureId, 60_000)).toMatchObject({ status: 'completed' });
  expect(await rowOf(row._id)).toMatchObject({ to: email, subject: 'Hello Ada' });
  expect(await stored.contacts.count({ email })).toBe(1);
});

describe('what is stored once for many', () => {
  const send = (email: string, more: object) =>
    api()
      .post('/v1/send')
      .send({ to: email, from: 'a@hello.test', subject: 'S', ...more })
      .expect(200);
  const pdf = (text: string) => ({
    attachments: [{ filename: 'a.pdf', contentType: 'application/pdf', content: Buffer.from(text).toString('base64') }],
  });

  test('content that one person got again and again is theirs alone', async () => {
    const email = fresh();
    for (let times = 0; times < 3; times++) await send(email, { text: 'Your code is own-code' });
    expect(await stored.contents.count({ text: /own-code/ })).toBe(0);
    for (const other of [fresh(), fresh()]) await send(other, { text: 'Your code is own-code' });
    expect(await stored.contents.count({ text: /own-code/ })).toBe(1);
  });

  test('an attachment goes with the last person that got it', async () => {
    const [one, other] = [fresh(), fresh()];
    for (const email of [one, one, other]) await send(email, { text: 'T', ...pdf('bytes for two') });
    await stored.emails.changeAll({ status: 'queued' }, { $set: SENT, $unset: { dueAt: '' } });
    const blobs = () => stored.blobs.count();
    for (const [email, left] of [
      [one, 1],
      [other, 0],
    ] as const) {
      await remove(email);
      await erase(email);
      expect(await blobs()).toBe(left);
    }
  });

  test('an attachment that many got stays', async () => {
    const to = Array.from({ length: 21 }, fresh);
    for (const email of to) await send(email, { text: 'T', ...pdf('bytes for many') });
    await stored.emails.changeAll({ status: 'queued' }, { $set: SENT, $unset: { dueAt: '' } });
    await remove(to[0] ?? '');
    await erase(to[0] ?? '');
    expect((await stored.blobs.all()).map(({ owners }) => owners)).toEqual([undefined]);
  });
});
