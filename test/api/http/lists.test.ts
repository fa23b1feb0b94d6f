import { z } from 'zod';
import type { Position } from '../../../src/platform/core/context';
import { endpoint, group, listEndpoint } from '../../../api/http/endpoint';
import { IdParams, flag, idOrAddress, instant } from '../../../api/http/pieces';
import { servedBeside, aProject } from '../../support/platform/app';
import { rowsOf } from '../../support/calls/lists';

/** Rows of one second each; the list goes from the newest to the oldest. */
const ROWS = Array.from({ length: 120 }, (_, index) => ({ at: new Date(1_700_000_000_000 - index * 1_000), id: `row_${index}` }));

function pageAfter(after: Position | null, limit: number) {
  const start = after ? ROWS.findIndex(({ id }) => id === after.id) + 1 : 0;
  const rows = ROWS.slice(start, start + limit);
  const last = rows.at(-1);
  return { rows, next: last && start + limit < ROWS.length ? { at: last.at, id: last.id } : null };
}

const summary = 'For tests';
const Row = z.object({ id: z.string() });

const endpoints = group('Tests', [
  listEndpoint('GET /v1/rows', {
    summary,
    operationId: 'listRows',
    request: { query: z.object({ kind: z.string().optional(), since: instant.optional(), open: flag.optional() }) },
    response: Row,
    list: 'cursor',
    handle: ({ page }) => {
      const { rows, next } = pageAfter(page.after, page.limit);
      return Promise.resolve({ rows, next });
    },
  }),
  listEndpoint('GET /v1/things/{id}/rows', {
    summary,
    operationId: 'listRowsOfThing',
    request: { params: IdParams },
    response: Row,
    list: 'cursor',
    handle: ({ page }) => Promise.resolve(pageAfter(page.after, page.limit)),
  }),
  endpoint('GET /v1/people/{id}', {
    summary,
    operationId: 'getPerson',
    request: { params: z.object({ id: idOrAddress }) },
    response: Row,
    handle: ({ params }) => Promise.resolve({ id: params.id }),
  }),
  endpoint('GET /v1/people/everyone', {
    summary,
    operationId: 'getEveryone',
    response: Row,
    handle: () => Promise.resolve({ id: '*' }),
  }),
]);

const app = aProject();
const served = servedBeside(app, endpoints);
const api = (key?: string | null) => served.api(key);

const walk = async (path: string): Promise<string[]> => (await rowsOf<{ id: string }>(api(), path)).map(({ id }) => id);

describe('a list with a cursor', () => {
  test('answers with rows, and where it goes on', async () => {
    const { body } = await api().get('/v1/rows?limit=1');
    expect(body).toEqual({ success: true, data: [{ id: 'row_0' }], nextCursor: expect.any(String) });
  });

  test('shows 50 rows unless asked otherwise', async () => {
    expect((await api().get('/v1/rows')).body.data).toHaveLength(50);
    expect((await api().get('/v1/rows?limit=100')).body.data).toHaveLength(100);
  });

  test.each([7, 60, 100])('shows every row once in pages of %i', async (limit) => {
    expect(await walk(`/v1/rows?limit=${limit}`)).toEqual(ROWS.map(({ id }) => id));
  });

  test('ends with null', async () => {
    const first = await api().get('/v1/rows?limit=100');
    const { body } = await api().get(`/v1/rows?limit=100&cursor=${first.body.nextCursor}`);
    expect([body.data.length, body.nextCursor]).toEqual([20, null]);
  });

  test.each([
    ['limit=0', 'limit', 'too_small'],
    ['limit=-1', 'limit', 'too_small'],
    ['limit=101', 'limit', 'too_big'],
    ['limit=99999999999999999999', 'limit', 'invalid_type'],
    ['limit=', 'limit', 'invalid_type'],
    ['limit=ten', 'limit', 'invalid_type'],
    ['limit=1.5', 'limit', 'invalid_type'],
    ['limit=1&limit=2', 'limit', 'invalid_type'],
    ['cursor=', 'cursor', 'invalid_cursor'],
    ['cursor=nonsense', 'cursor', 'invalid_cursor'],
    ['cursor=a&cursor=b', 'cursor', 'invalid_type'],
    ['kind=a&kind=b', 'kind', 'invalid_type'],
    ['kind[$ne]=1', 'kind', 'invalid_type'],
    ['since=yesterday', 'since', 'invalid_string'],
    ['since=2026-11-21T09:30:00', 'since', 'invalid_string'],
    ['open=maybe', 'open', 'invalid_enum_value'],
  ])('refuses ?%s', async (query, path, code) => {
    const response = await api().get(`/v1/rows?${query}`);
    expect(response.status).toBe(422);
    expect(response.body).toMatchObject({ code: 'validation_error', details: [{ path, code }] });
  });

  test.each(['unknown=1', 'unknown[$ne]=1', '__proto__=1', '%FF=%FF', 'since=2026-11-21T09:30:00%2B01:00'])(
    'is not disturbed by ?%s',
    async (query) => {
      expect((await api().get(`/v1/rows?${query}`)).status).toBe(200);
    },
  );

  test('takes a cursor only where it was handed out', async () => {
    const cursorOf = async (path: string) => (await api().get(path)).body.nextCursor as string;
    const cursor = await cursorOf('/v1/rows?kind=a');
    const elsewhere = [
      await api().get(`/v1/rows?cursor=${cursor}`),
      await api().get(`/v1/rows?kind=b&cursor=${cursor}`),
      await api().get(`/v1/things/a/rows?cursor=${cursor}`),
      await api().get(`/v1/things/b/rows?cursor=${await cursorOf('/v1/things/a/rows')}`),
      await api(app.otherKeys.secret).get(`/v1/rows?kind=a&cursor=${cursor}`),
    ];
    for (const { body } of elsewhere) expect(body.details).toMatchObject([{ path: 'cursor', code: 'invalid_cursor' }]);
    expect((await api(app.keys.test).get(`/v1/rows?kind=a&limit=3&cursor=${cursor}`)).status).toBe(200);
  });
});

describe('a path parameter', () => {
  test.each([
    ['a', 'a'],
    ['A-b_9', 'A-b_9'],
    ['Ada%40Example.com', 'ada@example.com'],
    ['ada@b%C3%BCcher.example', 'ada@xn--bcher-kva.example'],
    ['everyone', '*'],
    ['EVERYONE', 'EVERYONE'],
  ])('%s is read as %s', async (given, read) => {
    expect((await api().get(`/v1/people/${given}`)).body.data).toEqual({ id: read });
  });

  test.each([
    'a'.repeat(65),
    'a.b',
    'a%20b',
    '%00',
    '%zz',
    '%',
    'a%2Fb',
    '%FF',
    '$ne',
    'a%0D%0Ab',
    '..%2f..%2f',
    '@',
    'a@b',
    'a@@b.co',
    '%F0%9F%98%80',
  ])('%s is malformed', async (given) => {
    const response = await api().get(`/v1/people/${given}`);
    expect([response.status, (response.body.details as { path: string }[] | undefined)?.map(({ path }) => path)]).toEqual([422, ['id']]);
  });
});
