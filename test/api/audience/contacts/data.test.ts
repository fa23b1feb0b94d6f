import { EmailModel } from '../../../../src/records/emails/model';
import { storedDataOf } from '../../../../src/upkeep/erasure/stored-data';
import type { Context } from '../../../../src/platform/core/context';
import { newId } from '../../../../src/platform/core/ids';
import { timeLimits } from '../../../support/checks/query-plans';
import { aProject } from '../../../support/platform/app';
import { activate, chain, hour } from '../../../support/calls/automations';
import { storeSegment } from '../../../support/calls/campaigns';
import { storeEmails } from '../../../support/data/email-rows';
import { importCsv } from '../../../support/calls/imports';
import { eventually } from '../../../support/platform/platform';
import { contactCalls } from './calls';
import { theProjectOf } from '../../../support/data/projects';
import { stored } from '../../../support/data/stored';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });

const project = theProjectOf(app);
afterEach(() => jest.restoreAllMocks());

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
  await importCsv(app, `email,subscribed\n${email},perhaps\n`);
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
  await stored.events.collection.insertMany(Array.from({ length: 10_001 }, () => ({ _id: newId('evt'), ...event })));
  const { events, truncated } = (await dataOf(contactId)) as { events: object[]; truncated: string[] };
  expect([events.length, truncated]).toEqual([10_000, ['events']]);
});

test('the export of a contact’s data is 404 for an unknown contact, and for the contact of another project', async () => {
  await api().get('/v1/contacts/nobody@example.com/data').expect(404);
  await api(app.otherKeys.secret).get('/v1/contacts/ada@example.com/data').expect(404);
});

/** Stores so many messages to an address whose bodies have so many characters, and as many from it. */
async function storeLarge(email: string, count: number, characters: number): Promise<void> {
  const inline = { subject: 'Hello', html: `<p>é"${'x'.repeat(characters)}</p>`, text: null, previewText: null };
  for (let index = 0; index < count; index++) {
    await storeEmails(app.keys.projectId, { to: email, inline }, { to: 'help@hello.test', fromEmail: email, source: 'inbound', inline });
  }
}

function held(which: string): ReturnType<typeof storedDataOf> {
  const ctx: Context = { core: app.core, projectId: project._id, project, testMode: false, keyKind: 'secret', requestId: 'r' };
  return storedDataOf(ctx, which);
}

test('the export of a contact’s data is one JSON document, whatever the size of its rows', async () => {
  for (const [count, characters] of [
    [0, 0],
    [1, 10],
    [120, 700],
    [3, 200_000],
  ] as const) {
    const { email } = await upsert(`size${characters}@example.com`);
    await storeLarge(email, count, characters);
    let text = '';
    for await (const piece of await held(email)) text += String(piece);
    const document = JSON.parse(text) as { data: { emails: object[]; inbound: object[] } };
    expect(text).toBe(`${JSON.stringify(document)}\n`);
    expect([document.data.emails.length, document.data.inbound.length]).toEqual([count, count]);
  }
});

test('large messages are read one at a time, and no further than the client takes them', async () => {
  const { email } = await upsert('slow@example.com');
  await storeLarge(email, 12, 500_000);
  const reading = jest.spyOn(EmailModel, 'findOne');
  const answer = await held(email);
  const sizes: number[] = [];
  for await (const piece of answer) {
    sizes.push((piece as Buffer).length);
    // Those that were taken, and what the two streams between hold.
    expect(reading.mock.calls.length).toBeLessThanOrEqual(sizes.filter((size) => size > 500_000).length + 3);
  }
  expect(reading).toHaveBeenCalledTimes(24);
  expect(Math.max(...sizes)).toBeLessThan(1_500_000);
});

test('every read of the export of a contact’s data has a limit', async () => {
  const { email } = await upsert('limits@example.com');
  await storeLarge(email, 2, 10);
  for (const collection of ['emails', 'events', 'contact_notes', 'automation_executions', 'webhook_deliveries', 'suppressions']) {
    const limits = await timeLimits(collection, () => dataOf(email));
    expect(limits.length).toBeGreaterThan(0);
    for (const limit of limits) expect(limit).toBeLessThanOrEqual(30_000);
  }
});

test('a read of the export ends when its client goes away', async () => {
  const { email } = await upsert('leaving@example.com');
  await storeLarge(email, 1, 10);
  const outcomes: Promise<unknown>[] = [];
  jest.spyOn(EmailModel, 'findOne').mockImplementation((() => ({
    lean: () => {
      const find = async () => await stored.contacts.collection.find({ $where: 'sleep(20000) || false' } as never).toArray();
      const asked = find();
      outcomes.push(asked.catch((error: unknown) => error));
      return asked;
    },
  })) as never);
  const leaving = new AbortController();
  const headers = { authorization: `Bearer ${app.keys.secret}` };
  const asked = await fetch(`${app.url}/v1/contacts/${email}/data`, { headers, signal: leaving.signal });
  const text = asked.text();
  await eventually('the read is under way', () => outcomes.length > 0);
  leaving.abort();
  await expect(text).rejects.toThrow();
  expect(await outcomes[0]).toMatchObject({ name: 'AbortError' });
});
