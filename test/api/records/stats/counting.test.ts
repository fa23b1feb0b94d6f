import { acceptedOutcome, loggedOutcome, postponed } from '../../../../src/sending/deliver/outcome';
import { Once } from '../../../../src/sending/deliver/counts';
import { record } from '../../../../src/sending/deliver/record';
import type { Outcome } from '../../../../src/records/emails/attempts';
import type { Email } from '../../../../src/records/emails/model';
import { inTransaction } from '../../../../src/platform/mongo/transaction';
import { countMail, countMailIn } from '../../../../src/records/stats/count';
import { optOutOf } from '../../../../src/sending/tracking/opt-out';
import { recordHits } from '../../../../src/sending/tracking/record';
import { aProject } from '../../../support/platform/app';
import { storeEmail, storeEmails } from '../../../support/data/email-rows';
import { RULES, accepted, failed, finishedMessages, refused, simulated } from '../../../support/data/finished';
import type { Judge } from '../../../support/data/finished';
import { counts, statsOf } from './stats-of';
import { BROWSER, link, pixel, recorded, visit } from '../../public/visits';
import { stored } from '../../../support/data/stored';
import { aFreshProject } from '../../../support/data/projects';

const app = aProject();
/** A project of each test's own. */
const keys = aFreshProject('One');

afterEach(() => jest.restoreAllMocks());

const finish = (judge: Judge, changes: readonly Partial<Email>[], at?: Date): Promise<readonly Outcome[]> =>
  finishedMessages(keys.projectId, judge, changes, at);

const deliver = async (judge: Judge, changes: readonly Partial<Email>[] = [{}], at?: Date): Promise<readonly Email[]> => {
  const finished = await finish(judge, changes, at);
  await record(app.core, finished);
  return finished.map(({ email }) => email);
};

const sentOne = (change: Partial<Email> = {}): Promise<Email> =>
  storeEmail(keys.projectId, { status: 'delivered', deliveredAt: new Date(), ...change });

const stats = async () => {
  await recorded();
  return statsOf(app, keys.secret);
};
const totals = async () => (await stats()).totals;

describe('delivery counts', () => {
  test('each thing that becomes of a message, by source', async () => {
    await deliver(accepted, [{}, {}, { source: 'campaign', type: 'marketing' }, { source: 'workflow' }]);
    await deliver(refused, [{ source: 'campaign' }, {}]);
    await deliver(failed, [{ source: 'workflow' }]);
    const simulator = (local: string): Partial<Email> => ({ to: `${local}@simulator.lettermill.test` });
    await deliver(simulated, [simulator('opened'), simulator('clicked'), simulator('complained'), simulator('bounced')]);
    const { totals: all, bySource } = await stats();
    expect(bySource).toEqual({
      transactional: counts({ sent: 7, delivered: 5, opened: 2, clicked: 1, complained: 1, bounced: 2 }),
      campaign: counts({ sent: 2, delivered: 1, bounced: 1 }),
      workflow: counts({ sent: 1, delivered: 1, failed: 1 }),
    });
    expect(all).toEqual(counts({ sent: 10, delivered: 7, opened: 2, clicked: 1, complained: 1, bounced: 3, failed: 1 }));
  });

  test('once, a message whose first attempt was lost after its events were stored, and one whose result is recorded by two', async () => {
    const lost = await finish(accepted, [{}]);
    await record(app.core, lost);
    const again = lost.map((one) => ({ ...one, email: { ...one.email, attempts: 2 } }));
    await record(app.core, again);
    await Promise.allSettled([record(app.core, [...again]), record(app.core, [...again])]);
    expect(await totals()).toEqual(counts({ sent: 1, delivered: 1 }));
  });

  test('as sent, not delivered, what only the next server took', async () => {
    await deliver((email, at) => acceptedOutcome(email, '250 OK', { ...RULES, acceptedIsDelivered: false }, at));
    expect(await totals()).toEqual(counts({ sent: 1 }));
  });

  test('nothing for a message that is put off, or in test mode', async () => {
    await deliver((email, at) => postponed(email, '451 Later', RULES, at));
    await deliver(loggedOutcome, [{ testMode: true }]);
    await deliver(simulated, [{ testMode: true, to: 'clicked@simulator.lettermill.test' }]);
    const message = { to: 'ada@example.com', from: 'team@hello.test', subject: 'Hi', text: 'Hi' };
    await app.api(keys.test).post('/v1/send').send(message).expect(200);
    expect(await totals()).toEqual(counts());
  });

  test('in the hour of its instant', async () => {
    await deliver(accepted, [{}, {}], new Date('2026-02-28T23:59:59.999Z'));
    await deliver(accepted, [{}], new Date('2026-03-01T00:00:00.000Z'));
    const range = { from: '2026-02-28T22:00:00Z', to: '2026-03-01T02:00:00Z', interval: 'hour' };
    const { series } = await statsOf(app, keys.secret, range);
    expect(series.map(({ at, sent }) => [at, sent])).toEqual([
      ['2026-02-28T22:00:00.000Z', 0],
      ['2026-02-28T23:00:00.000Z', 2],
      ['2026-03-01T00:00:00.000Z', 1],
      ['2026-03-01T01:00:00.000Z', 0],
    ]);
  });

  test('all of a hundred flushes at once, in few writes', async () => {
    const flushes = await Promise.all(Array.from({ length: 100 }, () => finish(accepted, [{}, { source: 'campaign' }, {}])));
    const write = jest.spyOn(stored.mailHours.collection, 'bulkWrite');
    await Promise.all(flushes.map((finished) => record(app.core, finished)));
    const { bySource } = await stats();
    expect(bySource.transactional).toEqual(counts({ sent: 200, delivered: 200 }));
    expect(bySource.campaign).toEqual(counts({ sent: 100, delivered: 100 }));
    expect(write.mock.calls.length).toBeLessThan(50);
  });

  test('results once that are recorded again because another step failed', async () => {
    const finished = await finish(accepted, [{}]);
    const once = new Once();
    jest.spyOn(stored.emails.collection, 'bulkWrite').mockRejectedValueOnce(new Error('away'));
    await expect(record(app.core, finished, { once })).rejects.toThrow('away');
    await record(app.core, finished, { once });
    expect(await totals()).toEqual(counts({ sent: 1, delivered: 1 }));
  });

  test('results later when they could not be counted at first', async () => {
    const finished = await finish(accepted, [{}]);
    const once = new Once();
    jest.spyOn(stored.mailHours.collection, 'bulkWrite').mockRejectedValueOnce(new Error('away'));
    await expect(record(app.core, finished, { once })).rejects.toThrow('away');
    await record(app.core, finished, { once });
    expect(await totals()).toEqual(counts({ sent: 1, delivered: 1 }));
  });
});

describe('people count', () => {
  const get = (path: string, headers?: Record<string, string>) => visit(app, 'get', path, headers);

  test('once for each message, however often they open and click', async () => {
    const [one, two] = [await sentOne(), await sentOne({ source: 'workflow' })];
    for (const path of [pixel(app, one), pixel(app, one), link(app, one), link(app, one, 'https://example.com/other'), pixel(app, two)]) {
      await get(path);
    }
    expect((await stats()).bySource).toEqual({
      transactional: counts({ opened: 1, clicked: 1 }),
      campaign: counts(),
      workflow: counts({ opened: 1 }),
    });
  });

  test('once also when everything comes at the same time from many processes', async () => {
    const email = await sentOne();
    const hit = { emailId: email._id, url: null, userAgent: BROWSER, client: null, machine: null, at: new Date() };
    const hits = Array.from({ length: 12 }, (_, n) => ({
      ...hit,
      ...(n % 2 ? { kind: 'click', url: 'https://example.com' } : { kind: 'open' }),
    }));
    await Promise.all(hits.map((each) => recordHits([each as Parameters<typeof recordHits>[0][number]], false)));
    expect(await totals()).toEqual(counts({ opened: 1, clicked: 1 }));
  });

  test('a click as an open, when none came before', async () => {
    await get(link(app, await sentOne()));
    expect(await totals()).toEqual(counts({ opened: 1, clicked: 1 }));
  });

  test('after a machine, which does not', async () => {
    const email = await sentOne();
    await visit(app, 'head', pixel(app, email));
    await get(pixel(app, email), { Purpose: 'prefetch' });
    await get(link(app, email), { 'User-Agent': 'Googlebot/2.1 (+http://www.google.com/bot.html)' });
    expect(await totals()).toEqual(counts());
    await get(pixel(app, email));
    expect(await totals()).toEqual(counts({ opened: 1 }));
  });

  test('not in messages in test mode', async () => {
    const email = await sentOne({ testMode: true });
    await get(pixel(app, email));
    await get(link(app, email));
    await optOutOf(app.core, email._id, 'link');
    expect(await totals()).toEqual(counts());
  });

  test('an opt-out once, through the message it was made in', async () => {
    const email = await sentOne({ source: 'campaign', type: 'marketing' });
    for (let n = 0; n < 2; n++) await optOutOf(app.core, email._id, 'one_click');
    expect((await stats()).bySource).toEqual({ transactional: counts(), campaign: counts({ unsubscribed: 1 }), workflow: counts() });
  });

  test('many opt-outs at once, all of them', async () => {
    const emails = await storeEmails(keys.projectId, ...Array.from({ length: 40 }, (_, n) => ({ to: `reader${n}@example.com` })));
    await Promise.all(emails.map(({ _id }) => optOutOf(app.core, _id, 'link')));
    expect(await totals()).toEqual(counts({ unsubscribed: 40 }));
  });
});

describe('counting in a transaction', () => {
  const received = () => ({
    projectId: keys.projectId,
    source: 'inbound' as const,
    testMode: false,
    counter: 'received' as const,
    at: new Date(),
  });

  test('belongs to it: what is not committed is not counted', async () => {
    const fault = new Error('no');
    const failing = inTransaction(async (session) => {
      await countMailIn(session, [received()]);
      throw fault;
    });
    await expect(failing).rejects.toBe(fault);
    expect(await totals()).toEqual(counts());
    await inTransaction((session) => countMailIn(session, [received(), received()]));
    const { totals: all, bySource } = await stats();
    expect(all).toEqual(counts({ received: 2 }));
    expect(Object.values(bySource)).toEqual([counts(), counts(), counts()]);
  });

  test('never waits for deliveries of the same hour, nor they for it', async () => {
    const sent = { ...received(), source: 'campaign' as const, counter: 'sent' as const };
    await inTransaction(async (session) => {
      await countMailIn(session, [received()]);
      await countMail([sent]);
      await countMailIn(session, [received()]);
    });
    expect(await totals()).toEqual(counts({ received: 2, sent: 1 }));
  });

  test('takes a delivery back, in its own hour, when the message bounces later', async () => {
    const [delivery, bounce] = [new Date('2026-01-31T23:30:00Z'), new Date('2026-02-02T08:00:00Z')];
    const [email] = await deliver(accepted, [{ source: 'campaign' }], delivery);
    const { projectId, source, testMode } = email as Email;
    await inTransaction((session) =>
      countMailIn(session, [
        { projectId, source, testMode, counter: 'delivered', at: delivery, by: -1 },
        { projectId, source, testMode, counter: 'bounced', at: bounce },
      ]),
    );
    const {
      totals: all,
      series,
      rates,
    } = await statsOf(app, keys.secret, {
      from: '2026-01-01T00:00:00Z',
      to: '2026-03-01T00:00:00Z',
      interval: 'month',
    });
    expect(all).toEqual(counts({ sent: 1, bounced: 1 }));
    expect(series.map(({ sent, delivered, bounced }) => [sent, delivered, bounced])).toEqual([
      [1, 0, 0],
      [0, 0, 1],
    ]);
    expect(rates).toMatchObject({ delivery: 0, bounce: 1, open: null });
  });
});
