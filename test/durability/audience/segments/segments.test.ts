import mongoose from 'mongoose';
import type { Contact } from '../../../../src/audience/contacts/model';
import { aPlatform, eventually } from '../../../support/platform/platform';
import { aTemporalClient } from '../../../support/platform/platform-parts';
import { all, memberOf } from '../../../support/calls/segment-calls';
import { stored } from '../../../support/data/stored';

const CONTACTS = 5_000;

const platform = aPlatform();
const client = aTemporalClient(platform);

/** The schedule's own run may wait for its next round. */
const sweepNow = () => client.workflow.start('segmentSweep', { workflowId: `segment-sweep-${Math.random()}`, taskQueue: 'orchestration' });

beforeAll(async () => {
  // What a killed process has written in a transaction is held so long: a minute, by default.
  await mongoose.connection.db?.admin().command({ setParameter: 1, transactionLifetimeLimitSeconds: 3 });
});

const membersOf = (segmentId: string): Promise<number> => stored.members.count({ segmentId });
const countOf = async (segmentId: string): Promise<number> =>
  (await platform.get(`/v1/segments/${segmentId}`)).body.data.memberCount as number;

async function dynamic(conditions: object): Promise<{ segmentId: string; memberCount: number }> {
  const { status, body } = await platform.post('/v1/segments', { name: 'Segment', conditions });
  expect(status).toBe(201);
  return body.data;
}

const isCounted = async (segmentId: string): Promise<boolean> => (await countOf(segmentId)) === (await membersOf(segmentId));

/** Five seconds are promised, on a machine that does nothing else; without being followed, a change waits minutes for the sweep. */
const FOLLOWED_MS = 20_000;

test('a change is followed in seconds, through a segment that asks about another, and counted within a minute', async () => {
  const plan = { field: 'data.plan', operator: 'equals', value: 'pro' };
  const { segmentId } = await dynamic(all(plan));
  const nested = await dynamic(all(memberOf(segmentId), { field: 'event.login', operator: 'countAtLeast', value: 2 }));
  await platform.post('/v1/contacts', { email: 'ada@example.com', data: { plan: 'pro' } });
  await eventually('Ada is in', async () => (await membersOf(segmentId)) === 1, FOLLOWED_MS);
  for (let n = 0; n < 2; n++) expect((await platform.post('/v1/events', { name: 'login', email: 'ada@example.com' })).status).toBe(201);
  await eventually('Ada is in the other one', async () => (await membersOf(nested.segmentId)) === 1, FOLLOWED_MS);
  await eventually('both are counted', async () => (await isCounted(segmentId)) && (await isCounted(nested.segmentId)), 120_000);
  await platform.post('/v1/contacts', { email: 'ada@example.com', data: { plan: null } });
  await eventually('Ada is out of both', async () => (await membersOf(segmentId)) + (await membersOf(nested.segmentId)) === 0, FOLLOWED_MS);
});

test('a sweep that is killed lets everybody enter and leave, with one event each', async () => {
  const age = (hours: number): Date => new Date(Date.now() - hours * 3_600_000);
  const rows = Array.from({ length: CONTACTS }, (_, n): Contact => ({
    _id: `ctc_old${String(n).padStart(6, '0')}`,
    projectId: platform.keys.projectId,
    email: `old${n}@example.com`,
    firstName: null,
    lastName: null,
    subscribed: true,
    data: { group: 'old' },
    locale: null,
    timezone: null,
    createdAt: age(0),
    updatedAt: age(0),
    optedOutAt: null,
  }));
  await stored.contacts.collection.insertMany(rows);
  const { segmentId, memberCount } = await dynamic(
    all({ field: 'data.group', operator: 'equals', value: 'old' }, { field: 'createdAt', operator: 'olderThan', value: 2, unit: 'hours' }),
  );
  expect(memberCount).toBe(0);
  await stored.contacts.collection.updateMany({ 'data.group': 'old' }, { $set: { createdAt: age(3) } });
  await stored.segments.change(segmentId, { sweepAt: new Date() });
  await sweepNow();
  await eventually('some are in', async () => (await membersOf(segmentId)) > 0);
  await platform.worker.kill9();
  expect(await membersOf(segmentId)).toBeLessThan(CONTACTS);
  await platform.worker.start();
  await eventually('all are in', async () => (await membersOf(segmentId)) === CONTACTS);
  await eventually('all are counted', () => isCounted(segmentId));
  const emitted = await stored.events.collection
    .aggregate<{ _id: string; times: number; contacts: number }>([
      { $match: { 'data.segmentId': segmentId } },
      { $group: { _id: { name: '$name', contactId: '$contactId' }, times: { $sum: 1 } } },
      { $group: { _id: '$_id.name', times: { $sum: '$times' }, contacts: { $sum: 1 } } },
    ])
    .toArray();
  expect(emitted).toEqual([{ _id: 'segment.entered', times: CONTACTS, contacts: CONTACTS }]);
});

test('an API process that is killed while it computes leaves that to the sweep', async () => {
  const answer = platform.post('/v1/segments', { name: 'Everybody', conditions: all({ field: 'data.group', operator: 'exists' }) });
  const row = await eventually('it computes', () => stored.segments.one({ name: 'Everybody' }));
  await platform.api.kill9();
  await answer.catch(() => undefined);
  await platform.api.start();
  await stored.segments.change({ _id: row._id, computing: true }, { filledAt: new Date(0), sweepAt: new Date() });
  await sweepNow();
  await eventually('it is computed', async () => (await stored.segments.one(row._id))?.computing === false);
  expect([await membersOf(row._id), await countOf(row._id)]).toEqual([CONTACTS, CONTACTS]);
  expect(await stored.events.count({ 'data.segmentId': row._id })).toBe(0);
});
