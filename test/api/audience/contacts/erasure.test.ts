import mongoose from 'mongoose';
import { erasureWorkflowId } from '../../../../src/contracts/removals';
import { emit } from '../../../../src/records/events/emit';
import { deferredEventId } from '../../../../src/rules/email-events';
import { recordHits } from '../../../../src/sending/tracking/record';
import { inTransaction } from '../../../../src/platform/mongo/transaction';
import { aProject } from '../../../support/platform/app';
import { activate, chain, hour } from '../../../support/calls/automations';
import { hit } from '../../../support/calls/campaigns';
import { importCsv } from '../../../support/calls/imports';
import { scheduled, storeEmails } from '../../../support/data/email-rows';
import { SENT, erasureCalls } from '../../../support/calls/erasures';
import { queryPlans } from '../../../support/checks/query-plans';
import { documentsWith } from '../../../support/checks/traces';
import { contactCalls } from './calls';
import { stored } from '../../../support/data/stored';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });
let workflowId: string | undefined;

afterEach(() => jest.restoreAllMocks());

const { api, upsert } = contactCalls(() => app);
const { turn, erasureOf, fresh, remove, hashed, rowOf, erase } = erasureCalls(() => app);

/** A person with traces of many kinds. */
async function person(): Promise<{ readonly email: string; readonly contactId: string; readonly ids: readonly string[] }> {
  const email = fresh();
  const { projectId } = app.keys;
  const { contactId } = await upsert(email, { firstName: 'Dora', data: { plan: 'secret-plan' } });
  await api().post('/v1/suppressions').send({ email, reason: 'unsubscribe', note: 'Dora asked by phone' }).expect(201);
  const attachments = [{ filename: 'dora.pdf', contentType: 'application/pdf', size: 3, blobId: `blob ${email}` }];
  await stored.blobs.collection.insertOne({
    _id: `blob ${email}`,
    projectId,
    bytes: Buffer.from('secret-bytes'),
    owners: [contactId],
    usedAt: new Date(),
  });
  const said = { to: email, contactId, toName: 'Dora Stein', subject: 'For Dora', values: '{"firstName":"Dora","plan":"secret-plan"}' };
  const rows = await storeEmails(
    projectId,
    { ...said, ...SENT, attachments },
    { ...said, status: 'bounced', bouncedAt: new Date(), error: `550 <${email}> unknown` },
    { ...said, ...SENT, contactId: null, attempts: 3 },
    { ...said, ...scheduled() },
  );
  const event = { projectId, contactId, testMode: false, at: new Date() };
  await inTransaction((session) =>
    emit(session, [
      { ...event, name: 'ordered', data: { what: 'secret-plan' } },
      {
        ...event,
        name: 'email.bounced',
        emailId: rows[1]?._id ?? null,
        data: { source: 'transactional', reason: `550 <${email}> unknown` },
      },
      {
        ...event,
        contactId: null,
        name: 'email.sent',
        emailId: rows[2]?._id ?? null,
        at: rows[2]?.sentAt ?? event.at,
        data: { response: `250 <${email}>` },
      },
      ...[1, 2].map((attempt) => ({
        ...event,
        id: deferredEventId(rows[2]?._id ?? '', attempt),
        contactId: null,
        name: 'email.deferred',
        emailId: rows[2]?._id ?? null,
        data: { reason: `451 <${email}> later` },
      })),
    ]),
  );
  await recordHits([hit(rows[0]?._id ?? '', 'https://example.com/?plan=secret-plan', 'bot')], true);
  workflowId ??= await activate(app, chain(hour), { trigger: 'event:never' });
  await api()
    .post(`/v1/workflows/${workflowId}/enroll`)
    .send({ email, data: { what: 'secret-plan' } })
    .expect(201);
  return { email, contactId, ids: rows.map(({ _id }) => _id) };
}

const WORDS = ['dora', 'stein', 'secret-plan', 'secret-bytes', encodeURIComponent('@example.com')];

test('an erasure leaves nothing but what happened, and when', async () => {
  const { email, contactId, ids } = await person();
  const [delivered = '', bounced = '', , waiting = ''] = ids;
  await remove(email);
  expect(await erase(email)).toMatchObject({ status: 'completed', open: 0, contacts: 1 });
  expect(await documentsWith(WORDS)).toEqual([]);
  const to = await hashed(email);
  expect(await rowOf(delivered)).toMatchObject({
    to,

    status: 'sent',
    sentAt: SENT.sentAt,
    subject: '',
    values: '{}',
    erased: true,
  });
  expect(await rowOf(bounced)).toMatchObject({ to, status: 'bounced', bouncedAt: expect.any(Date) as Date });
  expect(await rowOf(waiting)).toMatchObject({ to, status: 'cancelled' });
  const events = await stored.events.all({ emailId: bounced });
  expect(events).toEqual([expect.objectContaining({ name: 'email.bounced', contactId: null, data: { source: 'transactional' } })]);
  expect(await stored.events.one({ name: 'ordered' })).toMatchObject({ contactId: null, data: null });
  expect(await stored.blobs.count()).toBe(0);
  expect(await stored.executions.one({})).toMatchObject({ status: 'cancelled', email: null, data: '{}' });
  expect(await erasureOf(email)).toMatchObject({
    contactId,
    status: 'completed',
    contacts: 1,
    open: 0,
    finishedAt: expect.any(String) as string,
    erased: { scheduledEmails: 1, emails: 4, suppressions: 1 },
  });
  expect((await api().get('/v1/suppressions').expect(200)).body.data).toEqual([
    expect.objectContaining({ email: to, reason: 'unsubscribe' }),
  ]);
});

test('a second erasure deletes a note that was written since the first', async () => {
  const email = fresh();
  await api().post('/v1/suppressions').send({ email }).expect(201);
  const eraseAnew = async (): Promise<void> => {
    await upsert(email);
    await remove(email);
    await erase(email);
  };
  await eraseAnew();
  await api().patch(`/v1/suppressions/${email}`).send({ note: 'Dora called again' }).expect(200);
  await eraseAnew();
  const { suppression } = (await api().get(`/v1/suppressions/${email}`).expect(200)).body.data;
  expect([suppression.email, suppression.note]).toEqual([await hashed(email), undefined]);
});

test('an erasure reaches what others got, what waits at endpoints, and cells with more than an address', async () => {
  const email = fresh();
  const other = 'someone.else@example.com';
  const { projectId } = app.keys;
  const { contactId } = await upsert(email);
  const { contactId: otherId } = await upsert(other);
  const answers = { replyTo: email, replyToName: 'Dora Stein' };
  const [outbound, , inbound] = await storeEmails(
    projectId,
    { to: other, contactId: otherId, ...SENT, ...answers },
    { to: other, contactId: otherId, ...scheduled(), ...answers },
    { source: 'inbound', status: 'received', to: 'in@inbox.test', fromEmail: other, contactId: otherId, ...answers },
  );
  const event = { projectId, contactId: otherId, testMode: false };
  const received = { ...event, name: 'email.received', emailId: inbound?._id ?? null, at: inbound?.createdAt ?? new Date() };
  await inTransaction((session) => emit(session, [{ ...received, data: { source: 'inbound', replyTo: email } }]));
  const body = JSON.stringify({ data: { email: { replyTo: email }, contact: { firstName: 'Dora' } } });
  const delivery = {
    projectId,
    webhookId: 'whk_1',
    eventName: 'email.sent',
    createdAt: new Date(),
    attempts: 3,
    sequence: 1,
    responseBody: body,
    body,
  };
  const due = { status: 'pending', nextAttemptAt: new Date(), dueAt: new Date() } as const;
  await stored.deliveries.make([
    { ...delivery, _id: 'whd_1', eventId: 'evt_1', contactId, ...due },
    { ...delivery, _id: 'whd_2', eventId: 'evt_2', contactId: otherId, status: 'succeeded' },
    { ...delivery, _id: 'whd_3', eventId: 'evt_3', contactId: otherId, ...due },
  ]);
  const copied = { to: email, cc: [other], from: 'a@hello.test', subject: 'For Dora', html: '<p>Dora Stein</p>' };
  await api().post('/v1/send').send(copied).expect(200);
  await stored.emails.changeAll({ subject: 'For Dora' }, { $set: SENT, $unset: { dueAt: '' } });
  await importCsv(app, `email,locale\n"Dora Stein <${email}>",\n"${email.toUpperCase()};",\n`);
  expect(await documentsWith([email])).not.toEqual([]);

  await remove(email);
  expect(await erase(email)).toMatchObject({ status: 'completed' });
  expect(await documentsWith([email, ...WORDS.filter((word) => !word.includes('example'))])).toEqual([]);
  expect(await stored.deliveries.all({ _id: { $in: ['whd_1', 'whd_3'] } })).toMatchObject([
    { status: 'failed', body: null, nextAttemptAt: null },
    { status: 'failed', body: null, nextAttemptAt: null },
  ]);
  expect(await stored.deliveries.one('whd_2')).toMatchObject({ status: 'succeeded', body: null, responseBody: null });
  expect(await rowOf(outbound?._id ?? '')).toMatchObject({ to: other, subject: 'Hello Ada' });
});

/** Every write that changes rows goes through one of these. */
const WRITES = ['updateOne', 'updateMany', 'deleteOne', 'deleteMany', 'insertOne', 'insertMany', 'bulkWrite'] as const;

/** Fails at the n-th write. Resolves to whether so many were made. */
async function failingAt(n: number, work: () => Promise<unknown>): Promise<boolean> {
  const { prototype } = mongoose.mongo.Collection as unknown as { prototype: Record<string, (...args: unknown[]) => Promise<unknown>> };
  const writes = Object.fromEntries(WRITES.map((name) => [name, prototype[name] as (...args: unknown[]) => Promise<unknown>]));
  let count = 0;
  for (const name of WRITES) {
    prototype[name] = async function (this: unknown, ...args: unknown[]) {
      if (++count === n) throw new Error('killed');
      return writes[name]?.apply(this, args);
    };
  }
  try {
    await work().catch(() => undefined);
  } finally {
    Object.assign(prototype, writes);
  }
  return count >= n;
}

test('an erasure reaches what mail under way left after its last batch was scheduled', async () => {
  const { email, contactId } = await person();
  await remove(email);
  const { erasureId } = await erasureOf(email);
  await turn(erasureId);
  await stored.erasures.change(erasureId, { before: new Date(Date.now() - 60_000) });
  const { projectId } = app.keys;
  const delivered = {
    projectId,
    contactId,
    name: 'email.delivered',
    data: { response: `250 <${email}>` },
    testMode: false,
    at: new Date(),
  };
  await inTransaction((session) => emit(session, [delivered]));
  expect(await turn(erasureId, -5_000)).toMatchObject({ status: 'completed' });
  expect(await documentsWith([email])).toEqual([]);
});

test('an erasure finishes though it is killed between any two of its writes', async () => {
  const emails: string[] = [];
  let reached = true;
  let n = 0;
  for (; reached; n++) {
    const { email } = await person();
    emails.push(email);
    await remove(email);
    const { erasureId } = await erasureOf(email);
    reached = await failingAt(n + 1, () => turn(erasureId, 60_000));
    let progress = await turn(erasureId, 60_000);
    for (let turns = 0; progress.status !== 'completed' && turns < 5; turns++) progress = await turn(erasureId, 120_000);
    expect([n, progress.status]).toEqual([n, 'completed']);
  }
  expect(await documentsWith([...emails, 'secret-plan'])).toEqual([]);
  expect(n).toBeGreaterThan(12);
}, 900_000);

test('the workflow of an erasure is wanted in the transaction of the deletion, and knows ids alone', async () => {
  const email = fresh();
  const { contactId } = await upsert(email);
  await remove(email);
  const { erasureId } = await erasureOf(email);
  const { projectId } = app.keys;
  expect(app.processes.start).toHaveBeenCalledWith({
    kind: 'start',
    workflow: 'erasure',
    workflowId: erasureWorkflowId(erasureId),
    input: { erasureId, projectId },
    summary: 'Erasure of a deleted contact',
    attributes: { projectId, contactId },
    lasts: true,
  });
  jest.spyOn(app.core.processes, 'start').mockRejectedValueOnce(new Error('Temporal is away'));
  const other = fresh();
  await upsert(other);
  await remove(other);
  const wanted = erasureWorkflowId((await erasureOf(other)).erasureId);
  expect(await stored.outbox.one(wanted)).toMatchObject({ _id: wanted });
});

test('contacts that are deleted together are erased together', async () => {
  const emails = [fresh(), fresh(), fresh()];
  for (const email of emails) await upsert(email);
  await storeEmails(app.keys.projectId, ...emails.map((to) => ({ to, ...SENT })));
  await api().post('/v1/contacts/bulk').send({ action: 'delete', emails }).expect(200);
  const [first, ...others] = await Promise.all(emails.map(async (email) => await erasureOf(email)));
  expect(new Set(others.map(({ erasureId }) => erasureId))).toEqual(new Set([first?.erasureId]));
  expect(await erase(emails[0] ?? '')).toMatchObject({ status: 'completed', contacts: 3 });
  expect(await stored.emails.count({ to: { $in: await Promise.all(emails.map(hashed)) } })).toBe(3);
});

test('an erasure is hidden from other projects, and 404 where no contact was deleted', async () => {
  const email = fresh();
  await upsert(email);
  await api().get(`/v1/contacts/${email}/erasure`).expect(404);
  await remove(email);
  await api(app.otherKeys.secret).get(`/v1/contacts/${email}/erasure`).expect(404);
  expect(await stored.erasures.count({ addresses: new RegExp(email) })).toBe(0);
});

test('erasures read along indexes', async () => {
  const email = fresh();
  await upsert(email);
  await storeEmails(app.keys.projectId, { to: email, ...SENT });
  await remove(email);
  const collections = [
    'emails',
    'events',
    'erasures',
    'campaigns',
    'campaign_recipients',
    'contact_imports',
    'suppressions',
    'webhook_deliveries',
  ];
  const plans = (await queryPlans(collections, () => erase(email))).map(({ plan }) => plan);
  expect(plans).toContain('IXSCAN { projectId: 1, to: 1, createdAt: -1, _id: -1 }');
  for (const plan of plans) expect(plan).toMatch(/^(IXSCAN|IDHACK|DISTINCT_SCAN)/);
});
