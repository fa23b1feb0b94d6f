import request from 'supertest';
import { aProject } from '../../../support/platform/app';
import { importCsv } from '../../../support/calls/imports';
import { erasureCalls } from '../../../support/calls/erasures';
import { stored } from '../../../support/data/stored';
import { delivered } from '../../public/visits';
import { unsubscribeUrl } from '../../../../src/records/emails/urls';
import { contactCalls } from '../contacts/calls';

interface Entry {
  readonly entryId: string;
  readonly at: string;
  readonly kind: string | null;
  readonly source: string | null;
  readonly emailId: string | null;
  readonly text: string | null;
  readonly textHash: string | null;
  readonly proof: { readonly sequence: number; readonly previousHash: string | null; readonly hash: string };
}

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });
const { api, upsert, walk } = contactCalls(() => app);
const { erase, remove } = erasureCalls(() => app);
const post = (path: string) => request(app.url).post(path).expect(200);

let count = 0;
const fresh = (): string => `consent-${count++}@example.com`;
const consentOf = (which: string): Promise<Entry[]> => walk<Entry>(`/v1/contacts/${encodeURIComponent(which)}/consent`, { limit: 2 });
const kinds = async (which: string): Promise<unknown[]> => (await consentOf(which)).map(({ kind, source }) => [kind, source]);

async function verification(which: string): Promise<object> {
  const { body } = await api()
    .get(`/v1/contacts/${encodeURIComponent(which)}/consent/verification`)
    .expect(200);
  return body.data as object;
}

test('changes of the subscription over the API are in the ledger, newest first, and linked', async () => {
  const email = fresh();
  const { contactId } = await upsert(email);
  expect(await consentOf(email)).toEqual([]);
  await upsert(email, { subscribed: false }, 200);
  await upsert(email, { subscribed: false, firstName: 'A' }, 200);
  await api()
    .post('/v1/contacts/bulk')
    .send({ action: 'subscribe', contactIds: [contactId] })
    .expect(200);
  await importCsv(app, `email,subscribed\n${email},false\n`);
  const entries = await consentOf(contactId);
  expect(entries.map(({ kind, source }) => [kind, source])).toEqual([
    ['withdrawn', 'import'],
    ['changed', 'api'],
    ['withdrawn', 'api'],
  ]);
  const [third, second, first] = entries as [Entry, Entry, Entry];
  expect([first, second, third].map(({ proof }) => proof.sequence)).toEqual([1, 2, 3]);
  expect([first, second, third].map(({ proof }) => proof.previousHash)).toEqual([null, first.proof.hash, second.proof.hash]);
  expect(await verification(contactId)).toEqual({ intact: true, entries: 3, brokenAt: null });
});

test('an opt-out through a message, and taking it back, name the message; a repeat adds nothing', async () => {
  const email = fresh();
  await upsert(email);
  const message = await delivered(app, { to: email, type: 'marketing' });
  const path = unsubscribeUrl(app.core, message).slice(app.core.config.PUBLIC_URL.length);
  await post(path);
  await post(path);
  await post(`${path}/undo`);
  expect((await consentOf(email)).map(({ kind, source, emailId }) => [kind, source, emailId])).toEqual([
    ['changed', 'link', message._id],
    ['withdrawn', 'link', message._id],
  ]);
});

test('an opt-out of an address that is no contact is in the ledger of the address', async () => {
  const email = fresh();
  const message = await delivered(app, { to: email, type: 'marketing' });
  await post(unsubscribeUrl(app.core, message).slice(app.core.config.PUBLIC_URL.length));
  expect(await kinds(email)).toEqual([['withdrawn', 'link']]);
});

test('changes that race are linked one after another', async () => {
  const email = fresh();
  const { contactId } = await upsert(email);
  const calls = Array.from({ length: 12 }, (_, index) =>
    api()
      .post('/v1/contacts/bulk')
      .send({ action: index % 2 === 0 ? 'unsubscribe' : 'subscribe', contactIds: [contactId] })
      .expect(200),
  );
  await Promise.all(calls);
  const entries = await consentOf(contactId);
  const sequences = entries.map(({ proof }) => proof.sequence).sort((a, b) => a - b);
  expect(sequences).toEqual(sequences.map((_, index) => index + 1));
  expect(await verification(contactId)).toMatchObject({ intact: true, entries: entries.length });
});

test('a byte that was changed in the database is detected, and so is an entry that was removed', async () => {
  const email = fresh();
  await upsert(email);
  for (const subscribed of [false, true, false]) await upsert(email, { subscribed }, 200);
  const [last, middle] = (await consentOf(email)) as [Entry, Entry];
  await stored.consent.collection.updateOne({ _id: middle.entryId }, { $set: { source: 'form' } });
  expect(await verification(email)).toEqual({ intact: false, entries: 3, brokenAt: middle.entryId });
  await stored.consent.collection.updateOne({ _id: middle.entryId }, { $set: { source: 'api' } });
  expect(await verification(email)).toMatchObject({ intact: true });
  await stored.consent.collection.deleteOne({ _id: last.entryId });
  expect(await verification(email)).toEqual({ intact: false, entries: 2, brokenAt: 'head' });
});

test('the export has every entry of the project, with the address where it is a contact', async () => {
  const email = fresh();
  const { contactId } = await upsert(email);
  await upsert(email, { subscribed: false }, 200);
  const { text, headers } = await api().get('/v1/consent/export').expect(200);
  expect(headers['content-type']).toContain('text/csv');
  const [head = '', first = ''] = text.replace('\ufeff', '').split('\r\n');
  expect(head).toMatch(/^entryId,contactId,email,at,kind,topicId,source,ip,userAgent,formId,emailId,text,textHash,sequence,nonce,/);
  expect(first).toContain(`,${contactId},${email},`);
  expect(first).toContain(',withdrawn,,api,');
  const other = await api(app.otherKeys.secret).get('/v1/consent/export').expect(200);
  expect(other.text.trim().split('\r\n')).toHaveLength(1);
});

test('erasure keeps time and hashes, and the chain stays intact', async () => {
  const email = fresh();
  const { contactId } = await upsert(email);
  await upsert(email, { subscribed: false }, 200);
  const [before] = await consentOf(email);
  await remove(email);
  await erase(email);
  const [after] = await consentOf(contactId);
  const gone = { kind: null, source: null, emailId: null, text: null, ip: null, userAgent: null, topicId: null, formId: null };
  expect(after).toEqual({ ...before, ...gone, proof: { ...before?.proof, nonce: null } });
  expect(await verification(contactId)).toMatchObject({ intact: true, entries: 1 });
});

test('who is unknown, or of another project, is 404', async () => {
  const email = fresh();
  const { contactId } = await upsert(email);
  await upsert(email, { subscribed: false }, 200);
  for (const which of ['nobody@example.com', 'ctc_unknown']) await api().get(`/v1/contacts/${which}/consent`).expect(404);
  for (const path of ['', '/verification']) {
    await api(app.otherKeys.secret).get(`/v1/contacts/${contactId}/consent${path}`).expect(404);
  }
});

test('what is stored about a contact includes its consent', async () => {
  const email = fresh();
  await upsert(email);
  await upsert(email, { subscribed: false }, 200);
  const { body } = await api().get(`/v1/contacts/${email}/data`).expect(200);
  expect(body.data.consent).toMatchObject([{ kind: 'withdrawn', source: 'api' }]);
});

test('how network addresses are kept is a setting: hashed unless it is changed', async () => {
  const settings = async () => (await api().get('/v1/settings').expect(200)).body.data.consent as object;
  expect(await settings()).toEqual({ ip: 'hash' });
  await api()
    .patch('/v1/settings')
    .send({ consent: { ip: 'full' } })
    .expect(200);
  expect(await settings()).toEqual({ ip: 'full' });
  await api().patch('/v1/settings').send({ name: 'Same' }).expect(200);
  expect(await settings()).toEqual({ ip: 'full' });
  const { body } = await api()
    .patch('/v1/settings')
    .send({ consent: { ip: 'some' } })
    .expect(422);
  expect(body.details).toMatchObject([{ path: 'consent.ip', code: 'invalid_enum_value' }]);
});

test('what a person says about a topic is in the ledger; saying it again is not', async () => {
  const email = fresh();
  await upsert(email);
  const { body } = await api()
    .post('/v1/topics')
    .send({ key: `news_${count++}`, name: 'News', defaultSubscription: 'in', visibility: 'public' })
    .expect(201);
  const { topicId } = body.data as { readonly topicId: string };
  for (const subscribed of [true, false, false, true]) {
    await api()
      .patch(`/v1/contacts/${email}/topics`)
      .send({ topics: [{ topicId, subscribed }] })
      .expect(200);
  }
  expect(await walk<object>(`/v1/contacts/${email}/consent`, {})).toMatchObject([
    { kind: 'changed', source: 'api', topicId },
    { kind: 'withdrawn', source: 'api', topicId },
    { kind: 'changed', source: 'api', topicId },
  ]);
});
