import mongoose from 'mongoose';
import { acceptedOutcome } from '../../../../src/sending/deliver/outcome';
import type { Email } from '../../../../src/records/emails/model';
import { tallyEvents } from '../../../../src/records/events/tally';
import { aProject } from '../../../support/platform/app';
import { RULES, accepted, finishedMessages, unknownUser } from '../../../support/data/finished';
import type { Judge } from '../../../support/data/finished';
import { recordAccepted } from '../../../support/data/accepted-mail';
import { counts, statsOf } from './stats-of';
import { stored } from '../../../support/data/stored';
import { aFreshProject } from '../../../support/data/projects';

const app = aProject();
/** A project of each test's own. */
const keys = aFreshProject('One');

afterEach(() => jest.restoreAllMocks());

const stats = () => statsOf(app, keys.secret);
const totals = async () => (await stats()).totals;
/** How many messages of the project hold what came of them. */
const holders = () => stored.emails.count({ projectId: keys.projectId, holds: { $exists: true } });

const deliver = async (judge: Judge, changes: readonly Partial<Email>[], at?: Date): Promise<void> =>
  recordAccepted(app.core, await finishedMessages(keys.projectId, judge, changes, at));

/** Dates events back far enough to be tallied, with nothing tallied yet. */
async function dateBack(): Promise<void> {
  await mongoose.connection.collection('event_tally').deleteMany({});
  await stored.emails.changeAll({ projectId: keys.projectId }, { recordedAt: new Date(Date.now() - 100_000) });
}

const many = (n: number, change: Partial<Email> = {}): readonly Partial<Email>[] => Array.from({ length: n }, () => change);

test('events that rows hold count as if they were recorded one by one, before and after they are tallied', async () => {
  await deliver(accepted, [...many(40), ...many(20, { source: 'campaign', type: 'marketing' }), ...many(2, { source: 'workflow' })]);
  await deliver((email, at) => acceptedOutcome(email, '250 OK', { ...RULES, acceptedIsDelivered: false }, at), many(10));
  expect(await holders()).toBe(72);
  const expected = {
    transactional: counts({ sent: 50, delivered: 40 }),
    campaign: counts({ sent: 20, delivered: 20 }),
    workflow: counts({ sent: 2, delivered: 2 }),
  };
  expect((await stats()).bySource).toEqual(expected);
  await dateBack();
  await Promise.all([tallyEvents(), tallyEvents(), expect(stats()).resolves.toMatchObject({ bySource: expected })]);
  const { bySource, series } = await stats();
  expect(bySource).toEqual(expected);
  expect(series.reduce((sum, { sent }) => sum + sent, 0)).toBe(72);
  expect((await app.api(keys.secret).get('/v1/events/stats').query({ name: 'email.sent' }).expect(200)).body.data.total).toBe(72);
});

test('events that rows hold count in the hour, the day and the month of their instant', async () => {
  const nextMonth = new Date('2026-03-01T00:00:00.000Z');
  await deliver(accepted, many(6), new Date('2026-02-28T23:59:59.999Z'));
  await deliver(accepted, many(7), nextMonth);
  const sentBy = async (interval: string): Promise<readonly number[]> => {
    const range = { from: '2026-02-28T23:00:00Z', to: '2026-03-01T01:00:00Z', interval };
    return (await statsOf(app, keys.secret, range)).series.map(({ sent }) => sent);
  };
  const before = await Promise.all(['hour', 'day', 'month'].map(sentBy));
  await dateBack();
  await tallyEvents();
  expect(before).toEqual([
    [6, 7],
    [6, 7],
    [6, 7],
  ]);
  expect(await Promise.all(['hour', 'day', 'month'].map(sentBy))).toEqual(before);
  const later = await statsOf(app, keys.secret, { from: nextMonth.toISOString(), to: '2026-03-02T00:00:00Z' });
  expect(later.totals.sent).toBe(7);
});

test('events that rows hold count once when a step failed and was repeated', async () => {
  const finished = await finishedMessages(keys.projectId, accepted, many(30));
  jest.spyOn(stored.emails.collection, 'bulkWrite').mockRejectedValueOnce(new Error('away'));
  await recordAccepted(app.core, finished);
  expect(await totals()).toEqual(counts({ sent: 30, delivered: 30 }));
});

test('events that rows hold count in the reputation too, before a hard bounce is judged', async () => {
  await deliver(accepted, many(99));
  await deliver(unknownUser, [{}]);
  const hours = await mongoose.connection.collection('delivery_counts').find({ projectId: keys.projectId }).toArray();
  expect(hours.reduce((sum, { sent }) => sum + Number(sent), 0)).toBe(100);
  expect(hours.reduce((sum, { bounced }) => sum + Number(bounced), 0)).toBe(1);
});
