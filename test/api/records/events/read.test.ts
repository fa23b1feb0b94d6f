import type { Event } from '../../../../src/records/events/model';
import { newId } from '../../../../src/platform/core/ids';
import { aProject } from '../../../support/platform/app';
import { queryPlans } from '../../../support/checks/query-plans';
import { stored } from '../../../support/data/stored';
import { freshAddress } from '../../../support/data/people';
import { rowsOf } from '../../../support/calls/lists';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const app = aProject();
let count = 0;

const api = (key?: string) => app.api(key);
const freshName = (): string => `thing.${++count}`;

/** Rows as they are stored; `ago` is how long they have been received. */
function row(
  name: string,
  { projectId = app.keys.projectId, createdAt = new Date(), ago = 0, contactId = null as string | null } = {},
): Event {
  const receivedAt = new Date(Date.now() - ago);
  return { _id: newId('evt'), projectId, contactId, emailId: null, name, data: null, testMode: false, createdAt, receivedAt, depth: 0 };
}
const insert = (rows: readonly Event[]) => stored.events.collection.insertMany(rows);

interface Listed {
  readonly data: readonly { readonly eventId: string; readonly name: string; readonly contactId: string | null }[];
  readonly nextCursor: string | null;
}
const list = async (query: object, key?: string): Promise<Listed> =>
  (await api(key).get('/v1/events').query(query).expect(200)).body as Listed;
const walk = async (query: object, onPage?: (page: number) => Promise<unknown>): Promise<string[]> =>
  (await rowsOf<{ eventId: string }>(api(), '/v1/events', query, onPage)).map(({ eventId }) => eventId);
const ids = (rows: readonly Event[]): string[] => rows.map(({ _id }) => _id);

describe('the list', () => {
  test('shows an event whole', async () => {
    const name = freshName();
    const occurredAt = '2026-01-02T03:04:05.678Z';
    const { eventId, contactId } = (
      await api()
        .post('/v1/events')
        .send({ name, email: freshAddress(), data: { a: 1 }, occurredAt })
    ).body.data;
    expect((await list({ name })).data).toEqual([
      { eventId, projectId: app.keys.projectId, contactId, emailId: null, name, data: { a: 1 }, createdAt: occurredAt },
    ]);
  });

  test('goes on behind what happened before 1970', async () => {
    const name = freshName();
    const rows = [-1, -86_400_000, -2_208_988_800_000].map((at) => row(name, { createdAt: new Date(at) }));
    await insert(rows);
    expect(await walk({ name, limit: 1 })).toEqual(ids(rows));
  });

  test('walks newest first by the instant, then by id; each once while others come and go', async () => {
    const name = freshName();
    const at = Date.now() - DAY_MS;
    const rows = Array.from({ length: 9 }, (_, n) => row(name, { createdAt: new Date(at + Math.floor(n / 3) * 1_000) }));
    const gone = row(name, { createdAt: new Date(at) });
    await insert([...rows, gone]);
    const late = row(name);
    const seen = await walk({ name, limit: 2 }, async (page) => {
      if (page === 0) await stored.events.remove(gone._id);
      if (page === 1) await insert([late]);
    });
    expect(seen).toEqual(ids(rows).reverse());
  });

  test('goes by name, contact, address and instants: from is in it, to is not', async () => {
    const name = freshName();
    const email = freshAddress();
    const { contactId } = (await api().post('/v1/events').send({ name, email }).expect(201)).body.data as { contactId: string };
    const at = (hour: number): Date => new Date(Date.UTC(2026, 0, 1, hour));
    const rows = [1, 2, 3].map((hour) => row(name, { createdAt: at(hour), contactId }));
    const alone = row(name, { createdAt: at(2) });
    await insert([...rows, alone]);
    const [one, two] = ids(rows) as [string, string, string];
    const range = { from: at(1).toISOString(), to: at(3).toISOString() };
    expect(await walk({ name, ...range })).toEqual([alone._id, two, one]);
    expect(await walk({ contactId, ...range })).toEqual([two, one]);
    expect(await walk({ email: email.toUpperCase(), name, ...range })).toEqual([two, one]);
    expect(await walk({ name, from: range.to, to: range.from })).toEqual([]);
    expect(await walk({ contactId, email, ...range })).toEqual([two, one]);
    expect(await walk({ contactId, email: freshAddress() })).toEqual([]);
    expect(await walk({ email: freshAddress() })).toEqual([]);
    expect((await list({ contactId })).data.map((each) => each.name)).toEqual([name, 'contact.created', name, name, name]);
  });

  test('shows test and live events, system events, and none of another project', async () => {
    const name = freshName();
    for (const key of [app.keys.secret, app.keys.test, app.otherKeys.secret])
      await api(key).post('/v1/events').send({ name, email: freshAddress() });
    expect((await list({ name })).data).toHaveLength(2);
    expect((await list({ name }, app.otherKeys.secret)).data).toHaveLength(1);
    expect((await list({ name: 'contact.created' })).data.length).toBeGreaterThan(0);
    const contactId = (await list({ name })).data[0]?.contactId ?? null;
    expect((await list({ contactId }, app.otherKeys.secret)).data).toEqual([]);
  });

  test('refuses what it does not understand', async () => {
    const cases: readonly (readonly [object, string, string])[] = [
      [{ name: 'a b' }, 'name', 'invalid_string'],
      [{ contactId: 'a.b' }, 'contactId', 'invalid_string'],
      [{ email: 'none' }, 'email', 'invalid_string'],
      [{ from: 'yesterday' }, 'from', 'invalid_string'],
      [{ to: '2026-01-01' }, 'to', 'invalid_string'],
      [{ limit: 101 }, 'limit', 'too_big'],
      [{ cursor: 'x' }, 'cursor', 'invalid_cursor'],
    ];
    for (const [query, path, code] of cases) {
      const { body } = await api().get('/v1/events').query(query).expect(422);
      expect(body.details).toEqual([expect.objectContaining({ path, code })]);
    }
    await api().get('/v1/events?name[$gt]=').expect(422);
    const cursor = (await list({ limit: 1 })).nextCursor;
    await api().get('/v1/events').query({ limit: 1, cursor, name: 'x' }).expect(422);
  });

  test('reads along indexes, without sorting', async () => {
    const cursor = (await list({ limit: 1 })).nextCursor;
    const queries = [
      { limit: 1, cursor },
      { name: 'x' },
      { contactId: 'ctc_x' },
      { name: 'x', contactId: 'ctc_x' },
      { from: '2026-01-01T00:00:00Z' },
    ];
    const plans = await queryPlans('events', async () => {
      for (const query of queries) await list(query);
    });
    expect(plans).toHaveLength(queries.length);
    for (const plan of plans) expect(plan).toEqual({ plan: expect.stringMatching(/^IXSCAN { projectId: 1/), sorted: false });
  });
});

describe('stats', () => {
  interface Stats {
    readonly total: number;
    readonly series: readonly { readonly at: string; readonly count: number }[];
  }
  const stats = async (query: object, key?: string): Promise<Stats> =>
    (await api(key).get('/v1/events/stats').query(query).expect(200)).body.data as Stats;

  test('count by day or hour, with empty buckets', async () => {
    const name = freshName();
    const at = (day: number, hour: number): Date => new Date(Date.UTC(2026, 1, day, hour, 30));
    await insert([at(1, 0), at(1, 23), at(3, 5), at(4, 0)].map((createdAt) => row(name, { createdAt })));
    await insert([row(name, { createdAt: at(1, 0), projectId: app.otherKeys.projectId })]);
    expect(await stats({ name, from: '2026-02-01T00:00:00Z', to: '2026-02-04T00:00:00Z' })).toEqual({
      total: 3,
      series: [
        { at: '2026-02-01T00:00:00.000Z', count: 2 },
        { at: '2026-02-02T00:00:00.000Z', count: 0 },
        { at: '2026-02-03T00:00:00.000Z', count: 1 },
      ],
    });
    const hours = await stats({ name, interval: 'hour', from: '2026-02-01T00:45:00Z', to: '2026-02-02T01:00:00+01:00' });
    expect(hours.total).toBe(1);
    expect(hours.series).toHaveLength(24);
    expect(hours.series.at(-1)).toEqual({ at: '2026-02-01T23:00:00.000Z', count: 1 });
    expect((await stats({ from: '2026-02-01T00:00:00Z', to: '2026-02-04T00:00:00Z' })).total).toBeGreaterThanOrEqual(3);
  });

  test('of the last 30 days, or 48 hours, by default', async () => {
    const name = freshName();
    await api().post('/v1/events').send({ name, email: freshAddress() }).expect(201);
    const days = await stats({ name });
    expect(days.series).toHaveLength(30);
    expect(days.series.at(-1)).toEqual({ at: `${new Date().toISOString().slice(0, 10)}T00:00:00.000Z`, count: 1 });
    expect(days.total).toBe(1);
    expect((await stats({ name, interval: 'hour' })).series).toHaveLength(48);
    expect((await stats({ to: '2026-02-04T12:00:00Z' })).series[0]?.at).toBe('2026-01-06T00:00:00.000Z');
    expect((await stats({ name }, app.otherKeys.secret)).total).toBe(0);
  });

  test('have at most 400 buckets', async () => {
    const from = '2026-01-01T00:00:00Z';
    const days = (n: number): string => new Date(Date.parse(from) + n * DAY_MS).toISOString();
    expect((await stats({ from, to: days(400) })).series).toHaveLength(400);
    expect(await stats({ from, to: from })).toEqual({ total: 0, series: [] });
    const cases: readonly (readonly [object, string, string])[] = [
      [{ from, to: days(401) }, 'from', 'too_big'],
      [{ from: '0001-01-01T00:00:00Z' }, 'from', 'too_big'],
      [{ from, to: days(17), interval: 'hour' }, 'from', 'too_big'],
      [{ from: days(1), to: from }, 'from', 'invalid_combination'],
      [{ interval: 'month' }, 'interval', 'invalid_enum_value'],
      [{ from: 'x' }, 'from', 'invalid_string'],
    ];
    for (const [query, path, code] of cases) {
      const { body } = await api().get('/v1/events/stats').query(query).expect(422);
      expect(body.details).toEqual([expect.objectContaining({ path, code })]);
    }
  });

  test('read an index and no event', async () => {
    const plans = await queryPlans('events', async () => {
      await stats({});
      await stats({ name: 'x' });
    });
    expect(plans.map(({ plan }) => plan)).toEqual([
      'IXSCAN { projectId: 1, createdAt: -1, _id: -1 }',
      'IXSCAN { projectId: 1, name: 1, createdAt: -1, _id: -1 }',
    ]);
  });
});
