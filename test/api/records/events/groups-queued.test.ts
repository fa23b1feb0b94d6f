import mongoose from 'mongoose';
import { record } from '../../../../src/sending/deliver/record';
import { EmailModel } from '../../../../src/records/emails/model';
import type { Email } from '../../../../src/records/emails/model';
import { claim } from '../../../../src/records/emails/attempts';
import { closeGroups } from '../../../../src/records/events/groups';
import { newId } from '../../../../src/platform/core/ids';
import { VERSIONS } from '../../../../src/platform/mongo/versions';
import { acceptance, eventsOfAccepted, groupOfEarlierRelease, newerFirst, recordAccepted } from '../../../support/data/accepted-mail';
import type { ListedEvent } from '../../../support/data/accepted-mail';
import { aProject } from '../../../support/platform/app';
import { listen } from '../../../support/platform/fan-out';
import { stored } from '../../../support/data/stored';
import { aFreshProject } from '../../../support/data/projects';

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
    verifiedAt: now,
    createdAt: now,
  });
});

const messages = (count: number, change: object = {}) =>
  Array.from({ length: count }, (_, n) => ({ to: `user${n}@example.com`, subject: 'Hello', html: '<p>Hello</p>', ...change }));

/** Sends a batch and resolves to what the ledger has of it. */
async function send(batch: readonly object[], by = keys.secret): Promise<Email[]> {
  const { body } = await app.api(by).post('/v1/send/batch').send({ messages: batch }).expect(200);
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

async function listed(query: object = { name: 'email.queued' }): Promise<ListedEvent[]> {
  const rows: ListedEvent[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const { body } = await app
      .api(keys.secret)
      .get('/v1/events')
      .query({ limit: 100, ...query, ...(cursor && { cursor }) })
      .expect(200);
    rows.push(...(body.data as ListedEvent[]));
    cursor = body.nextCursor as string | null;
  }
  return rows;
}

const groups = (): Promise<number> => stored.eventGroups.count({ projectId: keys.projectId });
const alone = (): Promise<number> => stored.events.count({ projectId: keys.projectId, name: 'email.queued' });

test('the events of a batch are stored in few rows, and listed, counted and found as if each message had its own', async () => {
  const emails = await send(messages(600));
  expect([await groups(), await alone()]).toEqual([3, 0]);
  expect(await listed()).toEqual(emails.map(queuedOf).sort(newerFirst));
  const [first] = emails;
  expect(await listed({ name: 'email.queued', contactId: first?.contactId })).toEqual(first && [queuedOf(first)]);
  const names = (await app.api(keys.secret).get('/v1/events/names').expect(200)).body.data.data as { name: string; count: number }[];
  expect(names.find(({ name }) => name === 'email.queued')?.count).toBe(600);
  const { total } = (await app.api(keys.secret).get('/v1/events/stats').query({ name: 'email.queued' }).expect(200)).body.data as {
    total: number;
  };
  expect(total).toBe(600);
});

test('one contact that is written to several times is counted for each of them', async () => {
  const twice = [...messages(6), ...messages(6)];
  const emails = await send(twice);
  expect([await groups(), await alone()]).toEqual([2, 0]);
  expect(await listed()).toEqual(emails.map(queuedOf).sort(newerFirst));
});

test('events of its delivery stand beside it, and none is there twice', async () => {
  const emails = await send(messages(7));
  const at = new Date();
  const attempt = { id: newId('att'), worker: newId('wrk'), at };
  await claim(
    emails.map(({ _id }) => _id),
    attempt,
    at,
  );
  const finished = emails.map((email) => acceptance({ ...email, attempts: 1, attempt }, at));
  await recordAccepted(app.core, finished);
  await recordAccepted(app.core, finished);
  expect([await groups(), await stored.events.count({ projectId: keys.projectId, name: /^email\./ })]).toEqual([2, 0]);
  const wanted = emails.flatMap((email) => [queuedOf(email), ...eventsOfAccepted(email, at)]).sort(newerFirst);
  expect((await listed({})).filter(({ name }) => name.startsWith('email.'))).toEqual(wanted);
});

test('the event that a message was queued does not say that the next server has it', async () => {
  const emails = await send(messages(7));
  expect(await closeGroups(emails)).toEqual(new Map());
  const at = new Date();
  await record(
    app.core,
    emails.map((email) => acceptance({ ...email, attempts: 1 }, at)),
  );
  expect(await stored.events.count({ projectId: keys.projectId, name: 'email.delivered' })).toBe(7);
});

test('each queued event is handed on where there is a listener', async () => {
  await listen(keys.projectId, 'email.queued');
  const emails = await send(messages(8));
  expect(await groups()).toBe(0);
  expect(await stored.events.count({ projectId: keys.projectId, name: 'email.queued', fanOut: { $exists: true } })).toBe(8);
  expect(await listed()).toEqual(emails.map(queuedOf).sort(newerFirst));
});

test('few messages, and messages in test mode, have a row for each event', async () => {
  await send(messages(4));
  await send(messages(8, { from: 'team@hello.test' }), keys.test);
  expect([await groups(), await alone()]).toEqual([0, 12]);
});

test('a message that is not stored has no event', async () => {
  jest.spyOn(EmailModel.db.db as NonNullable<typeof EmailModel.db.db>, 'command').mockRejectedValueOnce(new Error('away'));
  await app
    .api(keys.secret)
    .post('/v1/send/batch')
    .send({ messages: messages(8) })
    .expect(500);
  expect([await groups(), await stored.emails.count({ projectId: keys.projectId })]).toEqual([0, 0]);
});

test('the index of an earlier release that refuses such rows is dropped, what others made is left alone', async () => {
  const rows = mongoose.connection.collection('event_groups');
  await rows.deleteMany({});
  await rows.createIndex({ emails: 1 }, { name: 'emails_1', unique: true });
  await rows.createIndex({ source: 1 }, { name: 'of_an_operator' });
  // Another process that starts at the same time has seen the index too, and was first to drop it.
  const drop = rows.dropIndex.bind(rows);
  jest.spyOn(Object.getPrototypeOf(rows) as typeof rows, 'dropIndex').mockImplementationOnce(async (name) => {
    await drop(name);
    return drop(name);
  });
  await VERSIONS[0]?.expand?.({ at: null, note: () => Promise.resolve() });
  expect([await rows.indexExists('emails_1'), await rows.indexExists('of_an_operator')]).toEqual([false, true]);
  await rows.dropIndex('of_an_operator');
  const finished = (await send(messages(7))).map((email) => acceptance({ ...email, attempts: 1 }, new Date()));
  await groupOfEarlierRelease(finished, new Date());
  expect(await groups()).toBe(2);
  const [known] = await rows.find({ projectId: keys.projectId, responses: { $exists: true } }).toArray();
  await expect(rows.insertOne({ ...known, _id: newId('evg') as never })).rejects.toMatchObject({ code: 11000 });
});
