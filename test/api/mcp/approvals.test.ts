import { chain, node, send as mail } from '../../support/calls/automations';
import { mcpCalls } from '../../support/calls/mcp';
import { aProject } from '../../support/platform/app';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test', PUBLIC_URL: 'https://mail.example.com' } });
const { connected, done, refused, keyOf } = mcpCalls(() => app);

const CAMPAIGN = { name: 'News', subject: 'Hi', body: '<p>Hi</p>', fromEmail: 'team@hello.test', audience: 'all' };
const GRAPH = chain(mail('hello'), node('end', 'exit'));

describe('what needs an approval', () => {
  interface Approval {
    readonly approvalId: string;
    readonly link: string;
  }

  test('is requested by the tool that would do it, and done once a person has approved it', async () => {
    const client = await connected();
    const { campaignId: id } = await done<{ campaignId: string }>(client, 'createCampaign', CAMPAIGN);
    const call = { id, throttlePerMinute: 60, reason: 'The news are due', idempotencyKey: 'launch' };
    const approval = await done<Approval>(client, 'sendCampaign', call);
    expect(approval).toMatchObject({
      state: 'pending',
      operation: 'sendCampaign',
      parameters: { id, throttlePerMinute: 60 },
      reason: 'The news are due',
      link: `https://mail.example.com/console/approvals/${approval.approvalId}`,
    });
    expect(await done(client, 'sendCampaign', call)).toMatchObject({ approvalId: approval.approvalId, replay: true });
    expect(await done(client, 'getCampaign', { id })).toMatchObject({ status: 'draft' });
    const { body } = await app.api().post('/v1/keys').send({ kind: 'secret' }).expect(201);
    await app
      .api(body.data.key as string)
      .post(`/v1/approvals/${approval.approvalId}/approve`)
      .send({})
      .expect(200);
    expect(await done(client, 'getApproval', { id: approval.approvalId })).toMatchObject({ state: 'approved' });
  });

  test('is the activation of an automation too, and nothing besides', async () => {
    const client = await connected();
    const given = { name: 'Hi', trigger: 'contact.created', graph: GRAPH };
    const { workflowId: id } = await done<{ workflowId: string }>(client, 'createWorkflow', given);
    expect(await refused(client, 'updateWorkflow', { id, status: 'active', name: 'Bye' })).toMatchObject({ code: 'validation_error' });
    const { approvalId } = await done<Approval>(client, 'updateWorkflow', { id, status: 'active' });
    expect(await done(client, 'getWorkflow', { id })).toMatchObject({ status: 'draft' });
    expect(await done(client, 'rejectApproval', { id: approvalId, reason: 'No longer needed' })).toMatchObject({ state: 'rejected' });
  });

  test('is a batch, an import and lifting a suppression, which reach nobody until then', async () => {
    const client = await connected();
    const messages = ['ada@example.com', 'bob@example.com'].map((to) => ({ to, subject: 'Hi', text: 'Hi' }));
    const batch = await done<Approval>(client, 'sendBatch', { messages, reason: 'They asked for it' });
    expect(batch).toMatchObject({ state: 'pending', operation: 'sendBatch', reason: 'They asked for it', summary: { recipients: 2 } });
    expect(await done(client, 'listEmails')).toEqual([]);
    await done(client, 'createSuppression', { email: 'eve@example.com' });
    expect(await done(client, 'deleteSuppression', { id: 'eve@example.com' })).toMatchObject({ state: 'pending' });
    expect(await done(client, 'getSuppression', { id: 'eve@example.com' })).toMatchObject({ suppressed: true });
    const file = 'email,firstName\nada@example.com,Ada\n';
    expect(await done(client, 'importContacts', { file, trigger: true })).toMatchObject({
      state: 'pending',
      parameters: { trigger: true },
    });
    expect(await done(client, 'listContacts')).toEqual([]);
    const sender = await connected(await keyOf('sending'));
    expect(await refused(sender, 'sendBatch', { messages })).toMatchObject({ code: 'forbidden' });
  });

  test('takes no force, and is refused where the operation would be', async () => {
    const client = await connected();
    const { campaignId: id } = await done<{ campaignId: string }>(client, 'createCampaign', {
      ...CAMPAIGN,
      fromEmail: 'us@elsewhere.test',
    });
    expect(await refused(client, 'sendCampaign', { id, force: true })).toMatchObject({ code: 'forbidden' });
    expect(await refused(client, 'sendCampaign', { id })).toMatchObject({ details: [{ code: 'unverified_domain' }] });
    expect(await done(client, 'listApprovals', { state: 'approved' })).not.toContainEqual(expect.objectContaining({ parameters: { id } }));
  });
});
