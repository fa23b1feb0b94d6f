import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { STATUS } from '../../../api/http/errors';
import { TOMORROW } from '../../../api/openapi/story-parts';
import { extensions, otherEndpoints, rooms } from '../../../api/rooms';
import { CASES } from '../../support/calls/isolation-cases';
import { allWell, aProject } from '../../support/platform/app';

const ROOT = path.join(__dirname, '../../..');
const run = promisify(execFile);

const endpoints = rooms({ health: () => Promise.resolve({ mongodb: 'up', temporal: 'up' }), document: () => ({}) });

interface Extended {
  readonly 'x-extension'?: boolean;
  readonly anyOf?: readonly Extended[];
}

interface Answer {
  readonly headers: object;
  readonly content: object;
}

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly security: readonly object[];
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly required: boolean; readonly schema?: Extended }[];
  readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, { readonly example?: unknown }>> };
  readonly responses: Readonly<Record<string, Answer | { readonly $ref: string }>>;
  readonly 'x-extension'?: boolean;
}

interface Document {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, { readonly properties?: object }>>;
    readonly responses: Readonly<Record<string, Answer>>;
  };
}

/** Endpoints by group. */
const GROUPS = {
  Send: 2,
  Events: 6,
  Contacts: 13,
  Emails: 3,
  Templates: 9,
  Domains: 5,
  Segments: 10,
  Campaigns: 13,
  Workflows: 11,
  Webhooks: 6,
  Suppressions: 5,
  Stats: 2,
  Verify: 1,
  Billing: 2,
  Inbound: 2,
  Meta: 2,
};

const tagged = (tag: string, ...ids: readonly string[]) => ids.map((id) => [id, [tag]]);
const archiveOf = (name: string) => [`archive${name}`, `unarchive${name}`].map((id) => [id, ['Extensions']]);

const app = aProject();
let document: Document;

beforeAll(async () => {
  document = (await app.api(null).get('/v1/openapi.json')).body as Document;
});

const operationsBelow = (prefix: string): Operation[] =>
  Object.entries(document.paths).flatMap(([path, methods]) => (path.startsWith(prefix) ? Object.values(methods) : []));
const operations = (): Operation[] => operationsBelow('/');
const answerOf = (response: Operation['responses'][string] | undefined): Answer =>
  (response && '$ref' in response ? document.components.responses[response.$ref.split('/').pop() ?? ''] : response) as Answer;

const send = (): Operation => document.paths['/v1/send']?.post as Operation;

test('the document is bare', () => {
  expect(document.openapi).toBe('3.1.0');
  expect(document).not.toHaveProperty('success');
});

test('a client that has the document is not sent it again', async () => {
  const { headers } = await app.api(null).get('/v1/openapi.json').expect(200);
  const again = await app
    .api(null)
    .get('/v1/openapi.json')
    .set('If-None-Match', headers['etag'] ?? '')
    .expect(304);
  expect(again.text).toBe('');
});

test('the document is valid OpenAPI 3.1', async () => {
  const script = [
    "import { Validator } from '@seriousme/openapi-schema-validator';",
    "import { readFileSync } from 'node:fs';",
    "const { valid, errors } = await new Validator().validate(JSON.parse(readFileSync(0, 'utf8')));",
    'process.stdout.write(JSON.stringify({ valid, errors }));',
  ].join('\n');
  const checking = run(process.execPath, ['--input-type=module', '-e', script], { cwd: ROOT });
  checking.child.stdin?.end(JSON.stringify(document));
  expect(JSON.parse((await checking).stdout)).toEqual({ valid: true });
});

test('the OpenAPI document has the 92 operations, group by group', () => {
  const counts = Object.fromEntries(
    Object.keys(GROUPS).map((tag) => [tag, operationsBelow('/v1/').filter(({ tags }) => tags[0] === tag).length]),
  );
  expect(counts).toEqual(GROUPS);
  const own = operations().filter((operation) => operation['x-extension'] !== true);
  expect(own).toHaveLength(92);
  expect(new Set(own.map(({ operationId }) => operationId)).size).toBe(92);
});

test('operations beyond the 92 are marked as extensions', () => {
  const beyond = operations().filter((operation) => operation['x-extension'] === true);
  expect(beyond.map(({ operationId, tags }) => [operationId, tags])).toEqual([
    ...tagged('Extensions', 'listImports', 'rescheduleEmail', 'updateSuppression'),
    ...tagged('Approvals', 'createApproval', 'listApprovals', 'getApproval', 'approveApproval', 'rejectApproval', 'createApprovalLink'),
    ...tagged('Extensions', 'listAudit'),
    ...archiveOf('Workflow'),
    ...tagged('Extensions', 'checkWorkflow', 'rehearseWorkflow', 'getWorkflowTimeline'),
    ...tagged('Billing', 'startCheckout'),
    ...tagged(
      'Extensions',
      'planCampaign',
      'preflightCampaign',
      'getCampaignCoverage',
      'getCampaignTimeline',
      'listCampaignTurns',
      'getCampaignFeed',
    ),
    ...archiveOf('Campaign'),
    ...tagged(
      'Extensions',
      'pauseCampaign',
      'resumeCampaign',
      'retryFailedMessages',
      'unscheduleCampaign',
      'rescheduleCampaign',
      'reviseCampaign',
      'breakDownAudience',
      'certifyCampaign',
      'certifyWorkflow',
      'listContactConsent',
      'verifyContactConsent',
      'exportConsent',
      'getContactErasure',
      'exportContactData',
      'listProviders',
      'listTransports',
      'getDomainZone',
      'getDomainReports',
      'readEventFeed',
    ),
    ...tagged('Files', 'listFiles', 'uploadFile', 'getFile', 'deleteFile'),
    ...tagged('Forms', 'listForms', 'createForm', 'getForm', 'updateForm', 'deleteForm'),
    ...tagged('Extensions', 'getInboundAttachment', 'listKeys', 'createKey', 'revokeKey'),
    ...tagged(
      'Members',
      'listMembers',
      'listInvitations',
      'createInvitation',
      'withdrawInvitation',
      'updateMember',
      'removeMember',
      'getMe',
    ),
    ...tagged('Extensions', 'listSavedBlocks', 'createSavedBlock', 'getSavedBlock', 'updateSavedBlock', 'deleteSavedBlock'),
    ...archiveOf('Segment'),
    ...tagged('Extensions', 'getSettings', 'updateSettings', 'listSmtpSessions', 'importSuppressions'),
    ...archiveOf('Template'),
    ...tagged(
      'Extensions',
      'previewTemplate',
      'testSendContent',
      'renderBlocks',
      'listTopics',
      'createTopic',
      'getTopic',
      'updateTopic',
      'deleteTopic',
      'getContactTopics',
      'changeContactTopics',
      'getTranslations',
      'replaceTranslations',
      'listUpcoming',
      'getDelivery',
      'testWebhook',
      'listWebhookGaps',
      'replayWebhook',
      'explainContact',
      'getLive',
      'getReady',
    ),
  ]);
});

test.each([
  [
    'Message',
    ['bcc', 'cap', 'cc', 'from', 'locale', 'replyTo', 'retainContent', 'sendOnce', 'tags', 'throttle', 'to', 'topicId', 'tracking'],
  ],
  ['SendResponse', ['bcc', 'cc']],
  ['EmailSummary', ['contentVersion', 'recipientType', 'replyToName', 'tags', 'topicId', 'tracking', 'transport']],
  ['Template', ['archivedAt', 'bodyBlocks', 'topicId', 'tracking', 'variants']],
  ['CreateTemplateRequest', ['bodyBlocks', 'topicId', 'tracking', 'variants']],
  ['CreateWebhookRequest', ['format', 'tag']],
  ['UpdateWebhookRequest', ['tag']],
  ['Webhook', ['format', 'sequence', 'tag']],
])('members beyond the 92 operations are marked as extensions in %s', (name, expected) => {
  const members = Object.entries(document.components.schemas[name]?.properties ?? {});
  const isMarked = (schema: Extended): boolean => schema['x-extension'] === true || (schema.anyOf ?? []).some(isMarked);
  expect(members.flatMap(([member, schema]) => (isMarked(schema as Extended) ? [member] : [])).sort()).toEqual(expected);
});

test('a contentId and the filter by tag are marked as extensions', () => {
  const { attachments } = document.components.schemas['Message']?.properties as { attachments: { items: { properties: object } } };
  expect(attachments.items.properties).toMatchObject({ contentId: { 'x-extension': true } });
  const filtering = operations().filter(({ parameters }) =>
    parameters.some(({ name, schema }) => name === 'tag' && schema?.['x-extension'] === true),
  );
  expect(filtering.map(({ operationId }) => operationId).sort()).toEqual(['getStats', 'listEmails']);
});

test('the checkout is the one operation with a key outside of /v1', () => {
  expect(operationsBelow('/api/')).toMatchObject([{ operationId: 'startCheckout', description: expect.stringContaining('outside') }]);
});

/** The body that a request is shown with, with its instant in the future. */
const exampleOf = (body: { readonly content: Readonly<Record<string, { readonly example?: unknown }>> } | undefined): unknown =>
  JSON.parse(
    JSON.stringify(body?.content['application/json']?.example ?? {}).replaceAll(TOMORROW, new Date(Date.now() + 86_400_000).toISOString()),
  );

test('an operation declares a 404 for what its path names, and only where that comes', async () => {
  for (const [template, methods] of Object.entries(document.paths)) {
    if (!template.includes('{')) continue;
    for (const [method, { operationId, requestBody, responses }] of Object.entries(methods)) {
      const example = exampleOf(requestBody);
      const { query = '' } = CASES[operationId] ?? {};
      const asked = app.api()[method as 'get'](template.replaceAll(/\{\w+\}/g, 'x') + query);
      const { status } = await (method === 'get' || method === 'delete' ? asked : asked.send(example as object));
      expect([operationId, status === 404]).toEqual([operationId, '404' in responses]);
    }
  }
});

test('each names its path parameters, its failures and its request id', () => {
  for (const [template, methods] of Object.entries(document.paths)) {
    for (const operation of Object.values(methods)) {
      const declared = operation.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => `{${name}}`);
      expect([operation.operationId, declared]).toEqual([operation.operationId, template.match(/\{\w+\}/g) ?? []]);
      expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['500', '503']));
      for (const response of Object.values(operation.responses)) expect(answerOf(response).headers).toHaveProperty('X-Request-Id');
    }
  }
});

test('each asks for a key, but those that say how the service is', () => {
  const open = operations().filter(({ security }) => security.length === 0);
  expect(open.map(({ operationId }) => operationId)).toEqual(['getHealth', 'getOpenApi', 'getLive', 'getReady']);
});

test('sending is described in full', () => {
  const { requestBody, parameters, responses } = send();
  expect(requestBody).toMatchObject({ required: true, content: { 'application/json': { example: { to: expect.anything() } } } });
  expect(parameters.map(({ name }) => name)).toContain('Idempotency-Key');
  expect(Object.keys(responses)).toEqual(['200', '400', '401', '403', '409', '413', '415', '422', '429', '500', '503']);
  expect(answerOf(responses['200']).headers).toHaveProperty('RateLimit-Remaining');
});

test('what may be there already is answered with 200 too', () => {
  for (const operation of ['upsertContact', 'createSuppression']) {
    const found = operations().find(({ operationId }) => operationId === operation);
    expect(Object.keys(found?.responses ?? {})).toEqual(expect.arrayContaining(['200', '201']));
  }
});

test('required members are required', () => {
  expect(document.components.schemas.Contact).toMatchObject({
    required: expect.arrayContaining(['contactId', 'email', 'subscribed', 'createdAt', 'updatedAt']),
  });
  expect(document.components.schemas.Domain).toMatchObject({
    required: expect.arrayContaining(['domainId', 'domain', 'status', 'dnsRecords']),
  });
});

test('the codes of failures are those that have a status', () => {
  expect(document.components.schemas.Error).toMatchObject({ properties: { code: { enum: Object.keys(STATUS) } } });
});

test('every operation is there, and refuses strangers', async () => {
  for (const { method, path: template, access } of [...endpoints, ...extensions(allWell), ...otherEndpoints]) {
    if (access === 'none') continue;
    const response = await app.api(null)[method](template.replaceAll(/\{\w+\}/g, 'x'));
    expect([template, response.status, response.body.code]).toEqual([template, 401, 'unauthorized']);
  }
});

test('every operation answers in the envelope, with a known failure or a success', async () => {
  for (const { method, path: template, operationId } of endpoints) {
    if (operationId === 'getOpenApi' || operationId === 'exportContacts') continue;
    const { body } = await app.api()[method](template.replaceAll(/\{\w+\}/g, 'x'));
    const known = body.success === true ? body.data !== undefined : STATUS[body.code as keyof typeof STATUS] !== undefined;
    expect([operationId, known, body.code]).not.toEqual([operationId, false, body.code]);
    expect([operationId, body.code]).not.toEqual([operationId, 'internal_error']);
  }
});

describe('the reference page', () => {
  test('loads nothing from elsewhere, and runs no script of its own text', async () => {
    const page = await app.api(null).get('/docs');
    const references = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url]) => url ?? '');
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(references.length).toBeGreaterThan(2);
    for (const url of references) {
      expect(url).toMatch(/^\/docs\//);
      expect((await app.api(null).get(url)).status).toBe(200);
    }
    expect(page.text).not.toMatch(/<script>/);
    expect(page.headers['content-security-policy']).toMatch(/default-src 'none';script-src 'self';/);
  });

  test('has no other files', async () => {
    for (const url of ['/docs/package.json', '/docs/..%2fpackage.json', '/docs/%2e%2e/package.json', '/docs/index.html']) {
      expect((await app.api(null).get(url)).status).toBe(404);
    }
  });
});
