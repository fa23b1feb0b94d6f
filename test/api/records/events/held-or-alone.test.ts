import { record } from '../../../../src/sending/deliver/record';
import type { Outcome } from '../../../../src/records/emails/attempts';
import type { Email } from '../../../../src/records/emails/model';
import { eventsReceived } from '../../../../src/records/events/since';
import { ACCEPTED, acceptance, eventsOfAccepted, newerFirst, onTheWire, recordAccepted } from '../../../support/data/accepted-mail';
import type { ListedEvent } from '../../../support/data/accepted-mail';
import { aProject } from '../../../support/platform/app';
import { newId } from '../../../../src/platform/core/ids';
import { activate, chain, contact, node } from '../../../support/calls/automations';
import { listen } from '../../../support/platform/fan-out';
import { rowsOf } from '../../../support/calls/lists';
import { stored } from '../../../support/data/stored';
import { newProject } from '../../../support/data/projects';

const app = aProject();
let projectId: string;
let key: string;

beforeEach(async () => {
  ({ projectId, secret: key } = await newProject('Fresh'));
});
afterEach(() => jest.restoreAllMocks());

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const AT = new Date(Math.floor(Date.now() / 1000) * 1000 - 60_000);
const withoutContact = (count: number, change: Partial<Email> = {}): Partial<Email>[] =>
  Array.from({ length: count }, () => ({ contactId: null, createdAt: AT, ...change }));
const accepted = async (changes: readonly Partial<Email>[], at = AT): Promise<Outcome[]> =>
  (await onTheWire(projectId, changes)).map((email) => acceptance(email, at));

/** How many messages hold what came of them. */
const holders = (): Promise<number> => stored.emails.count({ projectId, holds: { $exists: true } });
const countOf = async (name: string): Promise<number> =>
  (await app.api(key).get(`/v1/events/${name}/usage`).expect(200)).body.data.count as number;
const alone = (name: string): Promise<number> => stored.events.count({ projectId, name });
const listed = async (): Promise<ListedEvent[]> => (await app.api(key).get('/v1/events?limit=100').expect(200)).body.data as ListedEvent[];
const wanted = (finished: readonly Outcome[], at = AT): ListedEvent[] =>
  finished.flatMap(({ email }) => eventsOfAccepted(email, at)).sort(newerFirst);

/** The connection breaks while the next rows are settled: `before` they are, or after. */
function breakOnce(when: 'before' | 'after'): void {
  const { collection } = stored.emails;
  const write = collection.bulkWrite.bind(collection);
  jest.spyOn(collection, 'bulkWrite').mockImplementationOnce(async (...args: Parameters<typeof write>) => {
    if (when === 'after') await write(...args);
    throw new Error('connection closed');
  });
}

describe('who listens', () => {
  test.each(['email.delivered', 'email.*', '*'])('a listener to %s gets an event for each message', async (name) => {
    await listen(projectId, name);
    const finished = await accepted(withoutContact(6));
    await recordAccepted(app.core, finished);
    expect(await holders()).toBe(0);
    expect(await stored.events.count({ projectId, name: 'email.delivered', fanOut: { $exists: true } })).toBe(6);
    expect(await listed()).toEqual(wanted(finished));
  });

  test('an active workflow that such an event starts is handed each', async () => {
    ({ projectId, secret: key } = app.keys);
    await activate(app, chain(node('end', 'exit')), { trigger: 'event:email.delivered' });
    await recordAccepted(app.core, await accepted(withoutContact(6)));
    expect([await holders(), await stored.events.count({ projectId, name: 'email.delivered', fanOut: { $exists: true } })]).toEqual([0, 6]);
  });

  test('to something else changes nothing', async () => {
    await listen(projectId, 'email.opened', 'order.placed');
    await recordAccepted(app.core, await accepted(withoutContact(6)));
    expect([await holders(), await alone('email.delivered')]).toEqual([6, 0]);
  });
});

describe('recorded again after a failure, an event is there once', () => {
  test.each(['before', 'after'] as const)('of messages whose connection broke %s their rows were settled', async (when) => {
    const finished = await accepted(withoutContact(8));
    breakOnce(when);
    await recordAccepted(app.core, finished);
    expect([await alone('email.sent'), await countOf('email.sent')]).toEqual([0, 8]);
    expect(await listed()).toEqual(wanted(finished));
  });

  test('of messages of which another worker has begun one again meanwhile: of the others', async () => {
    const [first, ...others] = await accepted(withoutContact(8));
    const finished = first ? [first, ...others] : [];
    jest.spyOn(stored.emails.collection, 'bulkWrite').mockImplementationOnce(async () => {
      await stored.emails.change(first?.email._id ?? '', { attempt: { id: newId('att'), worker: 'wrk_other', at: new Date() } });
      throw new Error('connection closed');
    });
    await recordAccepted(app.core, finished);
    expect(await countOf('email.sent')).toBe(7);
    expect(await listed()).toEqual(wanted(others));
  });

  test('of messages that had listeners, and have none any more', async () => {
    await listen(projectId, '*');
    const finished = await accepted(withoutContact(8));
    await record(app.core, finished);
    await listen(projectId);
    await record(app.core, finished);
    expect(await holders()).toBe(0);
    expect(await listed()).toEqual(wanted(finished));
  });
});

describe('messages whose rows do not hold their events', () => {
  test('messages that were begun before', async () => {
    await recordAccepted(app.core, await accepted(withoutContact(6, { attempts: 2 })));
    expect([await holders(), await alone('email.delivered')]).toEqual([0, 6]);
  });

  test('messages that went out more than a day after they were accepted', async () => {
    const long = { createdAt: new Date(AT.getTime() - DAY_MS) };
    await recordAccepted(app.core, await accepted([...withoutContact(1, long), ...withoutContact(1)]));
    expect([await holders(), await alone('email.delivered')]).toEqual([1, 1]);
  });
});

describe('what is recorded together and differs', () => {
  test('keeps its hour when it was accepted in different seconds', async () => {
    const hour = new Date(Date.UTC(2026, 1, 1, 5));
    const before = new Date(hour.getTime() - 1);
    const [early, late] = await Promise.all([before, hour].map((at) => accepted(withoutContact(5, { createdAt: at }), at)));
    await recordAccepted(app.core, [...(early ?? []), ...(late ?? [])]);
    expect(await listed()).toEqual([...wanted(late ?? [], hour), ...wanted(early ?? [], before)]);
  });

  test('keeps its kind of mail', async () => {
    const finished = [...(await accepted(withoutContact(5))), ...(await accepted(withoutContact(5, { source: 'workflow' })))];
    await recordAccepted(app.core, finished);
    expect(await listed()).toEqual(wanted(finished));
  });

  test('keeps its project', async () => {
    const other = await newProject('Other');
    const theirs = (await onTheWire(other.projectId, withoutContact(5))).map((email) => acceptance(email, AT));
    const finished = await accepted(withoutContact(5));
    await recordAccepted(app.core, [...finished, ...theirs]);
    expect(await listed()).toEqual(wanted(finished));
    expect((await app.api(other.secret).get('/v1/events?limit=100').expect(200)).body.data).toEqual(wanted(theirs));
  });
});

describe('no message is sent before it was accepted', () => {
  const after = (ms: number): Date => new Date(AT.getTime() + ms);

  /** A message that was sent, and another that was accepted after that and recorded together with it. */
  async function together(sentAt: Date): Promise<{ readonly contactId: string; readonly finished: readonly [Outcome, Outcome] }> {
    const contactId = await contact(app, {}, key);
    const one = { source: 'transactional', type: 'transactional' } as const;
    const [first, second] = (await onTheWire(projectId, [
      { ...one, contactId: null, createdAt: after(-5) },
      { ...one, contactId, createdAt: after(3) },
    ])) as [Email, Email];
    await stored.emails.change(second._id, { holdsQueued: 'at_once' });
    return { contactId, finished: [acceptance(first, AT), acceptance(second, sentAt)] };
  }
  const inOrder = async (query: object): Promise<unknown> =>
    (await rowsOf<ListedEvent>(app.api(key), '/v1/events', { limit: 1, ...query })).flatMap(({ name, createdAt, emailId }) =>
      emailId === null ? [] : [[name, createdAt]],
    );

  test('where it is recorded with one that was sent before', async () => {
    const { contactId, finished } = await together(after(18));
    await recordAccepted(app.core, finished);
    const [sent, queued] = [after(18).toISOString(), after(3).toISOString()];
    const both = [
      ['email.delivered', sent],
      ['email.sent', sent],
    ];
    expect(await inOrder({ contactId })).toEqual([...both, ['email.queued', queued]]);
    expect(await inOrder({ name: 'email.sent' })).toEqual([
      ['email.sent', sent],
      ['email.sent', sent],
    ]);
    for (const { email, set } of finished) {
      const { sentAt, deliveredAt } = await stored.emails.get(email._id);
      const earliest = Math.max(Number(email.createdAt), Number(set.sentAt));
      for (const at of [sentAt, deliveredAt]) expect(Number(at)).toBeGreaterThanOrEqual(earliest);
    }
  });

  test('where the clock of the process that accepted it is ahead', async () => {
    const { contactId, finished } = await together(after(1));
    await recordAccepted(app.core, finished);
    const at = after(3).toISOString();
    expect(await inOrder({ contactId })).toEqual([
      ['email.delivered', at],
      ['email.sent', at],
      ['email.queued', at],
    ]);
  });
});

test('events of a contact are listed in their order, however many messages it got and however long those waited', async () => {
  const contactId = await contact(app, {}, key);
  const finished: Outcome[] = [];
  for (let hour = 1; hour <= 30; hour++) {
    const at = new Date(AT.getTime() - hour * HOUR_MS);
    const waited = Array.from({ length: 20 }, (_, n) => ({ contactId, createdAt: new Date(at.getTime() - ((n * 7) % 24) * HOUR_MS) }));
    finished.push(...(await accepted(waited, at)));
  }
  await recordAccepted(app.core, finished);
  const expected = finished
    .flatMap(({ email, set }) => eventsOfAccepted(email, set.sentAt as Date))
    .filter(({ name }) => name === 'email.delivered')
    .sort(newerFirst);
  const query = { contactId, name: 'email.delivered', limit: 90 };
  expect(await rowsOf(app.api(key), '/v1/events', query)).toEqual(expected);
  const [from, to] = [25, 5].map((hour) => new Date(AT.getTime() - hour * HOUR_MS).toISOString()) as [string, string];
  const within = expected.filter(({ createdAt }) => createdAt >= from && createdAt < to);
  expect(await rowsOf(app.api(key), '/v1/events', { ...query, from, to })).toEqual(within);
});

test('a condition on how often a contact was written to counts all that came at once', async () => {
  const ids = await Promise.all(Array.from({ length: 5 }, () => contact(app, {}, key)));
  const [once, twice, both] = ids as [string, string, string];
  const others = withoutContact(6);
  await recordAccepted(
    app.core,
    await accepted([...others, { contactId: twice }, { contactId: once }, { contactId: both }, ...others, { contactId: twice }]),
  );
  await recordAccepted(app.core, await accepted([{ contactId: both }]));
  const matching = async (filter: object): Promise<number> => {
    const conditions = { logic: 'and', groups: [{ filters: [{ field: 'event.email.delivered', ...filter }] }] };
    return (await app.api(key).post('/v1/segments').send({ name: 'Some', conditions }).expect(201)).body.data.memberCount as number;
  };
  expect(await matching({ operator: 'triggered' })).toBe(3);
  expect(await matching({ operator: 'notTriggered' })).toBe(2);
  expect(await matching({ operator: 'countAtLeast', value: 2 })).toBe(2);
  expect(await matching({ operator: 'triggeredWithin', value: 1, unit: 'hours' })).toBe(3);
});

test('a wait looks back at events of any storage, oldest first', async () => {
  const contactId = await contact(app, {}, key);
  const since = new Date();
  const [first, ...others] = await accepted([{ contactId }, ...withoutContact(5)]);
  await recordAccepted(app.core, first ? [first, ...others] : []);
  const [second] = await accepted([{ contactId }]);
  await recordAccepted(app.core, second ? [second] : []);
  const asked = { projectId, contactId, name: 'email.delivered', liveOnly: true };
  const seen = await eventsReceived(asked, new Date(since.getTime() - 1), new Date(Date.now() + 1));
  expect(seen.map(({ _id }) => _id)).toEqual([first, second].map((each) => each && eventsOfAccepted(each.email, AT)[2]?.eventId));
  expect(seen[0]?.data).toEqual({ source: 'campaign', response: ACCEPTED });
  expect(await eventsReceived(asked, new Date(Date.now() + 1), new Date(Date.now() + 2))).toEqual([]);
});
