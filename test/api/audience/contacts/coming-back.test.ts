import { aProject } from '../../../support/platform/app';
import { publicUrls } from '../../../support/calls/public-urls';
import { importCsv } from '../../../support/calls/imports';
import { storeEmail } from '../../../support/data/email-rows';
import { freshAddress } from '../../../support/data/people';
import { contactCalls } from './calls';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });
const { api, upsert, get } = contactCalls(() => app);

const bulk = (action: string, email: string) =>
  api()
    .post('/v1/contacts/bulk')
    .send({ action, emails: [email] })
    .expect(200);
const receive = (from: string) => api().post('/v1/inbound').send({ from, to: 'help@hello.test', subject: 'Hi', text: 'Hi' }).expect(201);
const send = async (to: string, more: object = {}) =>
  (
    await api()
      .post('/v1/send')
      .send({ to, from: 'a@hello.test', subject: 'S', text: 'T', ...more })
      .expect(200)
  ).body.data.results[0] as object;

const WAYS_OUT: Readonly<Record<string, (email: string) => Promise<unknown>>> = {
  'the API at its making': (email) => upsert(email, { subscribed: false }),
  'the API later': async (email) => {
    await upsert(email);
    await upsert(email, { subscribed: false }, 200);
  },
  'a bulk call': async (email) => {
    await upsert(email);
    await bulk('unsubscribe', email);
  },
  'an import': (email) => importCsv(app, `email,subscribed\n${email},no\n`),
  'inbound mail, never asked': receive,
  'a public key, never asked': (email) => app.api(app.keys.public).post('/v1/events').send({ name: 'visited', email }).expect(201),
  'the link': async (email) => {
    await upsert(email);
    const { _id } = await storeEmail(app.keys.projectId, { to: email, type: 'marketing', status: 'delivered' });
    await fetch(new URL(new URL(publicUrls(app.core, _id).unsubscribeUrl).pathname, app.url), { method: 'POST' });
  },
};

const WAYS_BACK: Readonly<Record<string, (email: string) => Promise<unknown>>> = {
  'a send': (email) => send(email),
  'the API': (email) => upsert(email, { firstName: 'Ada' }),
  'an import': (email) => importCsv(app, `email,firstName\n${email},Ada\n`),
  'an import that says subscribed': (email) => importCsv(app, `email,subscribed\n${email},yes\n`),
  'inbound mail': receive,
  'an event': (email) => api().post('/v1/events').send({ name: 'bought', email }).expect(201),
};

/** What each way out leaves is one row, which each way back reads: so each is tried with one of the others. */
const BOTH = [
  ...Object.keys(WAYS_OUT).map((out) => [out, 'the API'] as const),
  ...Object.keys(WAYS_BACK).flatMap((back) => (back === 'the API' ? [] : [['the link', back] as const])),
];

test.each(BOTH)('someone unsubscribed by %s, and deleted, who comes back by %s is not subscribed', async (out, back) => {
  const email = freshAddress();
  await WAYS_OUT[out]?.(email);
  await api().delete(`/v1/contacts/${email}`).expect(200);
  expect(await send(email, { type: 'marketing', createContact: false })).toMatchObject({ skipped: 'unsubscribed' });
  await WAYS_BACK[back]?.(email);
  expect(await get(email)).toMatchObject({ subscribed: false });
  expect(await send(email, { type: 'marketing' })).toMatchObject({ skipped: 'unsubscribed' });
});

test('someone deleted in bulk comes back as they were, and an explicit word subscribes', async () => {
  const [left, stayed] = [freshAddress(), freshAddress()];
  await upsert(left, { subscribed: false });
  await upsert(stayed);
  await api()
    .post('/v1/contacts/bulk')
    .send({ action: 'delete', emails: [left, stayed] })
    .expect(200);
  expect(await upsert(left)).toMatchObject({ subscribed: false });
  expect(await upsert(stayed)).toMatchObject({ subscribed: true });
  expect(await upsert(left, { subscribed: true }, 200)).toMatchObject({ subscribed: true });
  await api().delete(`/v1/contacts/${left}`).expect(200);
  expect(await upsert(left)).toMatchObject({ subscribed: true });
});

test('what is remembered of them is a suppression, by the hash of the address', async () => {
  const email = freshAddress();
  await upsert(email, { subscribed: false });
  await api().delete(`/v1/contacts/${email}`).expect(200);
  const { body } = await api().get('/v1/suppressions/check').query({ email }).expect(200);
  expect(body.data).toMatchObject({ suppressed: true, suppression: { reason: 'unsubscribe', source: 'api' } });
});
