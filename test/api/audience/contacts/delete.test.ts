import { ContactErasureModel } from '../../../../src/audience/contacts/erasure-model';
import { sweepErasures } from '../../../../src/audience/contacts/erasures';
import { ContactModel } from '../../../../src/audience/contacts/model';
import { ContentModel } from '../../../../src/records/emails/content-model';
import { EmailModel } from '../../../../src/records/emails/model';
import type { Email } from '../../../../src/records/emails/model';
import { EventModel } from '../../../../src/records/events/model';
import type { Event } from '../../../../src/records/events/model';
import { newId } from '../../../../src/platform/core/ids';
import { SegmentMemberModel } from '../../../../src/audience/segments/member-model';
import { aProject } from '../../../support/app';
import { storeEmails } from '../../../support/email-rows';
import { queryPlans } from '../../../support/query-plans';
import { contactCalls } from './calls';

const app = aProject();
let count = 0;

afterEach(() => jest.restoreAllMocks());

const { api, upsert, emitted } = contactCalls(() => app);
const freshAddress = (): string => `person${++count}@example.com`;
const remove = (which: string) => api().delete(`/v1/contacts/${encodeURIComponent(which)}`);
const later = (seconds: number): Date => new Date(Date.now() + seconds * 1_000);

const enter = (segmentId: string, contactId: string) =>
  SegmentMemberModel.collection.insertOne({
    _id: `${segmentId}:${contactId}`,
    projectId: app.keys.projectId,
    segmentId,
    contactId,
    enteredAt: new Date(),
    contactCreatedAt: new Date(),
  } as never);
const membershipsOf = (contactId: string) => SegmentMemberModel.countDocuments({ contactId });
const eventsOf = (contactId: string) => EventModel.find({ contactId }).lean<Event[]>();
const emailOf = (id: string) => EmailModel.findById(id).lean<Email>();

test.each(['id', 'address'])('by %s removes the contact and its memberships, and leaves its e-mails and events without it', async (by) => {
  const email = freshAddress();
  const { contactId } = await upsert(email, { data: { plan: 'pro' } });
  await enter('seg_a', contactId);
  await enter('seg_b', contactId);
  const [sent] = await storeEmails(app.keys.projectId, { contactId, to: email });
  const [created] = await eventsOf(contactId);
  const { body } = await remove(by === 'id' ? contactId : email).expect(200);
  expect(body).toEqual({ success: true, data: { success: true } });
  await api().get(`/v1/contacts/${contactId}`).expect(404);
  expect(await membershipsOf(contactId)).toBe(0);
  expect(await emailOf(sent?._id ?? '')).toMatchObject({ contactId: null, to: email });
  expect(await EventModel.findById(created?._id).lean<Event>()).toMatchObject({ name: 'contact.created', contactId: null });
  expect(await emitted(contactId)).toEqual([{ name: 'contact.deleted', data: { source: 'api', contactId }, testMode: false }]);
  await remove(contactId).expect(404);
  expect(await emitted(contactId)).toHaveLength(1);
});

test('is emitted once when many ask at once', async () => {
  const { contactId } = await upsert(freshAddress());
  const answers = await Promise.all(Array.from({ length: 10 }, () => remove(contactId)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(9).fill(404)]);
  expect(await emitted(contactId)).toHaveLength(1);
  expect(await ContactErasureModel.countDocuments({ contactId })).toBe(1);
});

test('is finished by the sweep when the process died after the commit, once what was in the middle has settled', async () => {
  const { contactId } = await upsert(freshAddress());
  const [sent] = await storeEmails(app.keys.projectId, { contactId });
  jest.spyOn(EmailModel.collection, 'updateMany').mockRejectedValueOnce(new Error('killed'));
  await remove(contactId).expect(200);
  expect((await emailOf(sent?._id ?? ''))?.contactId).toBe(contactId);
  await enter('seg_late', contactId);
  await ContactErasureModel.updateOne({ contactId }, { $set: { before: new Date() } });
  // What earlier tests left may be due by then.
  await ContactErasureModel.deleteMany({ contactId: { $ne: contactId } });
  expect(await sweepErasures(app.core, later(20))).toBe(0);
  expect(await sweepErasures(app.core, later(40))).toBeGreaterThan(0);
  expect((await emailOf(sent?._id ?? ''))?.contactId).toBeNull();
  expect((await eventsOf(contactId)).map(({ name }) => name)).toEqual(['contact.deleted']);
  expect(await membershipsOf(contactId)).toBe(0);
  expect(await ContactErasureModel.countDocuments({ contactId })).toBe(0);
  expect(await sweepErasures(app.core, later(40))).toBe(0);
});

test('does not touch what belongs to a contact made anew', async () => {
  const email = freshAddress();
  const { contactId } = await upsert(email, { data: { old: 1 } });
  await remove(contactId).expect(200);
  const anew = await upsert(email);
  expect(anew).toMatchObject({ contactId, data: null });
  const [sent] = await storeEmails(app.keys.projectId, { contactId, createdAt: later(1) });
  await SegmentMemberModel.collection.insertOne({
    _id: `seg_new:${contactId}`,
    projectId: app.keys.projectId,
    segmentId: 'seg_new',
    contactId,
    enteredAt: later(1),
    contactCreatedAt: new Date(),
  } as never);
  await sweepErasures(app.core, later(60));
  expect((await emailOf(sent?._id ?? ''))?.contactId).toBe(contactId);
  expect((await eventsOf(contactId)).map(({ name }) => name).sort()).toEqual(['contact.created', 'contact.deleted']);
  expect(await membershipsOf(contactId)).toBe(1);
  const { body } = await api().get(`/v1/contacts/${contactId}/timeline`).expect(200);
  expect((body.data as { name: string }[]).map(({ name }) => name).sort()).toEqual(['contact.created', 'email.queued']);
});

test('reaches what had read the contact and was written after its deletion', async () => {
  const email = freshAddress();
  const { contactId } = await upsert(email);
  const contents = ContentModel.collection;
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

test('reads along indexes', async () => {
  const { contactId } = await upsert(freshAddress());
  const plansOf = (collection: string) => queryPlans(collection, () => sweepErasures(app.core, later(60)));
  for (const collection of [
    'contact_erasures',
    'contacts',
    'emails',
    'events',
    'event_groups',
    'automation_executions',
    'segment_members',
  ]) {
    await ContactErasureModel.create({ _id: newId('era'), projectId: app.keys.projectId, contactId, before: new Date() });
    const plans = await plansOf(collection);
    expect(plans.length).toBeGreaterThan(0);
    for (const { plan, sorted } of plans)
      expect({ plan, sorted }).toEqual({ plan: expect.stringMatching(/IXSCAN|IDHACK|DISTINCT_SCAN/), sorted: false });
  }
  expect(await ContactModel.countDocuments({ _id: contactId })).toBe(1);
});
