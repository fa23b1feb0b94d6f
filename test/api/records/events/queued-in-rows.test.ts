import { sweepErasures } from '../../../../src/audience/contacts/erasures';
import type { Email } from '../../../../src/records/emails/model';
import { claim } from '../../../../src/records/emails/attempts';
import { contactsWithEvents } from '../../../../src/records/events/contacts-with-events';
import { eventsReceived } from '../../../../src/records/events/since';
import { newId } from '../../../../src/platform/core/ids';
import { requiredVerified } from '../../../../src/sending/domains/row';
import { contact } from '../../../support/calls/automations';
import { rowsOf } from '../../../support/calls/lists';
import { lookedAt, queryPlans } from '../../../support/checks/query-plans';
import { acceptance, eventsOfAccepted, newerFirst, recordAccepted } from '../../../support/data/accepted-mail';
import type { ListedEvent } from '../../../support/data/accepted-mail';
import { claimOf } from '../../../support/data/claims';
import { storeEmails } from '../../../support/data/email-rows';
import { aFreshProject } from '../../../support/data/projects';
import { stored } from '../../../support/data/stored';
import { aProject } from '../../../support/platform/app';
import type { Api } from '../../../support/platform/app';
import { listen } from '../../../support/platform/fan-out';

const app = aProject();
const keys = aFreshProject();

beforeEach(async () => {
  const now = new Date();
  const unsigned = { _id: newId('dom'), selector: 'none', dkimPrivateKey: '-', dkimPublicKey: '-' };
  // One project at a time has a domain.
  await stored.domains.remove({ domain: 'hello.test' });
  await stored.domains.make({
    projectId: keys.projectId,
    domain: 'hello.test',
    status: 'verified',
    ...unsigned,
    development: false,
    revision: 0,
    records: requiredVerified(),
    verifiedAt: now,
    createdAt: now,
  });
});
afterEach(() => jest.restoreAllMocks());

const messages = (count: number, change: object = {}) =>
  Array.from({ length: count }, (_, n) => ({ to: `user${n}@example.com`, subject: 'Hello', html: '<p>Hello</p>', ...change }));

/** Sends a batch and resolves to what the ledger has of it. */
async function send(batch: readonly object[], by: Api = app.api(keys.secret)): Promise<Email[]> {
  const { body } = await by.post('/v1/send/batch').send({ messages: batch }).expect(200);
  const ids = (body.data.results as { id: string }[]).map(({ id }) => id);
  return stored.emails.all({ _id: { $in: ids } }, { _id: 1 });
}

const queuedOf = (email: Email): ListedEvent => ({
  eventId: `evt_${email._id.slice('em_'.length)}0`,
  projectId: keys.projectId,
  contactId: email.contactId,
  emailId: email._id,
  name: 'email.queued',
  data: { source: 'transactional' },
  createdAt: email.createdAt.toISOString(),
});

const listed = (query: object = {}): Promise<ListedEvent[]> =>
  rowsOf(app.api(keys.secret), '/v1/events', { limit: 100, name: 'email.queued', ...query });
const onTheirWay = async (query: object = {}): Promise<ListedEvent[]> =>
  (await listed({ name: undefined, ...query })).filter(({ name }) => name.startsWith('email.'));

/** How many messages of the project hold that they were queued. */
const holders = (): Promise<number> => stored.emails.count({ projectId: keys.projectId, holdsQueued: 'at_once' });
const alone = (): Promise<number> => stored.events.count({ projectId: keys.projectId, name: 'email.queued' });

/** What counts say of `email.queued`: in its name, and in the series of events. */
async function counted(): Promise<[number | undefined, number]> {
  const names = (await app.api(keys.secret).get('/v1/events/names').expect(200)).body.data.data as { name: string; count: number }[];
  const stats = await app.api(keys.secret).get('/v1/events/stats').query({ name: 'email.queued' }).expect(200);
  return [names.find(({ name }) => name === 'email.queued')?.count, stats.body.data.total as number];
}

/** Sends what was accepted, as a worker does. */
async function deliver(emails: readonly Email[], at: Date): Promise<void> {
  const attempt = { id: newId('att'), worker: newId('wrk'), at };
  await claim(claimOf(emails, attempt, at));
  const finished = emails.map((email) => acceptance({ ...email, attempts: 1, attempt }, at));
  await recordAccepted(app.core, finished);
  await recordAccepted(app.core, finished);
}

test('rows say that they were queued, and lists and counts have an event for each', async () => {
  const emails = await send(messages(600));
  expect([await holders(), await alone()]).toEqual([600, 0]);
  const expected = emails.map(queuedOf).sort(newerFirst);
  expect(await listed()).toEqual(expected);
  expect(await onTheirWay()).toEqual(expected);
  expect(await counted()).toEqual([600, 600]);
});

test('one message is stored as many are', async () => {
  const emails = [...(await send(messages(1))), ...(await send(messages(1)))];
  expect([await holders(), await alone(), await counted()]).toEqual([2, 0, [2, 2]]);
  expect(await listed({ limit: 1 })).toEqual(emails.map(queuedOf).sort(newerFirst));
});

test('a contact that is written to several times has an event of each, wherever its events are read', async () => {
  const contactId = await contact(app, { email: 'user3@example.com' }, keys.secret);
  const since = new Date(Date.now() - 1);
  const emails = (await send([...messages(6), ...messages(6)])).filter((email) => email.contactId === contactId);
  const expected = emails.map(queuedOf).sort(newerFirst);
  expect(expected).toHaveLength(2);
  expect(await listed({ contactId })).toEqual(expected);
  expect(await listed({ contactId, limit: 1 })).toEqual(expected);
  expect(await listed({ email: 'user3@example.com', to: since.toISOString() })).toEqual([]);
  const timeline = await rowsOf<{ entryId: string }>(app.api(keys.secret), `/v1/contacts/${contactId}/timeline`, { limit: 2 });
  expect(timeline.filter(({ entryId }) => expected.some(({ eventId }) => eventId === entryId))).toHaveLength(2);
  const { projectId } = keys;
  const received = await eventsReceived({ projectId, contactId, name: 'email.queued', liveOnly: true }, since, new Date(Date.now() + 1));
  expect(received.map(({ _id }) => _id).sort()).toEqual(expected.map(({ eventId }) => eventId).sort());
  expect(await contactsWithEvents(projectId, ['email.queued'], since)).toHaveLength(6);
});

test('conditions on contacts know it', async () => {
  for (const n of [0, 1, 2]) await contact(app, { email: `user${n}@example.com` }, keys.secret);
  await send([...messages(2), ...messages(1)]);
  const matching = async (filter: object): Promise<number> => {
    const conditions = { logic: 'and', groups: [{ filters: [{ field: 'event.email.queued', ...filter }] }] };
    return (await app.api(keys.secret).post('/v1/segments').send({ name: 'Some', conditions }).expect(201)).body.data.memberCount as number;
  };
  expect(await matching({ operator: 'triggered' })).toBe(2);
  expect(await matching({ operator: 'notTriggered' })).toBe(1);
  expect(await matching({ operator: 'countAtLeast', value: 2 })).toBe(1);
  expect(await matching({ operator: 'triggeredWithin', value: 1, unit: 'hours' })).toBe(2);
});

test('events of its delivery stand beside it', async () => {
  const emails = await send(messages(7));
  const at = new Date();
  await deliver(emails.slice(0, 5), at);
  expect([await holders(), await stored.events.count({ projectId: keys.projectId, name: /^email\./ })]).toEqual([7, 0]);
  const wanted = [...emails.map(queuedOf), ...emails.slice(0, 5).flatMap((email) => eventsOfAccepted(email, at))].sort(newerFirst);
  for (const limit of [3, 100]) expect(await onTheirWay({ limit })).toEqual(wanted);
  for (const { contactId } of emails) {
    expect(await onTheirWay({ contactId })).toEqual(wanted.filter((event) => event.contactId === contactId));
  }
  expect(await listed()).toEqual(emails.map(queuedOf).sort(newerFirst));
  expect(await counted()).toEqual([7, 7]);
});

test('of two processes that accept at one instant each event is there once, beside mail of that instant whose rows say nothing', async () => {
  const emails = [...(await send(messages(30))), ...(await send(messages(20)))];
  const at = { createdAt: new Date(Date.now() - 1_000) };
  await storeEmails(keys.projectId, ...Array<object>(40).fill({}));
  await stored.emails.changeAll({ projectId: keys.projectId }, at);
  const expected = emails.map((email) => queuedOf({ ...email, ...at })).sort(newerFirst);
  for (const limit of [7, 50]) expect(await listed({ limit })).toEqual(expected);
  expect(await counted()).toEqual([50, 50]);
});

describe('each event is stored by itself', () => {
  test('and handed on where there is a listener', async () => {
    await listen(keys.projectId, 'email.queued');
    const emails = await send(messages(8));
    expect(await holders()).toBe(0);
    expect(await stored.events.count({ projectId: keys.projectId, name: 'email.queued', fanOut: { $exists: true } })).toBe(8);
    expect(await listed()).toEqual(emails.map(queuedOf).sort(newerFirst));
  });

  test('in test mode', async () => {
    await send(messages(8, { from: 'team@hello.test' }), app.api(keys.test));
    expect([await holders(), await alone(), await counted()]).toEqual([0, 8, [8, 8]]);
  });
});

test('a message that is not stored has no event', async () => {
  jest.spyOn(stored.usage.collection, 'updateOne').mockRejectedValueOnce(new Error('away'));
  const batch = { messages: messages(8) };
  await app.api(keys.secret).post('/v1/send/batch').send(batch).expect(500);
  expect([await alone(), await stored.emails.count({ projectId: keys.projectId })]).toEqual([0, 0]);
});

test('events of a deleted contact lose their contact; events of others keep it', async () => {
  const contactId = await contact(app, { email: 'user1@example.com' }, keys.secret);
  const emails = await send(messages(3));
  await app.api(keys.secret).delete(`/v1/contacts/${contactId}`).expect(200);
  await sweepErasures(app.core, new Date(Date.now() + 60_000));
  const expected = emails.map(queuedOf).map((event) => (event.contactId === contactId ? { ...event, contactId: null } : event));
  expect(expected.filter((event) => event.contactId === null)).toHaveLength(1);
  expect(await listed()).toEqual(expected.sort(newerFirst));
  expect(await listed({ contactId })).toEqual([]);
});

describe('a page', () => {
  test('of many that were accepted at once looks at few of them, along the index of their age', async () => {
    await send(messages(600));
    const first = () => app.api(keys.secret).get('/v1/events').query({ name: 'email.queued', limit: 20 }).expect(200);
    expect(await lookedAt('emails', first)).toBeLessThan(50);
    const { nextCursor } = (await app.api(keys.secret).get('/v1/events').query({ limit: 100 }).expect(200)).body as { nextCursor: string };
    const plans = await queryPlans('emails', async () => {
      await first();
      await app.api(keys.secret).get('/v1/events').query({ limit: 20, cursor: nextCursor }).expect(200);
    });
    const [queued, others] = ['createdAt: -1, _id: -1, holdsQueued: 1', 'holds: 1, sentAt: -1, _id: -1, source: 1, recordedAt: 1'];
    expect(plans.map(({ plan }) => plan).sort()).toEqual([queued, queued, others].map((order) => `IXSCAN { projectId: 1, ${order} }`));
  });

  test('of many that were accepted one by one asks for their rows together', async () => {
    const emails: Email[] = [];
    for (let n = 0; n < 25; n++) emails.push(...(await send(messages(1))));
    await deliver(emails, new Date());
    const plans = await queryPlans('emails', async () => {
      expect(await onTheirWay({ limit: 100 })).toHaveLength(75);
    });
    expect(plans.length).toBeLessThan(6);
  });
});
