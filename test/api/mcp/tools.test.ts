import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { chain, node, send as mail } from '../../support/calls/automations';
import { mcpCalls } from '../../support/calls/mcp';
import { readAudit } from '../../../src/records/audit';
import { aProject } from '../../support/platform/app';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test', PUBLIC_URL: 'https://mail.example.com' } });

const { connected, called, done, refused, keyOf } = mcpCalls(() => app);

const namesOf = async (client: Client): Promise<string[]> => (await client.listTools()).tools.map(({ name }) => name).sort();

const CAMPAIGN = { name: 'News', subject: 'Hi', body: '<p>Hi</p>', fromEmail: 'team@hello.test', audience: 'all' };
const GRAPH = chain(mail('hello'), node('end', 'exit'));

describe('the list of tools', () => {
  test('has schemas of both sides and hints, which the client compiles', async () => {
    const { tools } = await (await connected()).listTools();
    for (const { title, description, inputSchema, outputSchema, annotations } of tools) {
      expect([typeof title, typeof description, inputSchema.type, outputSchema?.type]).toEqual(['string', 'string', 'object', 'object']);
      expect(Object.values(annotations ?? {}).filter((hint) => typeof hint === 'boolean')).toHaveLength(3);
    }
    const hints = Object.fromEntries(tools.map(({ name, annotations }) => [name, annotations]));
    expect(hints['listContacts']).toMatchObject({ readOnlyHint: true, destructiveHint: false });
    expect(hints['deleteContact']).toMatchObject({ readOnlyHint: false, destructiveHint: true });
    expect(hints['send']).toMatchObject({ readOnlyHint: false, idempotentHint: false });
  });

  test('fits into a fraction of what the operations take to describe', async () => {
    const { tools } = await (await connected()).listTools();
    expect(JSON.stringify(tools).length).toBeLessThan(175_000);
  });

  test('has nothing that reaches more than one person, changes what is live, or shows a secret', async () => {
    const names = await namesOf(await connected());
    const document = (await app.api().get('/v1/openapi.json').expect(200)).body as {
      readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>;
    };
    const changing = Object.values(document.paths).flatMap((path) =>
      Object.entries(path).flatMap(([method, { operationId }]) => (method === 'get' ? [] : [operationId])),
    );
    expect(changing.filter((name) => !names.includes(name)).sort()).toEqual(FOR_PEOPLE);
  });

  test('has for a key of scope read only what reads, and for one of scope sending only what sends', async () => {
    const { tools } = await (await connected(await keyOf('read'))).listTools();
    expect(tools.length).toBeGreaterThan(30);
    expect(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true)).toEqual([]);
    expect(await namesOf(await connected(await keyOf('sending')))).toEqual(['getEmail', 'getMe', 'listEmails', 'send']);
  });

  test('has the groups that the URL names', async () => {
    const { tools } = await (await connected(app.keys.secret, { path: '/mcp?groups=templates,stats' })).listTools();
    expect([...new Set(tools.map(({ _meta }) => _meta?.['lettermill/group']))].sort()).toEqual(['stats', 'templates']);
    await expect(connected(app.keys.secret, { path: '/mcp?groups=nonsense' })).rejects.toThrow('Groups must be among');
  });
});

/** The operations that no agent gets. */
const FOR_PEOPLE: readonly string[] = [
  'approveApproval',
  'archiveCampaign',
  'archiveSegment',
  'archiveTemplate',
  'archiveWorkflow',
  'cancelAllExecutions',
  'changeContactTopics',
  'changeContacts',
  'createApproval',
  'createApprovalLink',
  'createDomain',
  'createForm',
  'createInvitation',
  'createKey',
  'createSavedBlock',
  'createTopic',
  'createWebhook',
  'deleteContactField',
  'deleteDomain',
  'deleteEvents',
  'deleteFile',
  'deleteForm',
  'deleteSavedBlock',
  'deleteSegment',
  'deleteTemplate',
  'deleteTopic',
  'deleteWebhook',
  'deleteWorkflow',
  'importSuppressions',
  'receiveMessage',
  'refreshSegment',
  'removeMember',
  'replaceTranslations',
  'replayDelivery',
  'replayWebhook',
  'rescheduleCampaign',
  'resendToNonOpeners',
  'resumeCampaign',
  'retryFailedMessages',
  'reviseCampaign',
  'revokeKey',
  'rollBackTemplate',
  'startCheckout',
  'testSendContent',
  'testWebhook',
  'unarchiveCampaign',
  'unarchiveSegment',
  'unarchiveTemplate',
  'unarchiveWorkflow',
  'updateBilling',
  'updateForm',
  'updateMember',
  'updateSavedBlock',
  'updateSegment',
  'updateSettings',
  'updateSuppression',
  'updateTemplate',
  'updateTopic',
  'updateWebhook',
  'uploadFile',
  'withdrawInvitation',
];

describe('a call', () => {
  test('does what the operation of /v1 does, in pages', async () => {
    const client = await connected();
    const { contactId: id } = await done<{ contactId: string }>(client, 'upsertContact', {
      email: 'ada@example.com',
      firstName: 'Ada',
      data: { plan: 'pro' },
    });
    await done(client, 'upsertContact', { email: 'bob@example.com' });
    expect((await app.api().get(`/v1/contacts/${id}`).expect(200)).body.data).toMatchObject({ firstName: 'Ada' });
    const page = await called(client, 'listContacts', { limit: 1 });
    const { data, nextCursor } = page.structuredContent as unknown as { data: object[]; nextCursor: string };
    expect(data).toEqual([expect.objectContaining({ email: 'bob@example.com' })]);
    expect(await done(client, 'listContacts', { limit: 1, cursor: nextCursor })).toEqual([expect.objectContaining({ contactId: id })]);
    expect(page._meta).toEqual({ 'lettermill/untrusted': true });
    await done(client, 'ingestEvent', { name: 'order.placed', contactId: id, data: { total: 42 } });
    expect(await done(client, 'listEvents', { name: 'order.placed' })).toEqual([expect.objectContaining({ data: { total: 42 } })]);
    await done(client, 'deleteContact', { id });
    await app.api().get(`/v1/contacts/${id}`).expect(404);
  });

  test('has its entry in the audit, and of a whole list answers a page', async () => {
    const client = await connected();
    await done(client, 'createTemplate', { name: 'One', subject: 'Hi', body: '<p>Hi</p>', fromEmail: 'team@hello.test' });
    await done(client, 'createTemplate', { name: 'Two', subject: 'Hi', body: '<p>Hi</p>', fromEmail: 'team@hello.test' });
    const audit = await readAudit({ projectId: null, limit: 1, before: null });
    expect(audit).toEqual([expect.objectContaining({ action: 'template.create', by: expect.stringMatching(/^key sk_/) })]);
    expect(await done(client, 'listTemplates', { limit: 1 })).toMatchObject({ data: [{}], nextCursor: expect.any(String) });
  });

  test('sends to one person, once for its key', async () => {
    const client = await connected(await keyOf('sending'));
    const message = { to: 'eve@example.com', subject: 'Hi', text: 'Hi', idempotencyKey: 'k1' };
    const { results } = await done<{ results: object[] }>(client, 'send', message);
    expect(await done(client, 'send', message)).toMatchObject({ results, replay: true });
    expect(await refused(client, 'send', { ...message, subject: 'Other' })).toMatchObject({ code: 'idempotency_key_reused' });
  });

  test('that fails is a tool error with the body of the contract', async () => {
    const client = await connected();
    expect(await refused(client, 'getContact', { id: 'con_nobody' })).toMatchObject({ success: false, code: 'not_found' });
    expect(await refused(client, 'upsertContact', { email: 'nonsense', nmae: 1 })).toMatchObject({
      code: 'validation_error',
      details: [{ path: 'email' }, { code: 'unrecognized_keys' }],
    });
    await expect(called(client, 'nonsense')).rejects.toThrow('Unknown tool nonsense');
  });

  test('reaches nothing of another project', async () => {
    const { contactId: id } = await done<{ contactId: string }>(await connected(), 'upsertContact', { email: 'mine@example.com' });
    const other = await connected(app.otherKeys.secret);
    expect(await refused(other, 'getContact', { id })).toMatchObject({ code: 'not_found' });
    expect(await done(other, 'listContacts')).toEqual([]);
  });

  test('of what a key does not open is refused, as in /v1', async () => {
    const client = await connected(await keyOf('read'));
    expect(await refused(client, 'upsertContact', { email: 'x@example.com' })).toMatchObject({
      code: 'forbidden',
      error: "This key's scope is read; upsertContact needs the scope full",
    });
  });
});

describe('what reaches more than one person', () => {
  const ASK = { code: 'forbidden', error: expect.stringContaining('A person does this in the console') };

  test('is refused: operations that are no tools', async () => {
    const client = await connected();
    const { campaignId: id } = await done<{ campaignId: string }>(client, 'createCampaign', CAMPAIGN);
    for (const name of ['approveApproval', 'createKey']) expect(await refused(client, name, { id })).toMatchObject(ASK);
    expect(await done(client, 'getCampaign', { id })).toMatchObject({ status: 'draft' });
  });

  test('is refused: several recipients, copies, several members, and undoing an opt-out', async () => {
    const client = await connected();
    const message = { to: 'eve@example.com', subject: 'Hi', text: 'Hi' };
    expect(await refused(client, 'send', { ...message, to: ['a@example.com', 'b@example.com'] })).toMatchObject(ASK);
    expect(await refused(client, 'send', { ...message, cc: 'b@example.com' })).toMatchObject(ASK);
    expect(await refused(client, 'send', { ...message, bcc: 'b@example.com' })).toMatchObject(ASK);
    expect(await refused(client, 'upsertContact', { email: 'a@example.com', subscribed: true })).toMatchObject(ASK);
    const { segmentId: id } = await done<{ segmentId: string }>(client, 'createSegment', { name: 'Static', type: 'static' });
    expect(await refused(client, 'addSegmentMembers', { id, emails: ['a@example.com', 'b@example.com'] })).toMatchObject(ASK);
    expect(await done(client, 'listEmails')).not.toContainEqual(expect.objectContaining({ to: 'b@example.com' }));
  });

  test('is refused: changes of what a person has scheduled or activated', async () => {
    const client = await connected();
    await done(client, 'upsertContact', { email: 'reader@example.com' });
    const { campaignId: id } = await done<{ campaignId: string }>(client, 'createCampaign', CAMPAIGN);
    expect(await done(client, 'updateCampaign', { id, subject: 'New' })).toMatchObject({ subject: 'New' });
    await app
      .api()
      .post(`/v1/campaigns/${id}/send`)
      .send({ scheduledFor: new Date(Date.now() + 3_600_000).toISOString() })
      .expect(200);
    expect(await refused(client, 'updateCampaign', { id, subject: 'Newer' })).toMatchObject(ASK);
    const { workflowId: workflow } = await done<{ workflowId: string }>(client, 'createWorkflow', {
      name: 'Hi',
      trigger: 'contact.created',
      graph: GRAPH,
    });
    expect(await done(client, 'updateWorkflow', { id: workflow, name: 'Hello' })).toMatchObject({ name: 'Hello', status: 'draft' });
    await app.api().patch(`/v1/workflows/${workflow}`).send({ status: 'active' }).expect(200);
    expect(await refused(client, 'updateWorkflow', { id: workflow, name: 'Bye' })).toMatchObject(ASK);
  });
});

describe('the server', () => {
  test('refuses a wrong key, a public one, and the page of another site', async () => {
    await expect(connected('sk_nonsense')).rejects.toMatchObject({ code: 401 });
    await expect(connected(app.keys.public)).rejects.toMatchObject({ code: 401 });
    await expect(connected(app.keys.secret, { headers: { Origin: 'https://evil.example' } })).rejects.toMatchObject({ code: 403 });
    await connected(app.keys.secret, { headers: { Origin: 'https://mail.example.com' } });
  });

  test('answers malformed messages as JSON-RPC does, and only POST', async () => {
    const post = (body: unknown, headers: Record<string, string> = {}) =>
      app
        .api()
        .post('/mcp')
        .set(headers)
        .send(body as object);
    const failure = { jsonrpc: '2.0', id: null, error: { code: -32600, data: { code: 'validation_error' } } };
    expect((await post([{ jsonrpc: '2.0', id: 1, method: 'ping' }]).expect(400)).body).toMatchObject(failure);
    expect(
      (await post({ jsonrpc: '2.0', id: 1, method: 'ping' }, { 'MCP-Protocol-Version': '1999-01-01' }).expect(400)).body,
    ).toMatchObject(failure);
    expect((await post({ jsonrpc: '2.0', id: 1, method: 'ping' }).expect(200)).body).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    expect((await post({ jsonrpc: '2.0', method: 'notifications/initialized' }).expect(202)).text).toBe('');
    expect((await post('{', { 'Content-Type': 'application/json' }).expect(400)).body).toMatchObject({ error: { code: -32700 } });
    const asked = (method: string, params: object) => post({ jsonrpc: '2.0', id: 1, method, params }).expect(200);
    for (const [method, params, at] of [
      ['tools/call', { name: 'listSegments', arguments: null }, 'params.arguments: '],
      ['resources/read', {}, 'params.uri: '],
      ['initialize', { protocolVersion: 5 }, 'params.protocolVersion: '],
    ] as const) {
      const error = { code: -32602, message: expect.stringContaining(at) };
      expect((await asked(method, params)).body).toEqual({ jsonrpc: '2.0', id: 1, error });
    }
    await app.api().get('/mcp').expect(405).expect('Allow', 'POST');
  });

  test('has the guides as resources', async () => {
    const client = await connected();
    const { resources } = await client.listResources();
    expect(resources).toContainEqual(expect.objectContaining({ uri: 'lettermill://guides/sending', mimeType: 'text/markdown' }));
    const { contents } = await client.readResource({ uri: 'lettermill://guides/sending' });
    expect(contents).toEqual([expect.objectContaining({ text: expect.stringMatching(/^# /) })]);
    await expect(client.readResource({ uri: 'lettermill://guides/../SECURITY' })).rejects.toThrow('This guide does not exist');
  });
});
