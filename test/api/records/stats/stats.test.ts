import { contactIdFor } from '../../../../src/audience/contacts/service';
import { getProject } from '../../../../src/records/projects/service';
import { countMail } from '../../../../src/records/stats/count';
import type { MailHappening } from '../../../../src/records/stats/count';
import { aProject } from '../../../support/platform/app';
import { queryPlans } from '../../../support/checks/query-plans';
import { counts, statsOf } from './stats-of';
import type { WireStats } from './stats-of';
import { stored } from '../../../support/data/stored';
import { aFreshProject } from '../../../support/data/projects';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const app = aProject();
/** A project of each test's own. */
const keys = aFreshProject('One');

afterEach(() => jest.restoreAllMocks());

const stats = (query: object = {}): Promise<WireStats> => statsOf(app, keys.secret, query);

/** Counts `sent` of transactional mail at each instant, unless something else is said. */
const happened = (instants: readonly string[], change: Partial<MailHappening> = {}): Promise<void> =>
  countMail(
    instants.map((at) => ({
      projectId: keys.projectId,
      source: 'transactional',
      testMode: false,
      counter: 'sent',
      at: new Date(at),
      ...change,
    })),
  );

const many = (n: number, counter: MailHappening['counter'], source: MailHappening['source'] = 'transactional') =>
  happened(
    Array.from({ length: n }, () => new Date().toISOString()),
    { counter, source },
  );

const sentBy = ({ series }: WireStats) => series.map(({ at, sent }) => [at, sent]);

describe('GET /v1/stats', () => {
  test('shows everything of a project in which nothing happened, for thirty days', async () => {
    const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
    const instant = (days: number): string => new Date(today + days * DAY_MS).toISOString();
    expect(await stats()).toEqual({
      from: instant(-29),
      to: instant(1),
      interval: 'day',
      totals: counts(),
      rates: { delivery: null, open: null, click: null, bounce: null, complaint: null, unsubscribe: null },
      bySource: { transactional: counts(), campaign: counts(), workflow: counts() },
      series: Array.from({ length: 30 }, (_, n) => ({ at: instant(n - 29), ...counts() })),
      contacts: { total: 0, subscribed: 0, unsubscribed: 0, suppressed: 0 },
    });
  });

  test('adds up sources and buckets to the totals', async () => {
    await many(3, 'sent');
    await many(2, 'sent', 'campaign');
    await many(4, 'delivered', 'workflow');
    await many(5, 'received', 'inbound');
    const { totals, bySource, series } = await stats();
    expect(totals).toEqual(counts({ sent: 5, delivered: 4, received: 5 }));
    expect(bySource).toEqual({ transactional: counts({ sent: 3 }), campaign: counts({ sent: 2 }), workflow: counts({ delivered: 4 }) });
    expect(series.at(-1)).toEqual({ at: series.at(-1)?.at, ...totals });
  });

  test('gives the rates of what was sent and of what was delivered', async () => {
    const given = { sent: 8, delivered: 5, opened: 4, clicked: 2, bounced: 2, complained: 1, unsubscribed: 1 } as const;
    for (const [counter, n] of Object.entries(given)) await many(n, counter as keyof typeof given);
    expect((await stats()).rates).toEqual({ delivery: 5 / 8, open: 0.8, click: 0.4, bounce: 0.25, complaint: 0.2, unsubscribe: 0.2 });
  });

  test('never gives a rate above one: what is opened today may have been delivered earlier', async () => {
    await many(1, 'delivered');
    await many(3, 'opened');
    expect((await stats()).rates).toMatchObject({ open: 1, delivery: null });
  });

  test('by the hour answers the last 48 hours', async () => {
    const { from, to, series } = await stats({ interval: 'hour' });
    expect(series).toHaveLength(48);
    expect(Date.parse(to) - Date.parse(from)).toBe(48 * HOUR_MS);
    expect(Date.parse(to) - Date.now()).toBeLessThanOrEqual(HOUR_MS);
  });

  test('begins thirty days before `to` where only that is given, and ends with today where only `from` is', async () => {
    expect((await stats({ to: '2026-03-10T12:00:00Z' })).from).toBe('2026-02-08T12:00:00.000Z');
    const { to, series } = await stats({ from: new Date(Date.now() - 2 * DAY_MS).toISOString() });
    expect(Date.parse(to)).toBe((Math.floor(Date.now() / DAY_MS) + 1) * DAY_MS);
    expect(series).toHaveLength(3);
  });

  test('shows a project nothing of another one', async () => {
    await many(2, 'sent');
    expect((await statsOf(app, app.otherKeys.secret)).totals).toEqual(counts());
    expect((await statsOf(app, keys.test)).totals).toEqual(counts({ sent: 2 }));
    await app.api(keys.public).get('/v1/stats').expect(401);
  });
});

describe('buckets', () => {
  test('are calendar months, over the end of a year and of a leap February', async () => {
    await happened([
      '2023-12-31T23:59:59.999Z',
      '2024-01-01T00:00:00Z',
      '2024-02-29T23:59:59Z',
      '2024-02-29T12:00:00Z',
      '2024-03-01T00:00:00Z',
    ]);
    const answer = await stats({ from: '2023-12-15T10:00:00Z', to: '2024-03-01T00:00:00Z', interval: 'month' });
    expect(sentBy(answer)).toEqual([
      ['2023-12-01T00:00:00.000Z', 1],
      ['2024-01-01T00:00:00.000Z', 1],
      ['2024-02-01T00:00:00.000Z', 2],
    ]);
    expect(answer).toMatchObject({ from: '2023-12-15T10:00:00.000Z', to: '2024-03-01T00:00:00.000Z', totals: { sent: 4 } });
  });

  test('are UTC days, for any offset of the instants given; empty ones are there', async () => {
    await happened(['2026-02-28T23:30:00Z', '2026-03-02T00:00:00Z']);
    const answer = await stats({ from: '2026-03-01T00:00:00+02:00', to: '2026-03-02T20:00:00-05:00' });
    expect(sentBy(answer)).toEqual([
      ['2026-02-28T00:00:00.000Z', 1],
      ['2026-03-01T00:00:00.000Z', 0],
      ['2026-03-02T00:00:00.000Z', 1],
      ['2026-03-03T00:00:00.000Z', 0],
    ]);
  });

  test.each([
    ['hour', 400 * HOUR_MS],
    ['day', 400 * DAY_MS],
  ])('are at most 400: %s', async (interval, span) => {
    const from = Date.UTC(2025, 0, 1);
    const range = (to: number) => ({ interval, from: new Date(from).toISOString(), to: new Date(to).toISOString() });
    expect((await stats(range(from + span))).series).toHaveLength(400);
    const { body } = await app
      .api(keys.secret)
      .get('/v1/stats')
      .query(range(from + span + 1))
      .expect(422);
    expect(body).toMatchObject({ code: 'validation_error', details: [{ path: 'from', code: 'too_big' }] });
  });

  test('are at most 400: month', async () => {
    const from = '1993-01-31T00:00:00Z';
    expect((await stats({ interval: 'month', from, to: '2026-05-01T00:00:00Z' })).series).toHaveLength(400);
    const query = { interval: 'month', from, to: '2026-05-01T00:00:00.001Z' };
    const { body } = await app.api(keys.secret).get('/v1/stats').query(query).expect(422);
    expect(body.details).toEqual([expect.objectContaining({ path: 'from', code: 'too_big' })]);
  });

  test('lie right at the ends of time', async () => {
    const { series } = await stats({ interval: 'month', from: '0001-01-01T00:00:00Z', to: '0001-03-01T00:00:00Z' });
    expect(series.map(({ at }) => at)).toEqual(['0001-01-01T00:00:00.000Z', '0001-02-01T00:00:00.000Z']);
    await app.api(keys.secret).get('/v1/stats').query({ from: '0001-01-01T00:00:00Z', to: '9999-12-31T23:59:59Z' }).expect(422);
  });
});

describe('a query that makes no sense', () => {
  test.each([
    [{ from: '2026-01-02T00:00:00Z', to: '2026-01-02T00:00:00Z' }, 'from', 'invalid_combination'],
    [{ from: '2026-01-03T00:00:00Z', to: '2026-01-02T00:00:00Z' }, 'from', 'invalid_combination'],
    [{ from: '2999-01-01T00:00:00Z' }, 'from', 'invalid_combination'],
    [{ from: 'yesterday' }, 'from', 'invalid_string'],
    [{ to: '2026-01-01' }, 'to', 'invalid_string'],
    [{ to: '2026-01-01T00:00:00' }, 'to', 'invalid_string'],
    [{ interval: 'week' }, 'interval', 'invalid_enum_value'],
    [{ interval: '' }, 'interval', 'invalid_enum_value'],
  ])('%j is refused', async (query, path, code) => {
    const { body } = await app.api(keys.secret).get('/v1/stats').query(query).expect(422);
    expect(body).toMatchObject({ code: 'validation_error', details: [{ path, code }] });
  });

  test.each(['projectId[$ne]=x', 'unknown=1'])('%s asks for nothing', async (query) => {
    await many(1, 'sent');
    const { body } = await app.api(keys.secret).get(`/v1/stats?${query}`).expect(200);
    expect(body.data.totals).toEqual(counts({ sent: 1 }));
  });
});

describe('contacts', () => {
  const contact = (email: string, subscribed = true) => app.api(keys.secret).post('/v1/contacts').send({ email, subscribed }).expect(201);
  const suppress = (email: string, reason = 'manual', key = keys.secret) =>
    app.api(key).post('/v1/suppressions').send({ email, reason }).expect(201);

  test('are counted as they are, suppressed ones by their records', async () => {
    for (const name of ['a', 'b', 'c']) await contact(`${name}@example.com`);
    for (const name of ['d', 'e']) await contact(`${name}@example.com`, false);
    for (const name of ['a', 'd', 'nobody']) await suppress(`${name}@example.com`);
    await suppress('b@example.com', 'unsubscribe');
    await suppress('c@example.com', 'manual', app.otherKeys.secret);
    const { subscribed } = (await app.api(keys.secret).get('/v1/contacts/b@example.com').expect(200)).body.data as { subscribed: boolean };
    const others = subscribed ? { subscribed: 3, unsubscribed: 2 } : { subscribed: 2, unsubscribed: 3 };
    expect((await stats()).contacts).toEqual({ total: 5, ...others, suppressed: 3 });
    await app.api(keys.secret).delete('/v1/suppressions/a@example.com').expect(200);
    await app.api(keys.secret).delete('/v1/contacts/d@example.com').expect(200);
    expect((await stats()).contacts).toMatchObject({ total: 4, suppressed: 1 });
  });

  test('are counted once a minute where there are very many', async () => {
    const count = jest.spyOn(stored.contacts.collection, 'countDocuments').mockResolvedValue(60_000);
    const now = jest.spyOn(performance, 'now');
    const many = { total: 120_000, subscribed: 60_000, unsubscribed: 60_000, suppressed: 0 };
    expect([(await stats()).contacts, (await stats()).contacts]).toEqual([many, many]);
    expect(count).toHaveBeenCalledTimes(2);
    count.mockResolvedValue(1);
    expect((await statsOf(app, app.otherKeys.secret)).contacts.total).toBe(2);
    const later = performance.now() + 60_001;
    now.mockReturnValue(later);
    expect((await stats()).contacts.total).toBe(2);
  });

  test('of one address have the same id as its suppression, but for the prefix', async () => {
    const { body } = await suppress('same@example.com');
    const project = await getProject(keys.projectId);
    expect(contactIdFor(project, 'same@example.com')).toBe(String(body.data.suppressionId).replace('sup_', 'ctc_'));
  });
});

test('statistics are read along indexes alone', async () => {
  await many(1, 'sent');
  await app.api(keys.secret).post('/v1/suppressions').send({ email: 'a@example.com' }).expect(201);
  const hours = await queryPlans('mail_hours', () => stats({ interval: 'month' }));
  expect(hours.map(({ plan }) => plan)).toEqual(['IXSCAN { projectId: 1, hour: 1 }']);
  const contacts = await queryPlans('contacts', () => stats());
  expect(contacts.map(({ plan }) => plan).sort()).toEqual([
    expect.stringMatching(/^COUNT_SCAN { projectId: 1, subscribed: 1/),
    expect.stringMatching(/^COUNT_SCAN { projectId: 1, subscribed: 1/),
    expect.stringMatching(/^IXSCAN { (projectId|_id): 1/),
  ]);
  const suppressions = await queryPlans('suppressions', () => stats());
  expect(suppressions).toEqual([{ plan: expect.stringMatching(/^IXSCAN { projectId: 1, createdAt: -1/), sorted: false }]);
  const writes = await queryPlans('mail_hours', () => many(1, 'sent'));
  expect(writes.map(({ plan }) => plan)).toEqual(['IXSCAN { _id: 1 }']);
  expect(await stored.mailHours.count({ projectId: keys.projectId })).toBe(1);
});
