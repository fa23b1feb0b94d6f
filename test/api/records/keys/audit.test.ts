import { automationExtensions } from '../../../../api/automations/routes';
import { campaignExtensions } from '../../../../api/campaigns/routes';
import { emailExtensions } from '../../../../api/emails/routes';
import { otherEndpoints, rooms } from '../../../../api/rooms';
import { webhookExtensions } from '../../../../api/webhooks/routes';
import { parseRequest } from '../../../../src/processes/admin/request';
import { readAudit } from '../../../../src/records/audit';
import { aProject } from '../../../support/platform/app';
import { campaignCalls } from '../../../support/calls/campaigns';
import { stored } from '../../../support/data/stored';

const lines: string[] = [];
const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' }, log: (line) => lines.push(line) });

beforeEach(() => stored.audit.remove());
afterEach(() => jest.restoreAllMocks());

const { draft, act } = campaignCalls(() => app);
const all = () => readAudit({ projectId: null, limit: 100, before: null });
/** What was written down since the test began, oldest first. */
const written = async () => (await all()).reverse().map(({ action, subject }) => [action, subject]);
const TEMPLATE = { name: 'T', subject: 'S', body: '<p>B</p>', fromEmail: 'us@hello.test' };
const hook = { url: 'https://example.com/hook', events: ['*'] };
const platform = {
  release: '0.1.0',
  get config() {
    return app.core.config;
  },
  publicUrl: 'http://localhost:3000',
  secrets: () => app.core.secrets,
  say: (line: string) => lines.push(line),
};
const admin = async (...argv: string[]) => (await parseRequest(argv).run(platform)).result;

test('a change by a key is written down with who, when and which, and nothing of what it was changed to', async () => {
  const began = Date.now();
  const { body } = await app.api().post('/v1/webhooks').send(hook).expect(201);
  const [entry] = await all();
  expect(entry).toEqual({
    _id: expect.stringMatching(/^aud_/),
    at: expect.any(Date),
    projectId: app.keys.projectId,
    by: `key ${app.keys.secret.slice(0, 15)}`,
    action: 'webhook.create',
    subject: body.data.webhookId,
  });
  expect(entry?.at.getTime()).toBeGreaterThanOrEqual(began);
});

test('each operation that changes the configuration is in it', async () => {
  const api = app.api();
  const { body: webhook } = await api.post('/v1/webhooks').send(hook);
  await api.patch(`/v1/webhooks/${webhook.data.webhookId}`).send({ enabled: false }).expect(200);
  await api.delete(`/v1/webhooks/${webhook.data.webhookId}`).expect(200);
  const { body: template } = await api.post('/v1/templates').send(TEMPLATE).expect(201);
  const { body: copy } = await api.post(`/v1/templates/${template.data.templateId}/duplicate`).expect(201);
  const { body: domain } = await api.post('/v1/domains').send({ domain: 'audit.example.com' }).expect(201);
  const { body: segment } = await api.post('/v1/segments').send({ name: 'S', type: 'static' }).expect(201);
  await api.patch('/v1/billing').send({ monthlyLimit: 5 });
  expect(await written()).toEqual([
    ['webhook.create', webhook.data.webhookId],
    ['webhook.update', webhook.data.webhookId],
    ['webhook.delete', webhook.data.webhookId],
    ['template.create', template.data.templateId],
    ['template.create', copy.data.templateId],
    ['domain.create', domain.data.domainId],
    ['segment.create', segment.data.segmentId],
    ['billing.update', null],
  ]);
});

test('what the audit knows of operations that write is complete', () => {
  const own = rooms({ health: () => Promise.resolve({ mongodb: 'up', temporal: 'up' }), document: () => ({}) });
  const silent = [
    ...own,
    ...automationExtensions,
    ...campaignExtensions,
    ...emailExtensions,
    ...webhookExtensions,
    ...otherEndpoints,
  ].filter(({ method, audit }) => method !== 'get' && !audit);
  expect(silent.map(({ operationId }) => operationId).sort()).toEqual(
    [
      // Mail, events and contacts.
      'send',
      'sendBatch',
      'cancelEmail',
      'rescheduleEmail',
      'testSendTemplate',
      'testSendCampaign',
      'ingestEvent',
      'receiveMessage',
      'enrollContact',
      'upsertContact',
      'changeContacts',
      'importContacts',
      'deleteContact',
      'addSegmentMembers',
      'removeSegmentMember',
      'cancelExecution',
      // Drafts that nothing goes by yet.
      'createCampaign',
      'updateCampaign',
      'duplicateCampaign',
      // What changes no configuration.
      'countAudience',
      'breakDownAudience',
      'planCampaign',
      'previewSegment',
      'refreshSegment',
      'verifyDomain',
      'verifyAddress',
      'checkWorkflow',
      'rehearseWorkflow',
      'replayDelivery',
      'testWebhook',
      'takePaymentNotification',
    ].sort(),
  );
});

test('a workflow that is switched on or off is not just updated', async () => {
  const { body } = await app.api().post('/v1/workflows').send({ name: 'W', trigger: 'event:order.placed' }).expect(201);
  const id = body.data.workflowId as string;
  const graph = {
    nodes: [
      { id: 't', type: 'trigger', config: {} },
      { id: 'e', type: 'exit', config: {} },
    ],
    edges: [{ from: 't', to: 'e' }],
  };
  await app.api().patch(`/v1/workflows/${id}`).send({ graph }).expect(200);
  await app.api().patch(`/v1/workflows/${id}`).send({ status: 'active' }).expect(200);
  await app.api().patch(`/v1/workflows/${id}`).send({ status: 'paused' }).expect(200);
  expect((await written()).map(([action]) => action)).toEqual([
    'workflow.create',
    'workflow.update',
    'workflow.activate',
    'workflow.pause',
  ]);
});

test('a campaign that starts is in it once, however often its request is repeated', async () => {
  const { campaignId } = await draft();
  for (let tries = 0; tries < 2; tries++) await act(campaignId, 'send', {}).set('Idempotency-Key', `send ${campaignId}`).expect(200);
  for (const action of ['pause', 'resume']) await act(campaignId, action).expect(200);
  await act(campaignId, 'cancel').expect(200);
  expect(await written()).toEqual([
    ['campaign.send', campaignId],
    ['campaign.pause', campaignId],
    ['campaign.resume', campaignId],
    ['campaign.cancel', campaignId],
  ]);
});

test('a suppression is named by its id, also where its address was given', async () => {
  const { body } = await app.api().post('/v1/suppressions').send({ email: 'eve@example.com', reason: 'manual' }).expect(201);
  await app.api().post('/v1/suppressions').send({ email: 'eve@example.com', reason: 'manual' }).expect(200);
  await app.api().patch('/v1/suppressions/eve%40example.com').send({ note: 'Asked' }).expect(200);
  await app.api().delete('/v1/suppressions/eve%40example.com').expect(200);
  expect(await written()).toEqual([
    ['suppression.create', body.data.suppressionId],
    ['suppression.update', body.data.suppressionId],
    ['suppression.delete', body.data.suppressionId],
  ]);
  expect(JSON.stringify(await all())).not.toContain('eve');
});

test('what is refused, what changes nothing, and each send, contact and event are not', async () => {
  const inserts = jest.spyOn(stored.audit.collection, 'insertOne');
  const api = app.api();
  await api.post('/v1/webhooks').send({}).expect(422);
  await api.patch('/v1/webhooks/whk_missing').send({ enabled: true }).expect(404);
  await api.post('/v1/send').send({ to: 'ada@example.com', from: 'us@hello.test', subject: 'S', text: 'T' }).expect(200);
  await api.post('/v1/contacts').send({ email: 'ada@example.com' });
  await api.post('/v1/events').send({ name: 'seen', email: 'ada@example.com' }).expect(201);
  const { body } = await api.post('/v1/templates').send(TEMPLATE).expect(201);
  inserts.mockClear();
  await api.patch(`/v1/templates/${body.data.templateId}`).send({}).expect(200);
  expect(inserts).not.toHaveBeenCalled();
  expect((await written()).map(([action]) => action)).toEqual(['template.create']);
});

test('an audit that cannot be written fails no request: the log has what is missing', async () => {
  jest.spyOn(stored.audit.collection, 'insertOne').mockRejectedValueOnce(new Error('not now'));
  const { body } = await app.api().post('/v1/webhooks').send(hook).expect(201);
  expect(await all()).toEqual([]);
  const line = lines.find((each) => each.includes('is missing from the audit')) ?? '{}';
  expect(JSON.parse(line)).toMatchObject({
    level: 50,
    action: 'webhook.create',
    subject: body.data.webhookId,
    projectId: app.keys.projectId,
  });
  jest.spyOn(stored.audit.collection, 'insertOne').mockReturnValueOnce(new Promise(() => undefined));
  const began = performance.now();
  await app.api().post('/v1/webhooks').send(hook).expect(201);
  expect(performance.now() - began).toBeLessThan(20_000);
});

describe('the operator', () => {
  const entry = (change: object) => expect.objectContaining({ by: expect.stringMatching(/^operator ./), ...change });

  test('is in it with what was done, and reads it by project, in pages', async () => {
    const made = (await admin('projects', 'create', 'Audited')) as { projectId: string; secret: string };
    const { projectId } = made;
    await admin('projects', 'disable', projectId);
    await admin('projects', 'plan', projectId, 'growth');
    const { key } = (await admin('keys', 'create', projectId, 'secret', '--scope', 'read')) as { key: string };
    await admin('keys', 'revoke', key.slice(0, 15));
    await admin('keys', 'list', projectId);
    await app.api().post('/v1/webhooks').send(hook).expect(201);
    const expected = [
      entry({ action: 'key.revoke', subject: key.slice(0, 15), projectId }),
      entry({ action: 'key.create', subject: key.slice(0, 15) }),
      entry({ action: 'project.plan', subject: projectId }),
      entry({ action: 'project.disable' }),
      entry({ action: 'project.create', subject: projectId }),
    ];
    expect(await admin('audit', '--project', projectId)).toEqual(expected);
    expect(await admin('audit')).toHaveLength(6);
    const page = (await admin('audit', '--project', projectId, '--limit', '2')) as { entryId: string }[];
    expect(page).toEqual(expected.slice(0, 2));
    expect(await admin('audit', '--project', projectId, '--before', page[1]?.entryId ?? '')).toEqual(expected.slice(2));
    expect(JSON.stringify(await all())).not.toContain(key.slice(15, 40));
  });

  test('is warned when it cannot be written', async () => {
    jest.spyOn(stored.audit.collection, 'insertOne').mockRejectedValueOnce(new Error('not now'));
    await admin('projects', 'create', 'Unseen');
    expect(lines.at(-1)).toBe('The change was made, but is missing from the audit: It failed: not now');
  });

  test('what could not be done is not in it', async () => {
    await expect(admin('projects', 'disable', 'prj_missing')).rejects.toMatchObject({ code: 'not_found' });
    await expect(admin('audit', '--project', 'prj_missing')).rejects.toMatchObject({ code: 'not_found' });
    expect(await all()).toEqual([]);
  });
});
