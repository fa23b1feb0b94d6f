import mongoose from 'mongoose';
import { record } from '../../../../src/sending/deliver/record';
import type { Outcome } from '../../../../src/records/emails/ledger';
import type { Email } from '../../../../src/records/emails/model';
import { eventsReceived } from '../../../../src/records/events/since';
import { ACCEPTED, acceptance, eventsOfAccepted, newerFirst, onTheWire } from '../../../support/data/accepted-mail';
import type { ListedEvent } from '../../../support/data/accepted-mail';
import { aProject } from '../../../support/platform/app';
import { activate, chain, contact, node } from '../../../support/calls/automations';
import { listen } from '../../../support/platform/fan-out';
import { stored } from '../../../support/data/stored';
import { newProject } from '../../../support/data/projects';

const app = aProject();
let projectId: string;
let key: string;

beforeEach(async () => {
  ({ projectId, secret: key } = await newProject('Fresh'));
});
afterEach(() => jest.restoreAllMocks());

const AT = new Date(Math.floor(Date.now() / 1000) * 1000 - 60_000);
const withoutContact = (count: number, change: Partial<Email> = {}): Partial<Email>[] =>
  Array.from({ length: count }, () => ({ contactId: null, createdAt: AT, ...change }));
const accepted = async (changes: readonly Partial<Email>[], at = AT): Promise<Outcome[]> =>
  (await onTheWire(projectId, changes)).map((email) => acceptance(email, at));

const groups = (): Promise<number> => stored.eventGroups.count({ projectId });
const alone = (name: string): Promise<number> => stored.events.count({ projectId, name });
const listed = async (): Promise<ListedEvent[]> => (await app.api(key).get('/v1/events?limit=100').expect(200)).body.data as ListedEvent[];
const wanted = (finished: readonly Outcome[], at = AT): ListedEvent[] =>
  finished.flatMap(({ email }) => eventsOfAccepted(email, at)).sort(newerFirst);

/** The connection breaks while the next group is stored: `before` it is, or after. */
function breakOnce(when: 'before' | 'after'): void {
  const { db } = mongoose.connection;
  if (!db) throw new Error('Not connected');
  const command = db.command.bind(db);
  const spy = jest.spyOn(db, 'command').mockImplementation(async (given, options) => {
    if (given['insert'] !== 'event_groups') return command(given, options);
    spy.mockRestore();
    if (when === 'after') await command(given, options);
    throw new Error('connection closed');
  });
}

describe('who listens', () => {
  test.each(['email.delivered', 'email.*', '*'])('a listener to %s gets an event for each message', async (name) => {
    await listen(projectId, name);
    const finished = await accepted(withoutContact(6));
    await record(app.core, finished);
    expect(await groups()).toBe(0);
    expect(await stored.events.count({ projectId, name: 'email.delivered', fanOut: { $exists: true } })).toBe(6);
    expect(await listed()).toEqual(wanted(finished));
  });

  test('an active workflow that such an event starts is handed each', async () => {
    ({ projectId, secret: key } = app.keys);
    await activate(app, chain(node('end', 'exit')), { trigger: 'event:email.delivered' });
    await record(app.core, await accepted(withoutContact(6)));
    expect([await groups(), await stored.events.count({ projectId, name: 'email.delivered', fanOut: { $exists: true } })]).toEqual([0, 6]);
  });

  test('to something else changes nothing', async () => {
    await listen(projectId, 'email.opened', 'order.placed');
    await record(app.core, await accepted(withoutContact(6)));
    expect([await groups(), await alone('email.delivered')]).toEqual([1, 0]);
  });
});

describe('emitted again after a failure, an event is stored once', () => {
  test('by the same worker with the same messages', async () => {
    const finished = await accepted(withoutContact(8));
    breakOnce('after');
    await expect(record(app.core, finished)).rejects.toThrow('connection closed');
    await Promise.all([record(app.core, finished), record(app.core, finished)]);
    expect([await groups(), await alone('email.sent')]).toEqual([1, 0]);
    expect(await listed()).toEqual(wanted(finished));
  });

  test('also when somebody has begun to listen meanwhile', async () => {
    const finished = await accepted(withoutContact(8));
    breakOnce('after');
    await expect(record(app.core, finished)).rejects.toThrow('connection closed');
    await listen(projectId, '*');
    await record(app.core, finished);
    expect(await listed()).toEqual(wanted(finished));
  });

  test('what was not stored before somebody began to listen is heard', async () => {
    const finished = await accepted(withoutContact(8));
    breakOnce('before');
    await expect(record(app.core, finished)).rejects.toThrow('connection closed');
    await listen(projectId, '*');
    await record(app.core, finished);
    expect(await stored.events.count({ projectId, name: 'email.delivered', fanOut: { $exists: true } })).toBe(8);
    expect(await listed()).toEqual(wanted(finished));
  });

  test('also when there is no listener any more', async () => {
    await listen(projectId, '*');
    const finished = await accepted(withoutContact(8));
    await record(app.core, finished);
    await listen(projectId);
    await record(app.core, finished);
    expect(await groups()).toBe(0);
    expect(await listed()).toEqual(wanted(finished));
  });
});

describe('messages that are not grouped', () => {
  test('messages that were begun before, or too few', async () => {
    await record(app.core, await accepted(withoutContact(6, { attempts: 2 })));
    await record(app.core, await accepted(withoutContact(4)));
    expect([await groups(), await alone('email.delivered')]).toEqual([0, 10]);
  });

  test('what was accepted in different seconds keeps its hour', async () => {
    const hour = new Date(Date.UTC(2026, 1, 1, 5));
    const before = new Date(hour.getTime() - 1);
    const [early, late] = await Promise.all([before, hour].map((at) => accepted(withoutContact(5, { createdAt: at }), at)));
    await record(app.core, [...(early ?? []), ...(late ?? [])]);
    expect(await groups()).toBe(2);
    expect(await listed()).toEqual([...wanted(late ?? [], hour), ...wanted(early ?? [], before)]);
  });

  test('messages of different kinds', async () => {
    const finished = [...(await accepted(withoutContact(5))), ...(await accepted(withoutContact(5, { source: 'workflow' })))];
    await record(app.core, finished);
    expect(await groups()).toBe(2);
    expect(await listed()).toEqual(wanted(finished));
  });
});

test('a condition on how often a contact was written to counts all that came at once', async () => {
  const ids = await Promise.all(Array.from({ length: 5 }, () => contact(app, {}, key)));
  const [once, twice, both] = ids as [string, string, string];
  const others = withoutContact(6);
  await record(
    app.core,
    await accepted([...others, { contactId: twice }, { contactId: once }, { contactId: both }, ...others, { contactId: twice }]),
  );
  await record(app.core, await accepted([{ contactId: both }]));
  const matching = async (filter: object): Promise<number> => {
    const conditions = { logic: 'and', groups: [{ filters: [{ field: 'event.email.delivered', ...filter }] }] };
    return (await app.api(key).post('/v1/segments').send({ name: 'Some', conditions }).expect(201)).body.data.memberCount as number;
  };
  expect(await matching({ operator: 'triggered' })).toBe(3);
  expect(await matching({ operator: 'notTriggered' })).toBe(2);
  expect(await matching({ operator: 'countAtLeast', value: 2 })).toBe(2);
  expect(await matching({ operator: 'triggeredWithin', value: 1, unit: 'hours' })).toBe(3);
});

test('a wait looks back at single and grouped events, oldest first', async () => {
  const contactId = await contact(app, {}, key);
  const since = new Date();
  const [first, ...others] = await accepted([{ contactId }, ...withoutContact(5)]);
  await record(app.core, first ? [first, ...others] : []);
  const [second] = await accepted([{ contactId }]);
  await record(app.core, second ? [second] : []);
  const asked = { projectId, contactId, name: 'email.delivered', liveOnly: true };
  const seen = await eventsReceived(asked, new Date(since.getTime() - 1), new Date(Date.now() + 1));
  expect(seen.map(({ _id }) => _id)).toEqual([first, second].map((each) => each && eventsOfAccepted(each.email, AT)[2]?.eventId));
  expect(seen[0]?.data).toEqual({ source: 'campaign', response: ACCEPTED });
  expect(await eventsReceived(asked, new Date(Date.now() + 1), new Date(Date.now() + 2))).toEqual([]);
});
