import { newId } from '../../../../src/platform/core/ids';
import { aProject } from '../../../support/platform/app';
import { activate, chain, hour } from '../../../support/calls/automations';
import { storeSegment } from '../../../support/calls/campaigns';
import { storeEmails } from '../../../support/data/email-rows';
import { importCsv } from '../../../support/calls/imports';
import { contactCalls } from './calls';
import { stored } from '../../../support/data/stored';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });

const { api, upsert } = contactCalls(() => app);
const dataOf = async (which: string) =>
  (await api().get(`/v1/contacts/${which}/data`).expect(200).expect('Content-Type', /json/)).body.data;

test('the export of a contact’s data shows all that is held about it, and nothing of others', async () => {
  const { projectId } = app.keys;
  const [email, other] = ['ada@example.com', 'bob@example.com'];
  const { contactId } = await upsert(email, { firstName: 'Ada', data: { plan: 'pro' } });
  const { contactId: otherId } = await upsert(other);
  const segmentId = await storeSegment(projectId, [contactId]);
  await api().post('/v1/suppressions').send({ email }).expect(201);
  const [mine, contactless] = await storeEmails(
    projectId,
    { to: email, contactId },
    { to: email, contactId: null },
    { to: other, contactId: otherId },
  );
  await api()
    .post('/v1/events')
    .send({ name: 'ordered', contactId, data: { total: 3 } })
    .expect(201);
  const inbound = { from: email, to: 'help@hello.test', subject: 'Help', text: 'My words' };
  await api().post('/v1/inbound').send(inbound).expect(201);
  const workflowId = await activate(app, chain(hour));
  await api()
    .post(`/v1/workflows/${workflowId}/enroll`)
    .send({ email, data: { total: 3 } })
    .expect(201);
  await importCsv(app, `email,locale\n${email},no-locale-at-all-x\n`);
  const data = await dataOf(email);
  expect(data).toMatchObject({
    contact: { contactId, email, firstName: 'Ada', data: { plan: 'pro' }, optedOutAt: null },
    suppression: { email, reason: 'manual' },
    segments: [{ segmentId }],
    importErrors: [{ row: 1, email }],
    inbound: [{ subject: 'Help', text: 'My words' }],
    executions: [{ automationId: workflowId, data: '{"total":3}' }],
    truncated: [],
  });
  const emails = data.emails as { emailId: string; html: string; values: string }[];
  expect(emails.map(({ emailId }) => emailId).sort()).toEqual([mine?._id, contactless?._id].sort());
  expect(emails[0]).toMatchObject({ html: expect.stringContaining('Hi Ada') as string, values: '{"firstName":"Ada"}' });
  expect((data.events as { name: string }[]).map(({ name }) => name)).toEqual(
    expect.arrayContaining(['contact.created', 'ordered', 'email.received']),
  );
  expect(JSON.stringify(data)).not.toContain(other);
  expect(await dataOf(contactId)).toMatchObject({ contact: { contactId } });
});

test('a list that is longer than the limit says so', async () => {
  const { contactId } = await upsert('many@example.com');
  const { projectId } = app.keys;
  const at = new Date();
  const event = { projectId, contactId, emailId: null, name: 'seen', data: null, testMode: false, createdAt: at, receivedAt: at, depth: 0 };
  await stored.events.collection.insertMany(Array.from({ length: 10_001 }, () => ({ _id: newId('evt') as never, ...event })));
  const { events, truncated } = (await dataOf(contactId)) as { events: object[]; truncated: string[] };
  expect([events.length, truncated]).toEqual([10_000, ['events']]);
});

test('the export of a contact’s data is 404 for an unknown contact, and for the contact of another project', async () => {
  await api().get('/v1/contacts/nobody@example.com/data').expect(404);
  await api(app.otherKeys.secret).get('/v1/contacts/ada@example.com/data').expect(404);
});
