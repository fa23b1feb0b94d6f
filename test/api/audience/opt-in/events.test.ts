import { optInCalls } from '../../../support/calls/opt-ins';
import { faultsOf } from '../../../support/calls/campaigns';
import { topicCalls } from '../../../support/calls/topics';
import { freshAddress } from '../../../support/data/people';
import { stored } from '../../../support/data/stored';
import { aProject } from '../../../support/platform/app';
import { contactCalls } from '../contacts/calls';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });
const { upsert, walk } = contactCalls(() => app);
const { topic } = topicCalls(() => app);
const { rowOf, turn, mailTo, linkOf, confirm } = optInCalls(() => app);

const record = (body: object, headers: Readonly<Record<string, string>> = {}) =>
  app
    .api()
    .post('/v1/events')
    .set(headers)
    .send({ name: 'signed_up', optIn: 'double', ...body });
const contactOf = (email: string) => app.api().get(`/v1/contacts/${email}`);

test('an event that asks for a double opt-in is recorded, and makes a contact of its address once the person has confirmed', async () => {
  const email = freshAddress();
  const { topicId } = await topic({ defaultSubscription: 'out' });
  const { body } = await record({ email, topics: [topicId], consent: { text: 'I agree' } }).expect(201);
  expect(body.data).toMatchObject({ contactId: null, optIn: { status: 'pending', topics: [topicId] } });
  expect(await stored.events.get(body.data.eventId as string)).toMatchObject({ name: 'signed_up', contactId: null });
  await contactOf(email).expect(404);
  await turn(email);
  expect(await mailTo(email)).toHaveLength(1);
  await confirm(await linkOf(email));
  expect((await contactOf(email).expect(200)).body.data).toMatchObject({ subscribed: true });
  const consent = await walk<{ kind: string; text: string | null; topicId: string | null }>(`/v1/contacts/${email}/consent`, {});
  expect(consent.find(({ kind }) => kind === 'requested')).toMatchObject({ text: 'I agree', topicId });
});

test('an existing contact has the event and stays as it is until it confirms; one that gets everything is asked nothing', async () => {
  const email = freshAddress();
  const { contactId } = await upsert(email);
  expect((await record({ email }).expect(201)).body.data).toMatchObject({ contactId, optIn: { status: 'confirmed' } });
  await upsert(email, { subscribed: false }, 200);
  expect((await record({ email }).expect(201)).body.data).toMatchObject({ contactId, optIn: { status: 'pending' } });
  expect((await contactOf(email).expect(200)).body.data).toMatchObject({ subscribed: false });
});

test('a repetition under its key asks nobody again and has the same answer', async () => {
  const email = freshAddress();
  const headers = { 'Idempotency-Key': `event-${email}` };
  const first = (await record({ email }, headers).expect(201)).body.data;
  await stored.optIns.remove({ _id: (await rowOf(email))._id });
  expect((await record({ email }, headers).expect(201)).body.data).toEqual({ ...first, replay: true });
  expect(await stored.optIns.one({ email })).toBeNull();
});

test('is refused for combinations without sense and unknown topics, with nothing recorded, and with a public key', async () => {
  const email = freshAddress();
  const { contactId } = await upsert(freshAddress());
  const before = await stored.events.count({ name: 'signed_up' });
  const faults = async (body: object) => faultsOf((await record(body).expect(422)).body);
  expect(await faults({ email, topics: ['tpc_none'] })).toEqual([['topics.0', 'not_found']]);
  expect(await faults({ contactId })).toEqual([['optIn', 'invalid_combination']]);
  expect(await faults({ email, createContact: true })).toEqual([['createContact', 'invalid_combination']]);
  expect(await faults({ email, optIn: undefined, topics: [] })).toEqual([['topics', 'invalid_combination']]);
  await app.api(app.keys.public).post('/v1/events').send({ name: 'signed_up', email, optIn: 'double' }).expect(422);
  expect(await stored.events.count({ name: 'signed_up' })).toBe(before);
  expect(await stored.optIns.one({ email })).toBeNull();
});
