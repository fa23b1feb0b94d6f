import mongoose from 'mongoose';
import type { Response } from 'supertest';
import { newId } from '../../src/ids';
import { startTestApp } from '../support/app';
import type { Api, TestApp } from '../support/app';

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

/** What the first project owns and the second one tries to reach. */
interface Owned {
  readonly templateId: string;
  readonly emailId: string;
  readonly contactId: string;
  readonly suppressionId: string;
  readonly importId: string;
  readonly segmentId: string;
  readonly campaignId: string;
  readonly workflowId: string;
  readonly executionId: string;
  /** Names are not ids, but what they name is the project's own all the same. */
  readonly eventName: string;
  readonly field: string;
}

const SECRET_ADDRESS = 'alice.of.project.a@example.com';
const SECRET_NAME = 'Quarterly figures of project A';
const CONTENT = { name: SECRET_NAME, subject: SECRET_NAME, body: '<p>{{firstName}}</p>', fromEmail: 'team@hello.test' };
const SCHEDULED = { to: SECRET_ADDRESS, from: 'team@hello.test', subject: SECRET_NAME, text: 'Hello' };

/** A year's wait. */
const WAITING = {
  nodes: [
    { id: 'start', type: 'trigger', config: {} },
    { id: 'wait', type: 'delay', config: { amount: 365, unit: 'days' } },
  ],
  edges: [{ from: 'start', to: 'wait' }],
};

interface Case {
  readonly owns: keyof Owned;
  readonly prefix: string;
  /** One that would be right. */
  readonly body?: object;
  /** What is answered with 200, as if there were nothing. */
  readonly hides?: object;
}

/** The kind of id that each operation takes. */
const CASES: Readonly<Record<string, Case>> = {
  getEmail: { owns: 'emailId', prefix: 'em' },
  cancelEmail: { owns: 'emailId', prefix: 'em' },
  getTemplate: { owns: 'templateId', prefix: 'tpl' },
  updateTemplate: { owns: 'templateId', prefix: 'tpl', body: { name: 'Taken over', body: '<p>Taken over</p>' } },
  deleteTemplate: { owns: 'templateId', prefix: 'tpl' },
  listTemplateVersions: { owns: 'templateId', prefix: 'tpl' },
  duplicateTemplate: { owns: 'templateId', prefix: 'tpl', body: {} },
  rollBackTemplate: { owns: 'templateId', prefix: 'tpl', body: { version: 1 } },
  testSendTemplate: { owns: 'templateId', prefix: 'tpl', body: { to: 'mallory@example.com' } },
  getSuppression: { owns: 'suppressionId', prefix: 'sup', hides: { suppressed: false, suppression: null } },
  deleteSuppression: { owns: 'suppressionId', prefix: 'sup' },
  getContact: { owns: 'contactId', prefix: 'ctc' },
  deleteContact: { owns: 'contactId', prefix: 'ctc' },
  getContactTimeline: { owns: 'contactId', prefix: 'ctc' },
  getImport: { owns: 'importId', prefix: 'imp' },
  listContactFieldValues: { owns: 'field', prefix: 'field', hides: { data: [] } },
  getContactFieldUsage: { owns: 'field', prefix: 'field', hides: { contacts: 0, segments: [], templates: [] } },
  deleteContactField: { owns: 'field', prefix: 'field', hides: { removed: 0 } },
  getEventUsage: { owns: 'eventName', prefix: 'event', hides: { count: 0, workflows: [], segments: [] } },
  deleteEvents: { owns: 'eventName', prefix: 'event', hides: { removed: 0 } },
  getSegment: { owns: 'segmentId', prefix: 'seg' },
  updateSegment: { owns: 'segmentId', prefix: 'seg', body: { name: 'Taken over' } },
  deleteSegment: { owns: 'segmentId', prefix: 'seg' },
  refreshSegment: { owns: 'segmentId', prefix: 'seg', body: {} },
  listSegmentMembers: { owns: 'segmentId', prefix: 'seg' },
  addSegmentMembers: { owns: 'segmentId', prefix: 'seg', body: { emails: [SECRET_ADDRESS] } },
  removeSegmentMember: { owns: 'segmentId', prefix: 'seg' },
  getCampaign: { owns: 'campaignId', prefix: 'cmp' },
  updateCampaign: { owns: 'campaignId', prefix: 'cmp', body: { name: 'Taken over' } },
  deleteCampaign: { owns: 'campaignId', prefix: 'cmp' },
  sendCampaign: { owns: 'campaignId', prefix: 'cmp', body: {} },
  cancelCampaign: { owns: 'campaignId', prefix: 'cmp', body: {} },
  duplicateCampaign: { owns: 'campaignId', prefix: 'cmp', body: {} },
  resendToNonOpeners: { owns: 'campaignId', prefix: 'cmp', body: {} },
  testSendCampaign: { owns: 'campaignId', prefix: 'cmp', body: { to: 'mallory@example.com' } },
  listCampaignRecipients: { owns: 'campaignId', prefix: 'cmp' },
  listCampaignLinks: { owns: 'campaignId', prefix: 'cmp' },
  getWorkflow: { owns: 'workflowId', prefix: 'wfl' },
  updateWorkflow: { owns: 'workflowId', prefix: 'wfl', body: { name: 'Taken over' } },
  deleteWorkflow: { owns: 'workflowId', prefix: 'wfl' },
  duplicateWorkflow: { owns: 'workflowId', prefix: 'wfl', body: {} },
  enrollContact: { owns: 'workflowId', prefix: 'wfl', body: { email: SECRET_ADDRESS } },
  listExecutions: { owns: 'workflowId', prefix: 'wfl' },
  cancelAllExecutions: { owns: 'workflowId', prefix: 'wfl', body: {} },
  getWorkflowStats: { owns: 'workflowId', prefix: 'wfl' },
  rehearseWorkflow: { owns: 'workflowId', prefix: 'wfl', body: { contact: { email: SECRET_ADDRESS } } },
  getExecution: { owns: 'executionId', prefix: 'exe' },
  cancelExecution: { owns: 'executionId', prefix: 'exe', body: {} },
};

let app: TestApp;
let owned: Owned;
let routes: readonly Route[];

beforeAll(async () => {
  app = await startTestApp({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });
  const { paths } = (await app.api(null).get('/v1/openapi.json')).body as { paths: Record<string, Record<Method, Operation>> };
  routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, path, method: method as Method })),
  );
  owned = await populate();
});
afterAll(() => app.close());

async function populate(): Promise<Owned> {
  const api = app.api();
  const template = await api.post('/v1/templates').send(CONTENT).expect(201);
  const templateId = template.body.data.templateId as string;
  await api.patch(`/v1/templates/${templateId}`).send({ body: '<p>Second</p>' }).expect(200);
  const sendAt = new Date(Date.now() + 86_400_000).toISOString();
  const sent = await api
    .post('/v1/send')
    .send({ ...SCHEDULED, sendAt })
    .expect(200);
  const emailId = sent.body.data.results[0].id as string;
  const email = await api.get(`/v1/emails/${emailId}`).expect(200);
  const suppression = await api.post('/v1/suppressions').send({ email: SECRET_ADDRESS }).expect(201);
  const field = 'secret_field_of_project_a';
  const eventName = 'secret.event.of.project.a';
  await api
    .post('/v1/contacts')
    .send({ email: SECRET_ADDRESS, data: { [field]: SECRET_NAME } })
    .expect(200);
  await api.post('/v1/events').send({ name: eventName, email: SECRET_ADDRESS }).expect(201);
  const job = await api.post('/v1/contacts/import').set('Content-Type', 'text/csv').send('email\nrow@example.com\n').expect(202);
  const segment = await api.post('/v1/segments').send({ name: SECRET_NAME, type: 'static' }).expect(201);
  const segmentId = segment.body.data.segmentId as string;
  await api
    .post(`/v1/segments/${segmentId}/members`)
    .send({ emails: [SECRET_ADDRESS] })
    .expect(200);
  const campaign = await api
    .post('/v1/campaigns')
    .send({ ...CONTENT, body: '<p>News</p>' })
    .expect(201);
  const automation = await api.post('/v1/workflows').send({ name: SECRET_NAME, trigger: 'event:signup', graph: WAITING }).expect(201);
  const workflowId = automation.body.data.workflowId as string;
  await api.patch(`/v1/workflows/${workflowId}`).send({ status: 'active' }).expect(200);
  const execution = await api.post(`/v1/workflows/${workflowId}/enroll`).send({ email: SECRET_ADDRESS }).expect(201);
  return {
    field,
    eventName,
    segmentId,
    workflowId,
    importId: job.body.data.importId as string,
    campaignId: campaign.body.data.campaignId as string,
    executionId: execution.body.data.executionId as string,
    templateId,
    emailId,
    contactId: email.body.data.contactId as string,
    suppressionId: suppression.body.data.suppressionId as string,
  };
}

const isBuilt = ({ responses }: Route): boolean => !('501' in responses);
const takesId = ({ path }: Route): boolean => path.includes('{');

function call(api: Api, route: Route, id: string, query = ''): Promise<Response> {
  const body = CASES[route.operationId]?.body;
  const asked = api[route.method](route.path.replace(/\{\w+\}/g, encodeURIComponent(id)) + query);
  return (async () => await (body ? asked.send(body) : asked))();
}

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
    .filter((row) => marks.some((mark) => row.includes(mark)))
    .sort();
}

const secrets = (): string[] => [app.keys.projectId, ...Object.values(owned), SECRET_ADDRESS, SECRET_NAME];

test('every operation that takes an id in its path has a case here, or is not there yet', async () => {
  const withId = routes.filter(takesId);
  expect(withId.length).toBeGreaterThan(Object.keys(CASES).length);
  for (const route of withId.filter(({ path }) => path.startsWith('/v1/'))) {
    expect([route.operationId, isBuilt(route)]).toEqual([route.operationId, route.operationId in CASES]);
  }
  for (const route of withId.filter((candidate) => !isBuilt(candidate))) {
    expect([route.operationId, (await call(app.api(), route, 'abc')).status]).toEqual([route.operationId, 501]);
  }
  expect(Object.keys(CASES).filter((name) => !withId.some(({ operationId }) => operationId === name))).toEqual([]);
});

describe.each(['secret', 'test'] as const)('with the %s key of another project', (kind) => {
  test.each(Object.keys(CASES))('%s treats the id as one that never was, and touches nothing', async (operationId) => {
    const route = routes.find((candidate) => candidate.operationId === operationId) as Route;
    const { owns, prefix, hides } = CASES[operationId] as Case;
    const api = app.api(app.otherKeys[kind]);
    const before = await rowsOfFirst();
    const foreign = await call(api, route, owned[owns]);
    const never = newId(prefix);
    const unknown = await call(api, route, never);
    expect([foreign.status, foreign.body]).toMatchObject(hides ? [200, { data: hides }] : [404, { code: 'not_found' }]);
    // A name is answered as it was asked for.
    expect([foreign.status, foreign.text.replaceAll(owned[owns], never)]).toEqual([unknown.status, unknown.text]);
    const headersOf = ({ headers }: Response): string[] => Object.keys(headers).sort();
    expect(headersOf(foreign)).toEqual(headersOf(unknown));
    expect(await rowsOfFirst()).toEqual(before);
  });

  test.each(['getSuppression', 'deleteSuppression'])('%s does not know the address either', async (operationId) => {
    const route = routes.find((candidate) => candidate.operationId === operationId) as Route;
    const before = await rowsOfFirst();
    const foreign = await call(app.api(app.otherKeys[kind]), route, SECRET_ADDRESS);
    const unknown = await call(app.api(app.otherKeys[kind]), route, 'nobody@example.com');
    expect([foreign.status, foreign.text]).toEqual([unknown.status, unknown.text]);
    expect(await rowsOfFirst()).toEqual(before);
  });

  test('no reading operation shows anything of it, whatever is searched for', async () => {
    const queries = [
      '?limit=100',
      `?email=${SECRET_ADDRESS}&to=${SECRET_ADDRESS}`,
      `?email=${SECRET_ADDRESS}&contactId=${owned.contactId}`,
      `?email=${SECRET_ADDRESS}&search=project`,
      `?email=${SECRET_ADDRESS}&status=scheduled`,
    ];
    const reading = routes.filter((route) => route.method === 'get' && !takesId(route) && isBuilt(route) && route.security.length > 0);
    expect(reading.map(({ operationId }) => operationId)).toEqual(
      expect.arrayContaining(['listEmails', 'listTemplates', 'listSuppressions', 'checkSuppression', 'getBilling']),
    );
    for (const route of reading) {
      for (const query of queries) {
        const { status, text } = await call(app.api(app.otherKeys[kind]), route, '', query);
        expect([200, 422]).toContain(status);
        expect([route.operationId, query, secrets().filter((secret) => text.includes(secret))]).toEqual([route.operationId, query, []]);
      }
    }
  });

  test('a send cannot use its template, and says the same of one that never was', async () => {
    const before = await rowsOfFirst();
    const send = (templateId: string) =>
      app.api(app.otherKeys[kind]).post('/v1/send').send({ to: 'ada@example.com', from: 'team@hello.test', templateId });
    const foreign = await send(owned.templateId).expect(422);
    expect(foreign.body).toMatchObject({ code: 'send_failed', details: [{ path: '', code: 'template_not_found' }] });
    expect((await send(newId('tpl'))).text).toBe(foreign.text);
    expect(await rowsOfFirst()).toEqual(before);
  });

  test('a batch cannot use it either', async () => {
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
  const gets = routes.filter(({ method, path, operationId }) => method === 'get' && path.endsWith('}') && operationId in CASES);
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
