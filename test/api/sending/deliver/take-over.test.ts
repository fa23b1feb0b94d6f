import { EventEmitter, once } from 'node:events';
import { record, Recorder } from '../../../../src/sending/deliver/record';
import { takeOver } from '../../../../src/sending/deliver/take-over';
import type { Email } from '../../../../src/records/emails/model';
import { emitTogether } from '../../../../src/records/events/groups';
import { emailEventId } from '../../../../src/rules/email-events';
import { newId } from '../../../../src/platform/core/ids';
import { acceptance, eventsOfAccepted, newerFirst, onTheWire } from '../../../support/data/accepted-mail';
import type { ListedEvent } from '../../../support/data/accepted-mail';
import { aProject } from '../../../support/platform/app';
import { queryPlans } from '../../../support/checks/query-plans';
import { stored } from '../../../support/data/stored';
import { aFreshProject } from '../../../support/data/projects';

const app = aProject();
const keys = aFreshProject();
let worker: string;

beforeEach(async () => {
  worker = newId('wrk');
});

const AT = new Date(Math.floor(Date.now() / 1000) * 1000 - 60_000);
const claimed = (count: number, change: Partial<Email> = {}): Promise<Email[]> =>
  onTheWire(
    keys.projectId,
    Array.from({ length: count }, () => ({ createdAt: AT, ...change })),
    worker,
  );
const queueId = (email: Email): string => `250 2.0.0 Ok: queued as ${email._id}`;
const accepted = (emails: readonly Email[], at = AT) => emails.map((email) => acceptance(email, at, queueId(email)));
const emitEvents = (emails: readonly Email[]): Promise<unknown> => emitTogether(accepted(emails).map(({ events }) => events));
const lost = (now = new Date()): Promise<readonly number[]> => takeOver({ worker, except: [], claimedBefore: now });
const ledger = (emails: readonly Email[]): Promise<Email[]> =>
  stored.emails.all({ _id: { $in: emails.map(({ _id }) => _id) } }, { _id: 1 });
const listed = async (): Promise<ListedEvent[]> =>
  (await app.api(keys.secret).get('/v1/events?limit=100').expect(200)).body.data as ListedEvent[];
const eventsOf = (emails: readonly Email[]): ListedEvent[] =>
  emails.flatMap((email) => eventsOfAccepted(email, AT, queueId(email))).sort(newerFirst);
const holding = (emails: readonly Email[]): Promise<number> =>
  stored.eventGroups.count({ emails: { $in: emails.map(({ _id }) => _id) }, 'names.0': { $exists: true } });

test('a message with events in a group was accepted: it is settled as of that instant, and is not sent again', async () => {
  const emails = await claimed(7, { source: 'transactional' });
  await emitEvents(emails);
  expect(await lost()).toEqual([]);
  for (const email of await ledger(emails)) {
    expect(email).toMatchObject({ status: 'delivered', sentAt: AT, deliveredAt: AT, attempts: 1, providerMessageId: email._id });
    expect(email.dueAt).toBeUndefined();
  }
  const before = await ledger(emails);
  await Promise.all([lost(), lost()]);
  await record(app.core, accepted(emails));
  expect(await ledger(emails)).toEqual(before);
  expect(await listed()).toEqual(eventsOf(emails));
});

test('no lane waits for the row of a message whose events are in a group, and its worker may be lost before it is written', async () => {
  const emails = await claimed(7, { source: 'transactional' });
  const bulkWrite = stored.emails.collection.bulkWrite.bind(stored.emails.collection);
  const steps = new EventEmitter();
  const [begun, goesOn, settled] = [once(steps, 'begun'), once(steps, 'goes on'), once(steps, 'settled')];
  jest.spyOn(stored.emails.collection, 'bulkWrite').mockImplementationOnce(async (...args: Parameters<typeof bulkWrite>) => {
    steps.emit('begun');
    await goesOn;
    return bulkWrite(...args);
  });

  await new Recorder(app.core, (results) => steps.emit('settled', results)).record(accepted(emails));
  await begun;
  expect((await ledger(emails)).map(({ status }) => status)).toEqual(emails.map(() => 'sending'));
  expect(await lost()).toEqual([]);
  steps.emit('goes on');

  expect((await settled)[0]).toHaveLength(7);
  for (const email of await ledger(emails)) expect(email).toMatchObject({ status: 'delivered', attempts: 1, sentAt: AT });
  expect(await listed()).toEqual(eventsOf(emails));
});

test('what is settled so counts in its campaign, once', async () => {
  const campaign = { name: 'News', subject: 'News', body: '<p>News</p>', fromEmail: 'news@hello.test' };
  const { campaignId } = (await app.api(keys.secret).post('/v1/campaigns').send(campaign).expect(201)).body.data as { campaignId: string };
  const emails = await claimed(6, { campaignId });
  await emitEvents(emails);
  await Promise.all([lost(), lost()]);
  expect((await app.api(keys.secret).get(`/v1/campaigns/${campaignId}`).expect(200)).body.data.delivered).toBe(6);
});

test('an open that was seen before the delivery was settled stays one', async () => {
  const emails = await claimed(5, { source: 'transactional' });
  await emitEvents(emails);
  await stored.emails.change(emails[0]?._id ?? '', { openedAt: new Date(), opens: 1 });
  await lost();
  expect((await ledger(emails)).map(({ status }) => status)).toEqual(['opened', 'delivered', 'delivered', 'delivered', 'delivered']);
});

test('a message without events goes back into the queue; a late worker then stores its events alone, once', async () => {
  const emails = await claimed(6);
  const now = new Date();
  expect(await lost(now)).toEqual([3]);
  for (const email of await ledger(emails)) expect(email).toMatchObject({ status: 'queued', dueAt: email.attempt?.at, attempts: 1 });
  expect(await lost()).toEqual([]);
  await Promise.all([record(app.core, accepted(emails)), record(app.core, accepted(emails))]);
  expect([await holding(emails), await stored.events.count({ projectId: keys.projectId })]).toEqual([0, 18]);
  expect(await listed()).toEqual(eventsOf(emails));
  expect((await ledger(emails)).map(({ status }) => status)).toEqual(Array(6).fill('delivered'));
});

test('sent again after that, its events have the same ids', async () => {
  const emails = await claimed(6);
  await lost();
  const again = emails.map((email) => ({ ...email, attempts: 2 }));
  await record(app.core, accepted(again));
  await record(app.core, accepted(emails));
  expect([await holding(emails), await stored.events.count({ projectId: keys.projectId })]).toEqual([0, 18]);
});

test('one message that was taken over keeps its whole flush out of a group, and loses nothing of it', async () => {
  const [first, ...others] = await claimed(6);
  await takeOver({ worker, except: [], claimedBefore: new Date() });
  const later = await claimed(6);
  await record(app.core, accepted([...later, ...others]));
  expect(await holding([...later, ...others])).toBe(0);
  expect(await listed()).toEqual(eventsOf([...later, ...others]));
  expect(await stored.events.count({ _id: emailEventId(first?._id ?? '', 'email.sent') })).toBe(0);
});

test('the first to write decides between a group and a take-over at once', async () => {
  for (let round = 0; round < 8; round++) {
    const emails = await claimed(6);
    await Promise.all([record(app.core, accepted(emails)), lost()]);
    const rows = await ledger(emails);
    const queued = rows.filter(({ status }) => status === 'queued');
    expect(await holding(queued)).toBe(0);
    const emitted = (await stored.eventGroups.all({ 'names.0': { $exists: true } })).flatMap((group) => group.emails);
    for (const { _id } of rows) {
      const [inGroups, alone] = [emitted.filter((id) => id === _id).length, await stored.events.count({ emailId: _id })];
      expect([0, 3]).toContain(alone);
      expect(inGroups + alone / 3).toBe(1);
    }
  }
});

test('what is still under way, was claimed lately or by others is left alone', async () => {
  const [busy, mine] = [await claimed(2), await claimed(1)];
  const attemptIds = busy.flatMap(({ attempt }) => attempt?.id ?? []);
  await takeOver({ worker, except: attemptIds, claimedBefore: new Date() });
  await takeOver({ worker, except: [], claimedBefore: new Date(Date.now() - 60_000) });
  await takeOver({ worker: 'wrk_other', except: [], claimedBefore: new Date() });
  expect((await ledger([...busy, ...mine])).map(({ status }) => status)).toEqual(['sending', 'sending', 'queued']);
});

test('messages that were begun before are not looked for in groups', async () => {
  const emails = await claimed(5, { attempts: 2 });
  await lost();
  expect(await stored.eventGroups.count({ projectId: keys.projectId })).toBe(0);
  expect((await ledger(emails)).map(({ status }) => status)).toEqual(Array(5).fill('queued'));
});

test('a take-over reads along indexes', async () => {
  await claimed(6);
  for (const collection of ['event_groups', 'emails']) {
    await emitEvents(await claimed(5));
    const plans = await queryPlans(collection, () => lost());
    expect(plans.length).toBeGreaterThan(0);
    for (const { plan, sorted } of plans) expect({ plan, sorted }).toEqual({ plan: expect.stringMatching(/IXSCAN|IDHACK/), sorted: false });
  }
});
