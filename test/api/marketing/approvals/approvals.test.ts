import { readAudit } from '../../../../src/records/audit';
import { approvalCalls } from '../../../support/calls/approvals';
import { chain, node } from '../../../support/calls/automations';
import { campaignCalls, faultsOf, storeSegment } from '../../../support/calls/campaigns';
import { stored } from '../../../support/data/stored';
import { aProject } from '../../../support/platform/app';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test', PUBLIC_URL: 'https://mail.example.com' } });
const { draft, get: campaign, act, contact } = campaignCalls(() => app);
const { ask, requested, get, decide, turn, keyOf } = approvalCalls(() => app);

const HOUR = 3_600_000;
const inHours = (hours: number): string => new Date(Date.now() + hours * HOUR).toISOString();

let person: string;
beforeAll(async () => {
  person = await keyOf();
  for (const email of ['ada@example.com', 'bob@example.com', 'eve@example.com']) await contact(email);
});

const send = (id: string) => ({ operation: 'sendCampaign', parameters: { id } });

/** A draft of the automation that does nothing. */
async function automation(change: object = {}): Promise<string> {
  const graph = chain(node('end', 'exit'));
  const { body } = await app
    .api()
    .post('/v1/workflows')
    .send({ name: 'Welcome', trigger: 'event:signed.up', graph, ...change })
    .expect(201);
  return body.data.workflowId as string;
}

describe('a request', () => {
  test('answers with what will happen, and does nothing', async () => {
    const { campaignId } = await draft({ name: 'Spring' });
    const { body } = await ask({ ...send(campaignId), reason: 'The new collection is out' }).expect(201);
    expect(body.data).toEqual({
      approvalId: expect.stringMatching(/^apr_/),
      state: 'pending',
      operation: 'sendCampaign',
      parameters: { id: campaignId },
      summary: { text: 'Sends the campaign “Spring” to 3 contacts at once.', subject: 'Hello', recipients: 3, first: [], excerpt: null },
      testMode: false,
      requestedBy: expect.stringMatching(/^key sk_/),
      reason: 'The new collection is out',
      link: `https://mail.example.com/console/approvals/${body.data.approvalId as string}`,
      createdAt: expect.any(String),
      expiresAt: expect.any(String),
      decidedAt: null,
      decidedBy: null,
      decisionReason: null,
      result: null,
    });
    expect(Date.parse(body.data.expiresAt as string) - Date.parse(body.data.createdAt as string)).toBe(24 * HOUR);
    expect(await get(body.data.approvalId as string)).toEqual(body.data);
    expect(await campaign(campaignId)).toMatchObject({ status: 'draft' });
    expect(app.processes.start).toHaveBeenCalledWith(
      expect.objectContaining({
        workflow: 'approval',
        workflowId: `approval/${body.data.approvalId as string}`,
        summary: 'Approval of sendCampaign',
      }),
    );
  });

  test('is answered once for its key', async () => {
    const { campaignId } = await draft();
    const once = () => ask(send(campaignId)).set('Idempotency-Key', 'approve-me').expect(201);
    const first = (await once()).body.data;
    expect((await once()).body.data).toEqual({ ...first, replay: true });
    expect(await stored.approvals.count({ 'request.campaignId': campaignId })).toBe(1);
  });

  test('is refused where the operation would be', async () => {
    const { campaignId } = await draft({ fromEmail: 'team@elsewhere.test' });
    expect(faultsOf((await ask(send(campaignId)).expect(422)).body)).toEqual([['parameters.fromEmail', 'unverified_domain']]);
    const sent = await draft();
    await act(sent.campaignId, 'send').expect(200);
    await ask(send(sent.campaignId)).expect(409);
    const broken = await automation({ graph: chain(node('wait', 'delay', { amount: 1, unit: 'days' })) });
    await ask({ operation: 'updateWorkflow', parameters: { id: broken, status: 'active' } }).expect(201);
    await app.api().patch(`/v1/workflows/${broken}`).send({ status: 'active' }).expect(200);
    await ask({ operation: 'updateWorkflow', parameters: { id: broken, status: 'active' } }).expect(409);
  });

  test.each([
    ['an unknown operation', { operation: 'deleteProject', parameters: { id: 'x' } }, ['operation', 'invalid_enum_value']],
    ['no parameters', { operation: 'sendCampaign' }, ['parameters', 'invalid_type']],
    ['another member', { operation: 'sendCampaign', parameters: { id: 'x', now: true } }, ['parameters.now', 'unrecognized_keys']],
    [
      'an instant in the past',
      { operation: 'sendCampaign', parameters: { id: 'x', scheduledFor: inHours(-1) } },
      ['parameters.scheduledFor', 'invalid_date'],
    ],
    [
      'a status of a campaign',
      { operation: 'sendCampaign', parameters: { id: 'x', status: 'active' } },
      ['parameters.status', 'invalid_combination'],
    ],
    [
      'an activation without its status',
      { operation: 'updateWorkflow', parameters: { id: 'x' } },
      ['parameters.status', 'invalid_combination'],
    ],
    [
      'messages of a campaign',
      { operation: 'sendCampaign', parameters: { messages: [{ to: 'a@b.test', subject: 'S', text: 'T' }] } },
      ['parameters.messages', 'invalid_combination'],
    ],
    ['the address of a campaign', { operation: 'sendCampaign', parameters: { id: 'a@b.test' } }, ['parameters.id', 'invalid_string']],
    ['a batch without messages', { operation: 'sendBatch', parameters: { id: 'x' } }, ['parameters.messages', 'invalid_combination']],
    [
      'a fault in a message',
      { operation: 'sendBatch', parameters: { messages: [{ to: 'nobody', subject: 'S', text: 'T' }] } },
      ['parameters.messages.0.to', 'invalid_string'],
    ],
    [
      'a launch of a suppression',
      { operation: 'deleteSuppression', parameters: { id: 'x', throttlePerMinute: 1 } },
      ['parameters.throttlePerMinute', 'invalid_combination'],
    ],
    ['a campaign that does not exist', { operation: 'sendCampaign', parameters: { id: 'cmp_none' } }, ['parameters.id', 'not_found']],
    ['a reason in two lines', { operation: 'sendCampaign', parameters: { id: 'x' }, reason: 'a\nb' }, ['reason', 'invalid_string']],
  ])('with %s is a clear error', async (_what, body, fault) => {
    expect(faultsOf((await ask(body).expect(422)).body)).toEqual([fault]);
  });

  test('of another project finds nothing of this one', async () => {
    const { campaignId } = await draft();
    expect(faultsOf((await ask(send(campaignId), app.otherKeys.secret).expect(422)).body)).toEqual([['parameters.id', 'not_found']]);
    const { approvalId } = await requested(campaignId);
    await app.api(app.otherKeys.secret).get(`/v1/approvals/${approvalId}`).expect(404);
    await decide(approvalId, 'approve', app.otherKeys.secret).expect(404);
    await app.api(app.otherKeys.secret).post(`/v1/approvals/${approvalId}/link`).send({}).expect(404);
    expect((await app.api(app.otherKeys.secret).get('/v1/approvals').expect(200)).body.data).toEqual([]);
  });
});

test('the list has the newest first, and can have one state only', async () => {
  const [one, two] = [await requested((await draft()).campaignId), await requested((await draft()).campaignId)];
  await decide(one.approvalId, 'reject', person).expect(200);
  const idsOf = async (query: string): Promise<string[]> =>
    ((await app.api().get(`/v1/approvals?${query}`).expect(200)).body.data as readonly { readonly approvalId: string }[]).map(
      (each) => each.approvalId,
    );
  expect((await idsOf('limit=2')).slice(0, 2)).toEqual([two.approvalId, one.approvalId]);
  expect(await idsOf('state=rejected&limit=1')).toEqual([one.approvalId]);
  await app.api().get('/v1/approvals?state=odd').expect(422);
});

describe('an approval', () => {
  test('is carried out, once, and the audit names agent, person and reason', async () => {
    const { campaignId } = await draft();
    const { body } = await ask({ ...send(campaignId), reason: 'News are due' }).expect(201);
    const id = body.data.approvalId as string;
    const approved = (await decide(id, 'approve', person, { reason: 'Read it' }).expect(200)).body.data;
    expect(approved).toMatchObject({
      state: 'approved',
      decidedBy: expect.stringMatching(/^key sk_/),
      decisionReason: 'Read it',
      result: null,
    });
    expect(approved.decidedBy).not.toBe(approved.requestedBy);
    expect(await turn(id)).toEqual({ state: 'executed', waitMs: null });
    expect(await campaign(campaignId)).toMatchObject({ status: 'sending' });
    expect(await get(id)).toMatchObject({ state: 'executed', result: { code: null, message: 'Done' } });
    expect(await turn(id)).toEqual({ state: 'executed', waitMs: null });
    const audit = await readAudit({ projectId: app.keys.projectId, limit: 3, before: null });
    expect(audit.map(({ by, action, subject, reason }) => [by, action, subject, reason])).toEqual([
      [`approval ${id}`, 'campaign.send', campaignId, 'News are due'],
      [approved.decidedBy, 'approval.approve', id, 'Read it'],
      [approved.requestedBy, 'approval.create', id, 'News are due'],
    ]);
  });

  test('schedules a campaign as it was asked for, and expires with its instant', async () => {
    const { campaignId } = await draft();
    const scheduledFor = inHours(2);
    const { approvalId, expiresAt, summary, parameters } = await requested(campaignId, { scheduledFor, throttlePerMinute: 10 });
    expect({ expiresAt, text: summary.text, parameters }).toEqual({
      expiresAt: scheduledFor,
      text: `Sends the campaign “News” to 3 contacts at ${scheduledFor}.`,
      parameters: { id: campaignId, scheduledFor, throttlePerMinute: 10 },
    });
    await decide(approvalId, 'approve', person).expect(200);
    await turn(approvalId);
    expect(await campaign(campaignId)).toMatchObject({ status: 'scheduled', scheduledFor, throttlePerMinute: 10 });
  });

  test('that is carried out too late for its instant is void', async () => {
    const { campaignId } = await draft();
    const { approvalId } = await requested(campaignId, { scheduledFor: inHours(2) });
    await decide(approvalId, 'approve', person).expect(200);
    expect(await turn(approvalId, 3 * HOUR)).toEqual({ state: 'void', waitMs: null });
    expect(await campaign(campaignId)).toMatchObject({ status: 'draft' });
  });

  test('activates an automation', async () => {
    const id = await automation();
    const { body } = await ask({ operation: 'updateWorkflow', parameters: { id, status: 'active' } }).expect(201);
    expect(body.data.summary).toEqual({
      text: 'Activates the automation “Welcome”: from then on, contacts enter by its trigger “event:signed.up”.',
      subject: null,
      recipients: null,
      first: [],
      excerpt: null,
    });
    await decide(body.data.approvalId as string, 'approve', person).expect(200);
    expect(await turn(body.data.approvalId as string)).toMatchObject({ state: 'executed' });
    expect((await app.api().get(`/v1/workflows/${id}`).expect(200)).body.data.status).toBe('active');
  });

  test('cannot be given with the key that requested it, nor with a test key, and these get no link', async () => {
    const { approvalId } = await requested((await draft()).campaignId);
    for (const key of [app.keys.secret, app.keys.test]) {
      expect((await decide(approvalId, 'approve', key).expect(403)).body.code).toBe('forbidden');
      await app.api(key).post(`/v1/approvals/${approvalId}/link`).send({}).expect(403);
    }
    const reader = await keyOf({ scope: 'read' });
    await decide(approvalId, 'approve', reader).expect(403);
    expect(await get(approvalId)).toMatchObject({ state: 'pending' });
  });

  test('that is live cannot be rejected with a test key either', async () => {
    const { approvalId } = await requested((await draft()).campaignId);
    await decide(approvalId, 'reject', app.keys.test).expect(403);
    expect(await get(approvalId)).toMatchObject({ state: 'pending' });
  });

  test('can be withdrawn by the key that requested it', async () => {
    const { campaignId } = await draft();
    const { approvalId } = await requested(campaignId);
    expect((await decide(approvalId, 'reject', app.keys.secret).expect(200)).body.data).toMatchObject({ state: 'rejected' });
    expect(await turn(approvalId)).toEqual({ state: 'rejected', waitMs: null });
    expect(await campaign(campaignId)).toMatchObject({ status: 'draft' });
  });

  test('is decided once, by the first of those who decide at the same time', async () => {
    const { approvalId } = await requested((await draft()).campaignId);
    const answers = await Promise.all((['approve', 'reject', 'approve'] as const).map((verdict) => decide(approvalId, verdict, person)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({ code: 'invalid_state' });
  });

  test('expires after a day, and cannot be given then', async () => {
    const { approvalId } = await requested((await draft()).campaignId);
    expect((await turn(approvalId)).waitMs).toBeGreaterThan(23 * HOUR);
    expect(await turn(approvalId, 25 * HOUR)).toEqual({ state: 'expired', waitMs: null });
    expect((await decide(approvalId, 'approve', person).expect(409)).body.error).toContain('expired');
  });

  test('of a campaign that another one has launched has failed', async () => {
    const { campaignId } = await draft();
    const [one, two] = [await requested(campaignId), await requested(campaignId)];
    for (const { approvalId } of [one, two]) await decide(approvalId, 'approve', person).expect(200);
    await Promise.all([turn(one.approvalId), turn(two.approvalId)]);
    const states = [(await get(one.approvalId)).state, (await get(two.approvalId)).state];
    expect(states.sort()).toEqual(['executed', 'failed']);
  });

  test('needs no more than a hundred that wait', async () => {
    const [row] = await stored.approvals.all({ state: 'pending' });
    await stored.approvals.make(Array.from({ length: 100 }, (_, index) => ({ ...row, _id: `apr_filler${index}` })));
    expect((await ask(send((await draft()).campaignId)).expect(409)).body.code).toBe('limit_exceeded');
    await stored.approvals.changeAll({ _id: /^apr_filler/ }, { $set: { state: 'expired' } });
  });
});

describe('nothing leaves, and a new approval is needed', () => {
  /** Has a change between the approval and the launch. Resolves to how the approval ended, and the state of its campaign. */
  async function ended(fields: object, change: (campaignId: string) => Promise<unknown>): Promise<unknown> {
    const { campaignId } = await draft(fields);
    const { approvalId } = await requested(campaignId);
    await decide(approvalId, 'approve', person).expect(200);
    await change(campaignId);
    await turn(approvalId);
    const { state, result } = await get(approvalId);
    expect((await campaign(campaignId)).status).toBe('draft');
    return [state, result?.code, result?.message];
  }
  const patch = (path: string, body: object) => app.api().patch(path).send(body).expect(200);
  const VOID = (message: string) => ['void', 'changed', `${message}. Request a new approval`];

  test('where the text has changed', async () => {
    const change = (id: string) => patch(`/v1/campaigns/${id}`, { body: '<p>Buy pills</p>' });
    expect(await ended({}, change)).toEqual(VOID('Its content or its settings have changed'));
  });

  test('except where it has only got another name', async () => {
    const { campaignId } = await draft();
    const { approvalId } = await requested(campaignId);
    await decide(approvalId, 'approve', person).expect(200);
    await patch(`/v1/campaigns/${campaignId}`, { name: 'Another name' });
    await turn(approvalId);
    expect(await get(approvalId)).toMatchObject({ state: 'executed' });
  });

  test('where the conditions of its segment have changed', async () => {
    const conditions = (value: string) => ({ logic: 'and', groups: [{ filters: [{ field: 'email', operator: 'contains', value }] }] });
    const { body } = await app
      .api()
      .post('/v1/segments')
      .send({ name: 'Some', type: 'dynamic', conditions: conditions('ada') })
      .expect(201);
    const segmentId = body.data.segmentId as string;
    const change = () => patch(`/v1/segments/${segmentId}`, { conditions: conditions('example') });
    expect(await ended({ audience: 'segment', segmentId }, change)).toEqual(
      VOID('A segment, a template or a translation that it uses has changed'),
    );
  });

  test('where the audience has become another', async () => {
    const segmentId = await storeSegment(app.keys.projectId);
    const change = () =>
      app
        .api()
        .post(`/v1/segments/${segmentId}/members`)
        .send({ emails: ['ada@example.com', 'bob@example.com'] })
        .expect(200);
    expect(await ended({ audience: 'segment', segmentId }, change)).toEqual(
      VOID('Its audience has changed: 0 contacts were approved, and it would reach 2 now'),
    );
  });
});
