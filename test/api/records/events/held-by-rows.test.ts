import { sweepErasures } from '../../../../src/audience/contacts/erasures';
import type { Email } from '../../../../src/records/emails/model';
import { eventsReceived } from '../../../../src/records/events/since';
import { tallyEvents } from '../../../../src/records/events/tally';
import { newId } from '../../../../src/platform/core/ids';
import { acceptance, eventsOfAccepted, newerFirst, onTheWire, recordAccepted } from '../../../support/data/accepted-mail';
import type { ListedEvent } from '../../../support/data/accepted-mail';
import { aProject } from '../../../support/platform/app';
import { queryPlans } from '../../../support/checks/query-plans';
import { stored } from '../../../support/data/stored';
import { rowsOf } from '../../../support/calls/lists';

/** Instants at which messages were accepted, and others beside them. */
const [EARLY, NOON, LATER] = [11, 12, 13].map((hour) => new Date(Date.UTC(2026, 2, 4, hour))) as [Date, Date, Date];
const HOUR_MS = 3_600_000;
const DAY = { from: '2026-03-04T00:00:00Z', to: '2026-03-05T00:00:00Z' };

const app = aProject();
let people: { readonly contactId: string; readonly email: string }[];
/** All that happened on that day, as the list has to show it. */
let happened: ListedEvent[] = [];

const api = (key?: string) => app.api(key);

interface How {
  readonly project?: string;
  readonly responseOf?: (n: number) => string;
}

async function accepted(at: Date, changes: readonly Partial<Email>[], how: How = {}): Promise<void> {
  const { project = app.keys.projectId, responseOf } = how;
  const emails = await onTheWire(
    project,
    changes.map((change) => ({ createdAt: at, ...change })),
  );
  const outcomes = emails.map((email, n) => acceptance(email, at, responseOf?.(n)));
  await recordAccepted(app.core, outcomes);
  if (project === app.keys.projectId) happened.push(...emails.flatMap((email, n) => eventsOfAccepted(email, at, responseOf?.(n))));
}

/** One that a customer sent, stored by itself. */
async function alone(name: string, at: Date, contactId: string | null): Promise<void> {
  const event = { _id: newId('evt'), projectId: app.keys.projectId, contactId, emailId: null, name, data: { a: 1 }, createdAt: at };
  await stored.events.collection.insertOne({ ...event, testMode: false, receivedAt: new Date(), depth: 0 });
  happened.push({
    eventId: event._id,
    projectId: app.keys.projectId,
    contactId,
    emailId: null,
    name,
    data: { a: 1 },
    createdAt: at.toISOString(),
  });
}

const to = (index: number): Partial<Email> => ({ contactId: people[index]?.contactId ?? null });
const toMany = (from: number, count: number): Partial<Email>[] => Array.from({ length: count }, (_, n) => to(from + n));

async function makePeople(): Promise<void> {
  people = [];
  for (let n = 0; n < 12; n++) {
    const email = `grouped${n}@example.com`;
    const { body } = await api().post('/v1/contacts').send({ email }).expect(201);
    people.push({ contactId: body.data.contactId as string, email });
  }
}

beforeAll(async () => {
  await makePeople();
  await accepted(NOON, toMany(0, 8), { responseOf: (n) => `250 queued as ${n}` });
  await accepted(LATER, toMany(3, 7), { responseOf: (n) => `250 queued as ${n}` });
  await alone('order.placed', NOON, people[1]?.contactId ?? null);
  await accepted(
    NOON,
    toMany(2, 14).map((change) => ({ ...change, source: 'transactional', type: 'transactional' })),
  );
  await accepted(
    NOON,
    toMany(1, 6).map((change) => ({ ...change, source: 'transactional', type: 'transactional' })),
  );
  await accepted(LATER, toMany(0, 3));
  await alone('order.placed', new Date(NOON.getTime() + 1), null);
  await accepted(LATER, toMany(1, 9));
  const alternating = [{}, { source: 'transactional', type: 'transactional' }] as const;
  await accepted(
    EARLY,
    toMany(0, 12).map((change, n) => ({ ...change, ...alternating[n % 2] })),
  );
  await accepted(NOON, toMany(20, 5));
  await accepted(NOON, toMany(0, 6), { project: app.otherKeys.projectId });
  await alone('email.delivered', EARLY, people[3]?.contactId ?? null);
  happened = happened.sort(newerFirst);
});

test('rows of messages hold their events, which are stored nowhere else', async () => {
  expect(await stored.emails.count({ projectId: app.keys.projectId, holds: 'delivered' })).toBe(64);
  expect(await stored.events.count({ projectId: app.keys.projectId, name: /^email\./ })).toBe(1);
});

describe('the list shows them as if each were stored by itself', () => {
  const id = (index: number): string => people[index]?.contactId ?? '';
  test.each([
    ['all', () => ({}), () => true],
    ['a name', () => ({ name: 'email.delivered' }), ({ name }) => name === 'email.delivered'],
    ['the name of what was accepted', () => ({ name: 'email.queued' }), ({ name }) => name === 'email.queued'],
    ['a name that no row holds', () => ({ name: 'order.placed' }), ({ name }) => name === 'order.placed'],
    ['a contact', () => ({ contactId: id(3) }), ({ contactId }) => contactId === id(3)],
    ['an address', () => ({ email: people[4]?.email }), ({ contactId }) => contactId === id(4)],
    ['a name and a contact', () => ({ name: 'email.sent', contactId: id(2) }), (e) => e.name === 'email.sent' && e.contactId === id(2)],
    ['from an instant', () => ({ from: NOON.toISOString() }), ({ createdAt }) => createdAt >= NOON.toISOString()],
    ['to an instant', () => ({ to: NOON.toISOString() }), ({ createdAt }) => createdAt < NOON.toISOString()],
    [
      'a name within a range',
      () => ({ name: 'email.sent', from: NOON.toISOString(), to: LATER.toISOString() }),
      (e) => e.name === 'email.sent' && e.createdAt === NOON.toISOString(),
    ],
  ] satisfies readonly (readonly [string, () => object, (event: ListedEvent) => boolean])[])('%s', async (_of, query, isAsked) => {
    const wanted = happened.filter(isAsked);
    expect(wanted.length).toBeGreaterThan(1);
    for (const limit of [7, 100]) expect(await rowsOf(api(), '/v1/events', { ...DAY, ...query(), limit })).toEqual(wanted);
  });

  test('while a page is being read, more may come', async () => {
    const first = (await api().get('/v1/events').query({ limit: 7 }).expect(200)).body as { data: ListedEvent[]; nextCursor: string };
    const other = { contactId: null };
    await recordAccepted(
      app.core,
      (
        await onTheWire(
          app.keys.projectId,
          Array.from({ length: 5 }, () => other),
        )
      ).map((email) => acceptance(email, new Date())),
    );
    const rest = await rowsOf<ListedEvent>(api(), '/v1/events', { limit: 7, cursor: first.nextCursor });
    const seen = [...first.data, ...rest].filter(({ createdAt }) => createdAt >= DAY.from && createdAt < DAY.to);
    expect(seen).toEqual(happened);
  });
});

test('the timeline of a contact has its own', async () => {
  for (const { contactId } of people) {
    const entries = await rowsOf<{ entryId: string; kind: string }>(api(), `/v1/contacts/${contactId}/timeline`, { limit: 2 });
    const ids = new Set(entries.map(({ entryId }) => entryId));
    expect(ids.size).toBe(entries.length);
    const wanted = happened.filter((event) => event.contactId === contactId).map(({ eventId }) => eventId);
    expect(entries.map(({ entryId }) => entryId).filter((entry) => wanted.includes(entry))).toEqual(wanted);
    expect(entries.filter(({ kind, entryId }) => kind === 'event' && !wanted.includes(entryId))).toHaveLength(1);
  }
});

describe('numbers', () => {
  const countOf = (isCounted: (event: ListedEvent) => boolean): number => happened.filter(isCounted).length;

  test.each([undefined, 'email.queued', 'email.sent', 'order.placed'])('by hour and by day, of the name %s', async (name) => {
    const isCounted = (event: ListedEvent): boolean => name === undefined || event.name === name;
    for (const [interval, length] of [
      ['hour', 13],
      ['day', 10],
    ] as const) {
      const { body } = await api()
        .get('/v1/events/stats')
        .query({ ...DAY, interval, ...(name && { name }) })
        .expect(200);
      const { total, series } = body.data as { total: number; series: { at: string; count: number }[] };
      expect(total).toBe(countOf(isCounted));
      for (const { at, count } of series) {
        expect([at, count]).toEqual([at, countOf((e) => isCounted(e) && e.createdAt.slice(0, length) === at.slice(0, length))]);
      }
    }
  });

  test('of names, and of what uses one, before, while and after they are tallied', async () => {
    const key = app.otherKeys.secret;
    const expectCounts = async (counts: Readonly<Record<string, number>>): Promise<void> => {
      const { data } = (await api(key).get('/v1/events/names').expect(200)).body.data as {
        data: { name: string; count: number; lastSeenAt: string }[];
      };
      expect(Object.fromEntries(data.map(({ name, count }) => [name, count]))).toEqual(counts);
      expect(data.find(({ name }) => name === 'email.sent')?.lastSeenAt).toBe(NOON.toISOString());
      const usage = await api(key).get('/v1/events/email.sent/usage').expect(200);
      expect(usage.body.data.count).toBe(counts['email.sent']);
    };
    await expectCounts({ 'email.queued': 6, 'email.sent': 6, 'email.delivered': 6 });
    const ofOther = { projectId: app.otherKeys.projectId };
    await stored.emails.changeAll({ ...ofOther, holds: 'delivered' }, { recordedAt: new Date(Date.now() - HOUR_MS) });
    expect(await tallyEvents()).toBe(18);
    await expectCounts({ 'email.queued': 6, 'email.sent': 6, 'email.delivered': 6 });
    await accepted(EARLY, toMany(0, 7), { project: app.otherKeys.projectId });
    await expectCounts({ 'email.queued': 13, 'email.sent': 13, 'email.delivered': 13 });
    await stored.emails.changeAll({ ...ofOther, createdAt: EARLY }, { recordedAt: new Date(Date.now() - 100_000) });
    expect(await tallyEvents()).toBe(0);
    await stored.tallyMarks.change('all', { upTo: new Date(Date.now() - HOUR_MS / 2) });
    expect(await tallyEvents()).toBe(21);
    await expectCounts({ 'email.queued': 13, 'email.sent': 13, 'email.delivered': 13 });
  });
});

test('each reader goes along an index', async () => {
  const contactId = people[3]?.contactId ?? '';
  const { body } = await api().get('/v1/events').query({ limit: 7 }).expect(200);
  const lists = [
    { limit: 7, cursor: body.nextCursor as string },
    { name: 'email.sent' },
    { contactId },
    { name: 'email.sent', contactId },
    DAY,
  ];
  const plans = await queryPlans('emails', async () => {
    for (const query of lists) await api().get('/v1/events').query(query).expect(200);
    await api().get('/v1/events/stats').query(DAY).expect(200);
    await api()
      .get('/v1/events/stats')
      .query({ ...DAY, name: 'email.sent' })
      .expect(200);
    await api().get('/v1/events/names').expect(200);
    await eventsReceived({ projectId: app.keys.projectId, contactId, name: 'email.sent', liveOnly: true }, NOON, LATER);
    await sweepErasures(app.core, new Date());
  });
  expect(plans.length).toBeGreaterThanOrEqual(9);
  for (const { plan } of plans) expect(plan).toMatch(/^(IXSCAN|DISTINCT_SCAN) { (projectId|_id): /);
});

test('events of a deleted contact lose their contact; events of others keep it', async () => {
  const [gone, kept] = [people[5], people[6]];
  const listed = (name: string): Promise<ListedEvent[]> => rowsOf(api(), '/v1/events', { ...DAY, name });
  const before = await listed('email.delivered');
  await api().delete(`/v1/contacts/${gone?.contactId}`).expect(200);
  await sweepErasures(app.core, new Date(Date.now() + 60_000));
  const theirs = new Set(before.filter(({ contactId }) => contactId === gone?.contactId).map(({ eventId }) => eventId));
  const forgotten = (event: ListedEvent): ListedEvent =>
    theirs.has(event.eventId) ? { ...event, contactId: null, data: { source: (event.data as { source?: unknown }).source } } : event;
  expect(before.filter(({ contactId }) => contactId === gone?.contactId).length).toBeGreaterThan(1);
  const after = await listed('email.delivered');
  expect(after.filter(({ contactId }) => contactId === gone?.contactId)).toEqual([]);
  expect(after.map(forgotten)).toEqual(before.map(forgotten));
  expect((await rowsOf<ListedEvent>(api(), '/v1/events', { ...DAY, contactId: kept?.contactId })).length).toBeGreaterThan(1);
});
