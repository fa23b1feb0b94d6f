import mongoose from 'mongoose';
import { record } from '../../../../src/sending/deliver/record';
import type { Email, EmailSource } from '../../../../src/records/emails/model';
import { tallyEvents } from '../../../../src/records/events/tally';
import { optOutOf } from '../../../../src/sending/tracking/opt-out';
import { recordHits } from '../../../../src/sending/tracking/record';
import { aProject } from '../../../support/platform/app';
import { storeEmail } from '../../../support/data/email-rows';
import { accepted, failed, finishedMessages, refused, simulated } from '../../../support/data/finished';
import type { Judge } from '../../../support/data/finished';
import { queryPlans } from '../../../support/checks/query-plans';
import { counts, statsOf } from './stats-of';
import type { WireStats } from './stats-of';
import { BROWSER } from '../../public/visits';
import { stored } from '../../../support/data/stored';
import { aFreshProject } from '../../../support/data/projects';

const HOUR_MS = 3_600_000;

const app = aProject();
/** A project of each test's own. */
const keys = aFreshProject('One');

const on = (time: string): Date => new Date(`2026-03-01T${time}Z`);
const stats = (from: Date, to: Date, interval = 'hour'): Promise<WireStats> =>
  statsOf(app, keys.secret, { from: from.toISOString(), to: to.toISOString(), interval });
const totals = async (from: string, to: string) => (await stats(on(from), on(to))).totals;

async function deliver(judge: Judge, time: string, changes: readonly Partial<Email>[], projectId = keys.projectId): Promise<void> {
  await record(app.core, await finishedMessages(projectId, judge, changes, on(time)));
}

const many = (n: number, change: Partial<Email> = {}): readonly Partial<Email>[] => Array.from({ length: n }, () => change);
const simulator = (local: string, change: Partial<Email> = {}): Partial<Email> => ({ to: `${local}@simulator.lettermill.test`, ...change });

const sentOne = (change: Partial<Email> = {}): Promise<Email> =>
  storeEmail(keys.projectId, { status: 'delivered', deliveredAt: on('08:00:00'), ...change });

const hit = ({ _id }: Email, time: string, url: string | null = null) =>
  ({ emailId: _id, kind: url ? 'click' : 'open', url, userAgent: BROWSER, client: null, machine: null, at: on(time) }) as const;

async function subscribeAgain({ to }: Email): Promise<void> {
  await stored.contacts.change({ projectId: keys.projectId, email: to }, { subscribed: true, optedOutAt: null });
  await stored.suppressions.remove({ projectId: keys.projectId, email: to });
}

async function optOutTwice(email: Email, first: string, second: string): Promise<void> {
  await app.api(keys.secret).post('/v1/contacts').send({ email: email.to }).expect(201);
  await optOutOf(app.core, email._id, 'link', on(first));
  await subscribeAgain(email);
  await optOutOf(app.core, email._id, 'link', on(second));
}

type Happened = readonly [time: string, source: EmailSource, counter: keyof ReturnType<typeof counts>, times: number];

const delivered = (time: string, source: EmailSource, times: number): readonly Happened[] => [
  [time, source, 'sent', times],
  [time, source, 'delivered', times],
];

/** What the statistics are to know of `morning`. */
const HAPPENED: readonly Happened[] = [
  ...delivered('09:59:59.999', 'transactional', 1),
  ...delivered('10:15:00.000', 'transactional', 2),
  ['10:30:00.000', 'workflow', 'sent', 1],
  ['10:30:00.000', 'workflow', 'bounced', 1],
  ['10:40:00.000', 'campaign', 'opened', 1],
  ...delivered('10:45:00.000', 'campaign', 7),
  ...delivered('10:50:00.000', 'workflow', 1),
  ['10:50:00.000', 'workflow', 'opened', 1],
  ['10:50:00.000', 'workflow', 'clicked', 1],
  ...delivered('11:20:00.000', 'transactional', 6),
  ['12:05:00.000', 'campaign', 'clicked', 1],
  ['12:20:00.000', 'campaign', 'unsubscribed', 1],
  ['12:29:59.999', 'transactional', 'failed', 1],
  ...delivered('12:30:00.000', 'campaign', 1),
  ['12:30:00.000', 'campaign', 'complained', 1],
  ...delivered('12:40:00.000', 'transactional', 8),
  ['12:45:00.000', 'transactional', 'opened', 1],
  ['12:45:00.000', 'transactional', 'clicked', 1],
  ...delivered('13:00:00.000', 'transactional', 1),
];

/** Mail of a morning: alone and in groups, live and not, and what people and machines did with it. */
async function morning(): Promise<void> {
  await deliver(accepted, '09:59:59.999', many(1));
  await deliver(accepted, '10:15:00.000', many(2));
  await deliver(refused, '10:30:00.000', [{ source: 'workflow' }]);
  await deliver(accepted, '10:45:00.000', many(7, { source: 'campaign', type: 'marketing' }));
  await deliver(simulated, '10:50:00.000', [simulator('clicked', { source: 'workflow' })]);
  await deliver(accepted, '11:20:00.000', many(6));
  await deliver(failed, '12:29:59.999', many(1));
  await deliver(simulated, '12:30:00.000', [simulator('complained', { source: 'campaign', type: 'marketing' })]);
  await deliver(accepted, '12:40:00.000', many(8));
  await deliver(accepted, '13:00:00.000', many(1));
  for (const time of ['10:45:00.000', '12:10:00.000']) {
    await deliver(simulated, time, [simulator('clicked', { testMode: true })]);
    await deliver(accepted, time, many(9), app.otherKeys.projectId);
  }
  const [email, seen] = [await sentOne({ source: 'campaign', to: 'reader@example.com' }), await sentOne()];
  await recordHits([{ ...hit(email, '10:20:00.000'), machine: 'purpose' }], false);
  await recordHits([hit(email, '10:40:00.000')], false);
  await recordHits([hit(email, '12:05:00.000'), hit(email, '12:05:00.000', 'https://example.com/a')], false);
  await recordHits([hit(email, '12:35:00.000', 'https://example.com/b'), hit(email, '12:35:00.000')], false);
  await recordHits([hit(seen, '12:45:00.000', 'https://example.com/a')], false);
  await optOutTwice(email, '12:20:00.000', '12:50:00.000');
}

function sum(happened: readonly Happened[]) {
  const sums = counts();
  for (const [, , counter, times] of happened) sums[counter] += times;
  return sums;
}

const INTERVALS = ['hour', 'day', 'month'];

const answers = (from: string, to: string) => Promise.all(INTERVALS.map((interval) => stats(on(from), on(to), interval)));

/** What they have to be, by the hour, the day and the month. */
function expected(from: string, to: string) {
  const within = HAPPENED.filter(([time]) => on(time) >= on(from) && on(time) < on(to));
  const first = Math.floor(on(from).getTime() / HOUR_MS);
  const hours = Array.from({ length: Math.ceil(on(to).getTime() / HOUR_MS) - first }, (_, index) => {
    const at = new Date((first + index) * HOUR_MS).toISOString();
    return { at, ...sum(within.filter(([time]) => on(time).toISOString().slice(0, 13) === at.slice(0, 13))) };
  });
  const totals = sum(within);
  const bySource = Object.fromEntries(
    ['transactional', 'campaign', 'workflow'].map((name) => [name, sum(within.filter(([, source]) => source === name))]),
  );
  const whole = [{ at: '2026-03-01T00:00:00.000Z', ...totals }];
  const span = { from: on(from).toISOString(), to: on(to).toISOString() };
  return [hours, whole, whole].map((series) => ({ ...span, totals, bySource, series }));
}

/** Dates events back far enough to be tallied, with nothing tallied yet. */
async function tally(): Promise<void> {
  await mongoose.connection.collection('event_tally').deleteMany({});
  await stored.emails.collection.updateMany({ holds: { $exists: true } }, { $set: { recordedAt: new Date(Date.now() - 100_000) } });
  await tallyEvents();
}

describe('a span counts what happened from its first instant up to its last, exclusive', () => {
  const SPANS = [
    ['whole hours', '10:00:00.000', '13:00:00.000'],
    ['parts of two hours and the one between', '10:30:00.000', '12:30:00.000'],
    ['a little less at its beginning, a little more at its end', '10:30:00.001', '12:30:00.001'],
    ['a part at its beginning', '10:44:59.999', '13:00:00.000'],
    ['a part at its end', '10:00:00.000', '12:40:00.001'],
    ['parts of two hours that meet', '10:45:00.001', '11:20:00.001'],
    ['a part of one hour', '10:15:00.000', '10:45:00.000'],
    ['the last part of an hour', '12:30:00.000', '13:00:00.000'],
    ['the first part of an hour', '10:00:00.000', '10:15:00.001'],
    ['an instant', '10:45:00.000', '10:45:00.001'],
    ['nothing', '11:20:00.001', '11:59:59.999'],
  ] as const;

  test('in totals, sources and buckets, before and after it is tallied', async () => {
    await morning();
    const answered = async () => Promise.all(SPANS.map(async ([name, from, to]) => [name, await answers(from, to)]));
    const right = SPANS.map(([name, from, to]) => [name, expected(from, to)]);
    expect(await answered()).toMatchObject(right);
    await tally();
    expect(await answered()).toMatchObject(right);
  });

  test('so that the parts of an hour, wherever it is cut, are the whole of it', async () => {
    await morning();
    const whole = await totals('10:00:00.000', '13:00:00.000');
    for (const cut of ['10:00:00.001', '10:45:00.000', '11:00:00.000', '12:05:00.000', '12:59:59.999']) {
      const [before, after] = [await totals('10:00:00.000', cut), await totals(cut, '13:00:00.000')];
      const both = Object.entries(before).map(([name, count]) => [name, count + after[name as keyof typeof after]]);
      expect(Object.fromEntries(both)).toEqual(whole);
    }
  });

  test('with rates of exactly that', async () => {
    await morning();
    const { rates } = await stats(on('10:30:00.000'), on('10:50:00.000'));
    expect(rates).toEqual({ delivery: 7 / 8, bounce: 1 / 8, open: 1 / 7, click: 0, complaint: 0, unsubscribe: 0 });
  });
});

test('an open and a click that come together count in the hours in which their events say they happened', async () => {
  const email = await sentOne();
  await recordHits([hit(email, '10:59:59.990'), hit(email, '11:00:00.010', 'https://example.com/')], false);
  expect(await totals('10:00:00.000', '11:00:00.000')).toEqual(counts({ opened: 1 }));
  expect(await totals('11:00:00.000', '12:00:00.000')).toEqual(counts({ clicked: 1 }));
  expect(await totals('10:30:00.000', '11:00:00.010')).toEqual(counts({ opened: 1 }));
  expect(await totals('11:00:00.010', '11:30:00.000')).toEqual(counts({ clicked: 1 }));
});

describe('events are read', () => {
  const plansOf = async (from: string, to: string): Promise<readonly (readonly string[])[]> => {
    const plans = async (collection: string) => (await queryPlans(collection, () => totals(from, to))).map(({ plan }) => plan);
    return [await plans('events'), await plans('emails')];
  };
  const HELD = 'IXSCAN { projectId: 1, holds: 1, sentAt: -1, _id: -1, source: 1, recordedAt: 1 }';
  const LATE = 'IXSCAN { projectId: 1, recordedAt: 1 }';
  const UNTALLIED = [HELD, LATE];
  const ALONE = 'IXSCAN { projectId: 1, name: 1, createdAt: -1, _id: -1 }';

  test('not at all for whole hours', async () => {
    await morning();
    expect(await plansOf('10:00:00.000', '13:00:00.000')).toEqual([[], UNTALLIED]);
  });

  test('along indexes, once for each part of an hour', async () => {
    await morning();
    expect(await plansOf('10:30:00.000', '13:00:00.000')).toEqual([[ALONE], [...UNTALLIED, HELD]]);
    expect(await plansOf('10:30:00.000', '12:30:00.000')).toEqual([
      [ALONE, ALONE],
      [...UNTALLIED, HELD, HELD],
    ]);
    expect(await plansOf('10:20:00.000', '10:40:00.000')).toEqual([[ALONE], [...UNTALLIED, HELD]]);
  });
});
