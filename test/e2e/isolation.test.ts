import mongoose from 'mongoose';
import type { Response } from 'supertest';
import { newId } from '../../src/platform/core/ids';
import { aProject } from '../support/platform/app';
import type { Api, TestApp } from '../support/platform/app';
import { CASES, SCHEDULED, SECRET_ADDRESS, SECRET_NAME, populate } from '../support/calls/isolation-cases';
import type { Case, Owned } from '../support/calls/isolation-cases';

type Method = 'get' | 'post' | 'patch' | 'delete' | 'put';

interface Operation {
  readonly operationId: string;
  readonly security: readonly object[];
  readonly responses: Readonly<Record<string, unknown>>;
}

interface Route extends Operation {
  readonly method: Method;
  readonly path: string;
}

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });
let owned: Owned;
let routes: readonly Route[];

beforeAll(async () => {
  const { paths } = (await app.api(null).get('/v1/openapi.json')).body as { paths: Record<string, Record<Method, Operation>> };
  routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, path, method: method as Method })),
  );
  owned = await populate(app.api());
});

const isBuilt = ({ responses }: Route): boolean => !('501' in responses);
const takesId = ({ path }: Route): boolean => path.includes('{');

function call(api: Api, route: Route, id: string, query = CASES[route.operationId]?.query ?? ''): Promise<Response> {
  const body = CASES[route.operationId]?.body;
  const asked = api[route.method](route.path.replace(/\{\w+\}/g, encodeURIComponent(id)) + query);
  return (async () => await (body ? asked.send(body) : asked))();
}

/** What the other project did is in its own audit, with the names that it said. */
const OWN_AUDIT = /^audit .*"projectId":"(prj_\w+)"/;
const isOthersAudit = (row: string): boolean => (OWN_AUDIT.exec(row)?.[1] ?? app.keys.projectId) !== app.keys.projectId;

/** Every stored row that has to do with the first project. */
async function rowsOfFirst(): Promise<string[]> {
  const collections = (await mongoose.connection.db?.collections()) ?? [];
  const rows = await Promise.all(
    collections.map(async (collection) =>
      (await collection.find().toArray()).map((row) => `${collection.collectionName} ${JSON.stringify(row)}`),
    ),
  );
  const marks: readonly string[] = [app.keys.projectId, ...(Object.values(owned) as string[])];
  return rows
    .flat()
    .filter((row) => marks.some((mark) => row.includes(mark)) && !isOthersAudit(row))
    .sort();
}

const secrets = (): string[] => [app.keys.projectId, ...Object.values(owned), SECRET_ADDRESS, SECRET_NAME];

/** The secrets that an operation must not show: the audit names what the project itself asked to remove, whether it was there or not. */
const secretsFor = (operationId: string): string[] => {
  const named = Object.values(CASES).flatMap(({ owns, hides }) => (hides ? [owned[owns]] : []));
  return operationId === 'listAudit' ? secrets().filter((secret) => !named.includes(secret)) : secrets();
};

test('every operation that takes an id in its path has a case here', () => {
  const withId = routes.filter(takesId).map(({ operationId }) => operationId);
  expect(withId.sort()).toEqual(Object.keys(CASES).sort());
});

describe('with the key of another project', () => {
  const other = (): Api => app.api(app.otherKeys.secret);
  let before: readonly string[];
  // None of these tests may change it.
  beforeAll(async () => {
    before = await rowsOfFirst();
  });

  test.each(Object.keys(CASES))('%s treats the id as one that never was, and touches nothing', async (operationId) => {
    const route = routes.find((candidate) => candidate.operationId === operationId) as Route;
    const { owns, prefix, hides } = CASES[operationId] as Case;
    const foreign = await call(other(), route, owned[owns]);
    const never = newId(prefix);
    const unknown = await call(other(), route, never);
    expect([foreign.status, foreign.body]).toMatchObject(hides ? [200, { data: hides }] : [404, { code: 'not_found' }]);
    // A name is answered as it was asked for.
    expect([foreign.status, foreign.text.replaceAll(owned[owns], never)]).toEqual([unknown.status, unknown.text]);
    const headersOf = ({ headers }: Response): string[] => Object.keys(headers).sort();
    expect(headersOf(foreign)).toEqual(headersOf(unknown));
    expect(await rowsOfFirst()).toEqual(before);
  });

  test.each(['getSuppression', 'deleteSuppression'])('%s does not know the address either', async (operationId) => {
    const route = routes.find((candidate) => candidate.operationId === operationId) as Route;
    const foreign = await call(other(), route, SECRET_ADDRESS);
    const unknown = await call(other(), route, 'nobody@example.com');
    expect([foreign.status, foreign.text]).toEqual([unknown.status, unknown.text]);
    expect(await rowsOfFirst()).toEqual(before);
  });

  test.each(['secret', 'test'] as const)('no reading operation shows anything of it to a %s key, for any search', async (kind) => {
    const queries = [
      '?limit=100',
      `?email=${SECRET_ADDRESS}&to=${SECRET_ADDRESS}`,
      `?email=${SECRET_ADDRESS}&contactId=${owned.contactId}&search=project&status=scheduled`,
      `?fromEmail=${SECRET_ADDRESS}`,
      `?campaignId=${owned.campaignId}`,
      `?workflowId=${owned.workflowId}&contactId=${owned.contactId}`,
    ];
    const reading = routes.filter((route) => route.method === 'get' && !takesId(route) && isBuilt(route) && route.security.length > 0);
    expect(reading.map(({ operationId }) => operationId)).toEqual(
      expect.arrayContaining(['listEmails', 'listTemplates', 'listSuppressions', 'checkSuppression', 'getBilling']),
    );
    for (const route of reading) {
      for (const query of queries) {
        const { status, text } = await call(app.api(app.otherKeys[kind]), route, '', query);
        expect([200, 422]).toContain(status);
        const shown = secretsFor(route.operationId).filter((secret) => text.includes(secret));
        expect([route.operationId, query, shown]).toEqual([route.operationId, query, []]);
      }
    }
  });

  test.each(['secret', 'test'] as const)(
    'a send with a %s key cannot use its template, and says the same of one that never was',
    async (kind) => {
      const send = (templateId: string) =>
        app.api(app.otherKeys[kind]).post('/v1/send').send({ to: 'ada@example.com', from: 'team@hello.test', templateId });
      const foreign = await send(owned.templateId).expect(422);
      expect(foreign.body).toMatchObject({ code: 'send_failed', details: [{ path: '', code: 'template_not_found' }] });
      expect((await send(newId('tpl'))).text).toBe(foreign.text);
      expect(await rowsOfFirst()).toEqual(before);
    },
  );

  test.each(['secret', 'test'] as const)('a batch with a %s key cannot use it either', async (kind) => {
    const message = { to: 'ada@example.com', from: 'team@hello.test', templateId: owned.templateId };
    const { body } = await app
      .api(app.otherKeys[kind])
      .post('/v1/send/batch')
      .send({ messages: [message, message] })
      .expect(200);
    const failed = { error: { code: 'send_failed', details: [{ code: 'template_not_found' }] } };
    expect(body.data.results).toMatchObject([failed, failed]);
  });
});

test('the owner sees all of it with the same requests', async () => {
  const gets = routes.filter(({ method, path, operationId }) => method === 'get' && /^[^{]*\{\w+\}$/.test(path) && operationId in CASES);
  expect(gets.length).toBeGreaterThan(8);
  for (const route of gets) {
    const id = owned[(CASES[route.operationId] as Case).owns];
    expect((await call(app.api(), route, id)).text).toContain(id);
  }
  for (const [path, key] of [
    ['/v1/emails', 'emailId'],
    ['/v1/templates', 'templateId'],
    ['/v1/suppressions', 'suppressionId'],
  ] as const)
    expect((await app.api().get(path).expect(200)).text).toContain(owned[key]);
});

test.each([
  ['/v1/emails', '/v1/send', { ...SCHEDULED, to: 'second@example.com' }],
  ['/v1/suppressions', '/v1/suppressions', { email: 'second@example.com' }],
])('a cursor of %s belongs to its project', async (path, creates, body) => {
  expect([200, 201]).toContain((await app.api().post(creates).send(body)).status);
  const { body: page } = await app.api().get(`${path}?limit=1`).expect(200);
  expect(page.nextCursor).toEqual(expect.any(String));
  const answer = await app.api(app.otherKeys.secret).get(`${path}?limit=1&cursor=${page.nextCursor}`).expect(422);
  expect(answer.body.details).toMatchObject([{ path: 'cursor', code: 'invalid_cursor' }]);
});

test('one address may be known to both projects and is two contacts, two suppressions, two counts of credits', async () => {
  const to = 'shared@example.com';
  const other = app.api(app.otherKeys.secret);
  const mine = await app.api().post('/v1/suppressions').send({ email: to }).expect(201);
  const theirs = await other.post('/v1/suppressions').send({ email: to, reason: 'complaint' }).expect(201);
  expect(theirs.body.data.suppressionId).not.toBe(mine.body.data.suppressionId);
  await other.delete(`/v1/suppressions/${encodeURIComponent(to)}`).expect(200);
  expect((await app.api().get(`/v1/suppressions/check?email=${to}`)).body.data).toMatchObject({ suppressed: true });
  const contactOf = async (keys: TestApp['keys']): Promise<string> => {
    const message = { to: 'both@example.com', from: 'team@hello.test', subject: 'Hello', text: 'Hello' };
    const { body } = await app.api(keys.test).post('/v1/send').send(message).expect(200);
    return (await app.api(keys.test).get(`/v1/emails/${body.data.results[0].id}`)).body.data.contactId as string;
  };
  expect(await contactOf(app.keys)).not.toBe(await contactOf(app.otherKeys));
  const credits = async (api: Api): Promise<number> => (await api.get('/v1/billing')).body.data.creditsUsed as number;
  expect(await credits(app.api())).toBeGreaterThan(0);
  expect(await credits(other)).toBe(0);
});
