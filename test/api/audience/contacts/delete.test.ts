import { sweepErasures } from '../../../../src/audience/contacts/erasures';
import { newId } from '../../../../src/platform/core/ids';
import { aProject } from '../../../support/platform/app';
import { storeEmail } from '../../../support/data/email-rows';
import { queryPlans } from '../../../support/checks/query-plans';
import { contactCalls } from './calls';
import { stored } from '../../../support/data/stored';
import { freshAddress } from '../../../support/data/people';

const app = aProject();

afterEach(() => jest.restoreAllMocks());

const { api, upsert, emitted } = contactCalls(() => app);
const remove = (which: string) => api().delete(`/v1/contacts/${encodeURIComponent(which)}`);
const later = (seconds: number): Date => new Date(Date.now() + seconds * 1_000);

const enter = (segmentId: string, contactId: string) =>
  stored.members.collection.insertOne({
    _id: `${segmentId}:${contactId}`,
    projectId: app.keys.projectId,
    segmentId,
    contactId,
    enteredAt: new Date(),
    contactCreatedAt: new Date(),
  });
const membershipsOf = (contactId: string) => stored.members.count({ contactId });
const eventsOf = (contactId: string) => stored.events.all({ contactId });
const emailOf = (id: string) => stored.emails.one(id);

test.each(['id', 'address'])('deleting by %s removes a contact and memberships, and leaves e-mails and events without it', async (by) => {
  const email = freshAddress();
  const { contactId } = await upsert(email, { data: { plan: 'pro' } });
  await enter('seg_a', contactId);
  await enter('seg_b', contactId);
  const sent = await storeEmail(app.keys.projectId, { contactId, to: email });
  const [created] = await eventsOf(contactId);
  const { body } = await remove(by === 'id' ? contactId : email).expect(200);
  expect(body).toEqual({ success: true, data: { success: true } });
  await api().get(`/v1/contacts/${contactId}`).expect(404);
  expect(await membershipsOf(contactId)).toBe(0);
  expect(await emailOf(sent._id)).toMatchObject({ contactId: null, to: email });
  expect(await stored.events.one(created?._id)).toMatchObject({ name: 'contact.created', contactId: null });
  expect(await emitted(contactId)).toEqual([{ name: 'contact.deleted', data: { source: 'api', contactId }, testMode: false }]);
  await remove(contactId).expect(404);
  expect(await emitted(contactId)).toHaveLength(1);
});

test('the deletion of a contact is emitted once when many ask at once', async () => {
  const { contactId } = await upsert(freshAddress());
  const answers = await Promise.all(Array.from({ length: 10 }, () => remove(contactId)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(9).fill(404)]);
  expect(await emitted(contactId)).toHaveLength(1);
  expect(await stored.contactErasures.count({ contactId })).toBe(1);
});

test('a deletion whose process died after the commit is finished by the sweep, once writes under way have ended', async () => {
  const { contactId } = await upsert(freshAddress());
  const sent = await storeEmail(app.keys.projectId, { contactId });
  jest.spyOn(stored.emails.collection, 'updateMany').mockRejectedValueOnce(new Error('killed'));
  await remove(contactId).expect(200);
  expect((await emailOf(sent._id))?.contactId).toBe(contactId);
  await enter('seg_late', contactId);
  await stored.contactErasures.change({ contactId }, { before: new Date() });
  // What earlier tests left may be due by then.
  await stored.contactErasures.remove({ contactId: { $ne: contactId } });
  expect(await sweepErasures(app.core, later(20))).toBe(0);
  expect(await sweepErasures(app.core, later(40))).toBeGreaterThan(0);
  expect((await emailOf(sent._id))?.contactId).toBeNull();
  expect((await eventsOf(contactId)).map(({ name }) => name)).toEqual(['contact.deleted']);
  expect(await membershipsOf(contactId)).toBe(0);
  expect(await stored.contactErasures.count({ contactId })).toBe(0);
  expect(await sweepErasures(app.core, later(40))).toBe(0);
});

test('a deletion does not touch what belongs to a contact made anew', async () => {
  const email = freshAddress();
  const { contactId } = await upsert(email, { data: { old: 1 } });
  await remove(contactId).expect(200);
  const anew = await upsert(email);
  expect(anew).toMatchObject({ contactId, data: null });
  const sent = await storeEmail(app.keys.projectId, { contactId, createdAt: later(1) });
  await stored.members.collection.insertOne({
    _id: `seg_new:${contactId}`,
    projectId: app.keys.projectId,
    segmentId: 'seg_new',
    contactId,
    enteredAt: later(1),
    contactCreatedAt: new Date(),
  });
  await sweepErasures(app.core, later(60));
  expect((await emailOf(sent._id))?.contactId).toBe(contactId);
  expect((await eventsOf(contactId)).map(({ name }) => name).sort()).toEqual(['contact.created', 'contact.deleted']);
  expect(await membershipsOf(contactId)).toBe(1);
  const { body } = await api().get(`/v1/contacts/${contactId}/timeline`).expect(200);
  expect((body.data as { name: string }[]).map(({ name }) => name).sort()).toEqual(['contact.created', 'email.queued']);
});

test('a deletion reaches what had read the contact and was written afterwards', async () => {
  const email = freshAddress();
  const { contactId } = await upsert(email);
  const contents = stored.contents.collection;
  const insertOne = contents.insertOne.bind(contents);
  jest.spyOn(contents, 'insertOne').mockImplementationOnce(async (...args) => {
    await remove(contactId).expect(200);
    return insertOne(...args);
  });
  const message = { to: [email, freshAddress()], from: 'hello@hello.test', subject: 'Hello', text: email, createContact: false };
  const { body } = await api(app.keys.test).post('/v1/send').send(message).expect(200);
  const id = body.data.results[0].id as string;
  expect((await emailOf(id))?.contactId).toBe(contactId);
  await enter('seg_while', contactId);
  await sweepErasures(app.core, later(60));
  expect((await emailOf(id))?.contactId).toBeNull();
  expect((await eventsOf(contactId)).map(({ name }) => name)).toEqual(['contact.deleted']);
  expect(await membershipsOf(contactId)).toBe(0);
});

test('deletions of contacts read along indexes', async () => {
  const { contactId } = await upsert(freshAddress());
  const plansOf = (collection: string) => queryPlans(collection, () => sweepErasures(app.core, later(60)));
  for (const collection of ['contact_erasures', 'contacts', 'emails', 'events', 'automation_executions', 'segment_members']) {
    await stored.contactErasures.make({ _id: newId('era'), projectId: app.keys.projectId, contactId, before: new Date() });
    const plans = await plansOf(collection);
    expect(plans.length).toBeGreaterThan(0);
    for (const { plan, sorted } of plans)
      expect({ plan, sorted }).toEqual({ plan: expect.stringMatching(/IXSCAN|IDHACK|DISTINCT_SCAN/), sorted: false });
  }
  expect(await stored.contacts.count({ _id: contactId })).toBe(1);
});
