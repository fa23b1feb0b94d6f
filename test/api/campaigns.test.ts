import { CampaignModel } from '../../src/campaigns/model';
import { disableProject, enableProject } from '../../src/projects/service';
import { OutboxModel } from '../../src/outbox/model';
import { EmailModel } from '../../src/emails/model';
import { SegmentModel } from '../../src/segments/model';
import { newId } from '../../src/ids';
import { startTestApp } from '../support/app';
import type { TestApp } from '../support/app';
import { campaignCalls } from '../support/campaigns';
import { queryPlans } from '../support/query-plans';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });
});
afterAll(() => app.close());

const { api, draft, get, act, stored } = campaignCalls(() => app);
const HOUR_MS = 3_600_000;
const inHours = (hours: number): string => new Date(Date.now() + hours * HOUR_MS).toISOString();
const faults = (body: { details: { path: string; code: string }[] }) => body.details.map(({ path, code }) => [path, code]);
const patch = (id: string, body: object) => api().patch(`/v1/campaigns/${id}`).send(body);
const started = (id: string) => app.processes.start.mock.calls.filter(([intent]) => intent.workflowId === `campaign/${id}`);
const TREE = { logic: 'and', groups: [{ filters: [{ field: 'data.plan', operator: 'equals', value: 'pro' }] }] };

async function segment(): Promise<string> {
  const now = new Date();
  const _id = newId('seg');
  await SegmentModel.create([{ _id, projectId: app.keys.projectId, name: 'All', type: 'static', createdAt: now, updatedAt: now }]);
  return _id;
}

async function withStatus(status: string): Promise<string> {
  const { campaignId } = await draft();
  await CampaignModel.updateOne({ _id: campaignId }, { $set: { status: status as never } });
  return campaignId;
}

describe('a draft', () => {
  test('is answered whole, and shown by get with whom it would reach', async () => {
    const data = await draft();
    expect(data).toEqual({
      campaignId: expect.stringMatching(/^cmp_[0-9a-z]{26}$/),
      projectId: app.keys.projectId,
      name: 'News',
      subject: 'Hello',
      previewText: null,
      body: '<p>Hello {{firstName}}</p>',
      bodyBlocks: null,
      fromName: null,
      fromEmail: 'team@hello.test',
      replyTo: null,
      status: 'draft',
      heldReason: null,
      testMode: false,
      audience: 'all',
      segmentId: null,
      filter: null,
      abSubjectB: null,
      abSamplePct: 20,
      abDecideAt: null,
      abWinner: null,
      throttlePerMinute: null,
      scheduledFor: null,
      sentAt: null,
      totalRecipients: 0,
      delivered: 0,
      opened: 0,
      clicked: 0,
      bounced: 0,
      complained: 0,
      unsubscribed: 0,
      createdAt: expect.stringMatching(/Z$/),
    });
    expect(await get(data.campaignId)).toEqual({ ...data, estimatedAudience: expect.any(Number) });
  });

  test('keeps the editor’s design to the letter, keys of every kind included', async () => {
    const designs = ['{"blocks":[]}', [{ $set: 1, 'a.b': { constructor: [] } }, 'x'], { z: 1, a: { $ne: null }, '': 0 }, null];
    for (const bodyBlocks of designs) {
      const { campaignId } = await draft({ bodyBlocks });
      expect((await get(campaignId))['bodyBlocks']).toEqual(bodyBlocks);
      const changed = await patch(campaignId, { bodyBlocks: [bodyBlocks] }).expect(200);
      expect(changed.body.data.bodyBlocks).toEqual([bodyBlocks]);
    }
  });

  test('is refused with every fault of its templates, filter and segment', async () => {
    const { body } = await api()
      .post('/v1/campaigns')
      .send({
        name: 'Bad',
        subject: '{{#if}}',
        previewText: '{{',
        body: '{{> partial}}',
        abSubjectB: '{{/x}}',
        fromEmail: 'team@hello.test',
        audience: 'filter',
        segmentId: 'seg_unknown',
        filter: { logic: 'and', groups: [{ filters: [{ field: 'data.plan', operator: 'within', value: 'x' }] }] },
      })
      .expect(422);
    expect(body.code).toBe('validation_error');
    expect(new Set(faults(body).map(([path]) => path?.split('.')[0]))).toEqual(
      new Set(['subject', 'previewText', 'body', 'abSubjectB', 'filter', 'segmentId']),
    );
    expect(faults(body)).toEqual(
      expect.arrayContaining([
        ['subject', 'invalid_template'],
        ['segmentId', 'not_found'],
      ]),
    );
    expect(faults(body).find(([path]) => path?.startsWith('filter.groups.0.filters.0'))?.[1]).toBe('invalid_condition');
    expect(body.details[0].message).toMatch(/line 1, column/);
  });

  test.each([
    [{ audience: 'segment' }, 'segmentId'],
    [{ audience: 'filter' }, 'filter'],
  ])('%j names what it is made of', async (given, path) => {
    const created = await api()
      .post('/v1/campaigns')
      .send({ name: 'x', subject: 'x', body: 'x', fromEmail: 'team@hello.test', ...given })
      .expect(422);
    expect(faults(created.body)).toEqual([[path, 'invalid_combination']]);
    const { campaignId } = await draft();
    expect(faults((await patch(campaignId, given).expect(422)).body)).toEqual([[path, 'invalid_combination']]);
  });

  test('is changed by what is given, judged with what is stored', async () => {
    const { campaignId, ...before } = await draft({ previewText: 'Soon', replyTo: 'Reply@Hello.test' });
    expect((await patch(campaignId, {}).expect(200)).body.data).toEqual({ campaignId, ...before });
    const segmentId = await segment();
    await patch(campaignId, { segmentId }).expect(200);
    const { body } = await patch(campaignId, {
      audience: 'segment',
      previewText: null,
      name: 'Newer',
      abSubjectB: 'B',
      abSamplePct: 50,
    }).expect(200);
    expect(body.data).toMatchObject({
      audience: 'segment',
      segmentId,
      previewText: null,
      name: 'Newer',
      replyTo: 'reply@hello.test',
      abSubjectB: 'B',
      abSamplePct: 50,
    });
    expect(faults((await patch(campaignId, { segmentId: null }).expect(422)).body)).toEqual([['segmentId', 'invalid_combination']]);
    expect((await patch(campaignId, { audience: 'all', segmentId: null, abSubjectB: '' }).expect(200)).body.data).toMatchObject({
      segmentId: null,
      abSubjectB: null,
    });
    expect(faults((await patch(campaignId, { status: 'sent' }).expect(422)).body)).toEqual([['status', 'unrecognized_keys']]);
  });

  test('loses nothing to changes that race', async () => {
    const { campaignId } = await draft();
    const changes = [
      { name: 'N' },
      { subject: 'S' },
      { fromName: 'F' },
      { previewText: 'P' },
      { abSamplePct: 7 },
      { replyTo: 'r@hello.test' },
    ];
    await Promise.all(changes.map((change) => patch(campaignId, change).expect(200)));
    expect(await get(campaignId)).toMatchObject(Object.assign({}, ...changes));
    expect((await stored(campaignId)).version).toBe(changes.length);
  });

  test('is copied as a draft, whatever became of the original', async () => {
    const original = await draft({ name: 'n'.repeat(200), filter: TREE, audience: 'filter', abSubjectB: 'B', bodyBlocks: { a: 1 } });
    await CampaignModel.updateOne(
      { _id: original.campaignId },
      { $set: { status: 'sent', audienceSize: 5, 'counters.opened': 3, abWinner: 'b' } },
    );
    const { body } = await act(original.campaignId, 'duplicate').expect(201);
    expect(body.data).toEqual({
      ...original,
      campaignId: expect.not.stringMatching(original.campaignId),
      createdAt: expect.any(String),
      name: `${'n'.repeat(193)} (copy)`,
    });
  });

  test('stays hidden from other projects', async () => {
    const { campaignId } = await draft();
    const other = api(app.otherKeys.secret);
    await other.get(`/v1/campaigns/${campaignId}`).expect(404);
    await other.patch(`/v1/campaigns/${campaignId}`).send({ name: 'x' }).expect(404);
    await other.delete(`/v1/campaigns/${campaignId}`).expect(404);
    for (const action of ['send', 'cancel', 'duplicate', 'resend-non-openers'])
      await act(campaignId, action, {}, app.otherKeys.secret).expect(404);
    await act(campaignId, 'test-send', { to: 'a@example.com' }, app.otherKeys.secret).expect(404);
    await other.get(`/v1/campaigns/${campaignId}/recipients`).expect(404);
    await other.get(`/v1/campaigns/${campaignId}/links`).expect(404);
    expect((await other.get('/v1/campaigns').expect(200)).body).toEqual({ success: true, data: { data: [] } });
    expect(await get(campaignId)).toMatchObject({ name: 'News', status: 'draft' });
    const foreign = await segment();
    const taken = await other
      .post('/v1/campaigns')
      .send({ name: 'x', subject: 'x', body: 'x', fromEmail: 'a@b.test', audience: 'segment', segmentId: foreign });
    expect([taken.status, faults(taken.body)]).toEqual([422, [['segmentId', 'not_found']]]);
  });
});

test('the list is newest first, by an index', async () => {
  const made = [await draft(), await draft(), await draft()];
  const plans = await queryPlans('campaigns', async () => {
    const { body } = await api().get('/v1/campaigns').expect(200);
    expect(body.data.data.slice(0, 3)).toEqual(made.reverse());
  });
  expect(plans).toEqual([{ plan: expect.stringMatching(/^IXSCAN \{ projectId: 1, createdAt: -1/), sorted: false }]);
});

describe('send', () => {
  test('starts a draft at once, with its content stored and its workflow wanted', async () => {
    const { campaignId } = await draft({ abSubjectB: 'Other', previewText: 'Pre' });
    const { body } = await act(campaignId, 'send', { throttlePerMinute: 60 }).expect(200);
    expect(body.data).toMatchObject({
      status: 'sending',
      scheduledFor: null,
      sentAt: null,
      testMode: false,
      throttlePerMinute: 60,
      totalRecipients: 0,
    });
    expect(Date.parse(body.data.abDecideAt) - Date.now()).toBeGreaterThan(4 * HOUR_MS - 60_000);
    expect(Date.parse(body.data.abDecideAt) - Date.now()).toBeLessThanOrEqual(4 * HOUR_MS);
    const { contentIds, startedAt, phase } = await stored(campaignId);
    expect([startedAt, phase]).toEqual([expect.any(Date), 'starting']);
    const db = CampaignModel.db;
    expect(await db.collection('contents').findOne({ _id: contentIds?.b as never })).toMatchObject({
      subject: 'Other',
      html: '<p>Hello {{firstName}}</p>',
      previewText: 'Pre',
    });
    expect(started(campaignId)).toEqual([
      [
        expect.objectContaining({
          kind: 'start',
          workflow: 'campaignSend',
          input: { campaignId, projectId: app.keys.projectId, scheduledFor: null },
          attributes: { projectId: app.keys.projectId, campaignId },
        }),
      ],
    ]);
    expect((await get(campaignId))['estimatedAudience']).toBeNull();
    expect((await act(campaignId, 'send').expect(409)).body.code).toBe('invalid_state');
  });

  test('schedules with `scheduledFor`; the audience is still counted', async () => {
    const { campaignId } = await draft();
    const scheduledFor = inHours(72);
    const { body } = await act(campaignId, 'send', { scheduledFor, abDecideAt: inHours(-1) }).expect(200);
    expect(body.data).toMatchObject({ status: 'scheduled', scheduledFor, abDecideAt: null });
    expect((await stored(campaignId)).startedAt).toBeNull();
    expect(started(campaignId)[0]?.[0].input).toEqual({ campaignId, projectId: app.keys.projectId, scheduledFor });
    expect((await get(campaignId))['estimatedAudience']).toEqual(expect.any(Number));
  });

  test('the decision lies after the start: by default 4 hours', async () => {
    const { campaignId } = await draft({ abSubjectB: 'B' });
    for (const [scheduledFor, abDecideAt] of [
      [inHours(72), inHours(71)],
      [inHours(72), inHours(72 + 366 * 24)],
      [undefined, inHours(-1)],
    ]) {
      expect(faults((await act(campaignId, 'send', { scheduledFor, abDecideAt }).expect(422)).body)).toEqual([
        ['abDecideAt', 'invalid_date'],
      ]);
    }
    const scheduledFor = inHours(72);
    const { body } = await act(campaignId, 'send', { scheduledFor }).expect(200);
    expect(Date.parse(body.data.abDecideAt) - Date.parse(scheduledFor)).toBe(4 * HOUR_MS);
  });

  test.each([
    [{ scheduledFor: inHours(-1) }, 'scheduledFor', 'invalid_date'],
    [{ throttlePerMinute: 0 }, 'throttlePerMinute', 'too_small'],
    [{ scheduledFor: 'tomorrow' }, 'scheduledFor', 'invalid_string'],
    [{ now: true }, 'now', 'unrecognized_keys'],
  ])('%j is refused', async (body, path, code) => {
    const { campaignId } = await draft();
    expect(faults((await act(campaignId, 'send', body).expect(422)).body)).toEqual([[path, code]]);
    expect((await get(campaignId)).status).toBe('draft');
  });

  test('needs From’s domain verified exactly; a test key does not, and runs in test mode', async () => {
    for (const fromEmail of ['team@elsewhere.test', 'team@sub.hello.test']) {
      const { campaignId } = await draft({ fromEmail });
      expect(faults((await act(campaignId, 'send').expect(422)).body)).toEqual([['fromEmail', 'unverified_domain']]);
      expect((await act(campaignId, 'send', {}, app.keys.test).expect(200)).body.data).toMatchObject({ status: 'sending', testMode: true });
    }
  });

  test('needs the segment that it goes to', async () => {
    const segmentId = await segment();
    const { campaignId } = await draft({ audience: 'segment', segmentId });
    await SegmentModel.deleteOne({ _id: segmentId });
    expect(faults((await act(campaignId, 'send').expect(422)).body)).toEqual([['segmentId', 'not_found']]);
    expect((await get(campaignId)).status).toBe('draft');
    expect(started(campaignId)).toEqual([]);
  });

  test('is 409 for a disabled project', async () => {
    const { campaignId } = await draft();
    await disableProject(app.keys.projectId);
    try {
      expect((await act(campaignId, 'send').expect(409)).body.code).toBe('invalid_state');
    } finally {
      await enableProject(app.keys.projectId);
    }
    await act(campaignId, 'send').expect(200);
  });

  test('races to one start', async () => {
    const { campaignId } = await draft();
    const answers = await Promise.all(Array.from({ length: 6 }, () => act(campaignId, 'send')));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
    expect(started(campaignId)).toHaveLength(1);
  });

  test('is repeated by the sweep when Temporal is away', async () => {
    const { campaignId } = await draft();
    app.processes.start.mockRejectedValueOnce(new Error('Temporal is away'));
    await act(campaignId, 'send').expect(200);
    expect(await OutboxModel.findById(`campaign/${campaignId}`)).not.toBeNull();
  });
});

describe('the states', () => {
  const TABLE = {
    draft: { send: 200, cancel: 409, 'resend-non-openers': 409, patch: 200, delete: 200 },
    scheduled: { send: 409, cancel: 200, 'resend-non-openers': 409, patch: 409, delete: 409 },
    sending: { send: 409, cancel: 200, 'resend-non-openers': 409, patch: 409, delete: 409 },
    sent: { send: 409, cancel: 409, 'resend-non-openers': 201, patch: 409, delete: 200 },
    cancelled: { send: 409, cancel: 409, 'resend-non-openers': 409, patch: 409, delete: 200 },
  } as const;
  const rows = Object.entries(TABLE).flatMap(([status, answers]) =>
    Object.entries(answers).map(([what, answer]) => [status, what, answer] as const),
  );

  test.each(rows)('%s: %s is %i', async (status, what, expected) => {
    const id = await withStatus(status);
    const answer =
      what === 'patch'
        ? await patch(id, { name: 'Other' })
        : what === 'delete'
          ? await api().delete(`/v1/campaigns/${id}`)
          : await act(id, what);
    expect(answer.status).toBe(expected);
    if (expected !== 409) return;
    expect(answer.body.code).toBe('invalid_state');
    expect(await get(id)).toMatchObject({ status, name: 'News' });
  });

  test('cancel tells the workflow, and racing with the end comes to one outcome', async () => {
    const { campaignId } = await draft();
    await act(campaignId, 'send').expect(200);
    const answers = await Promise.all([act(campaignId, 'cancel'), act(campaignId, 'cancel'), act(campaignId, 'cancel')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(answers.find(({ status }) => status === 200)?.body.data).toMatchObject({ campaignId, status: 'cancelled', heldReason: null });
    expect(app.processes.signal.mock.calls.filter(([intent]) => intent.workflowId === `campaign/${campaignId}`)).toEqual([
      [{ kind: 'signal', workflowId: `campaign/${campaignId}`, signal: 'cancel', id: 'cancel' }],
    ]);
  });

  test('delete removes a campaign, and its remains by a workflow; a draft has none', async () => {
    for (const [status, workflows] of [
      ['draft', 0],
      ['sent', 1],
      ['cancelled', 1],
    ] as const) {
      const id = await withStatus(status);
      expect((await api().delete(`/v1/campaigns/${id}`).expect(200)).body).toEqual({ success: true, data: { success: true } });
      await api().get(`/v1/campaigns/${id}`).expect(404);
      await api().delete(`/v1/campaigns/${id}`).expect(404);
      const wanted = app.processes.start.mock.calls.filter(([intent]) => intent.workflowId === `campaign-removal/${id}`);
      expect(wanted).toHaveLength(workflows);
    }
  });

  test('ids of another form are 422', async () => {
    for (const id of ['a'.repeat(65), 'cmp%20x', '$ne']) {
      expect(faults((await api().get(`/v1/campaigns/${id}`).expect(422)).body)).toEqual([['id', 'invalid_string']]);
    }
    await api().get('/v1/campaigns/cmp_unknown').expect(404);
  });
});

describe('a test send', () => {
  test('goes to one address, marked, with the content; it is no recipient and no contact', async () => {
    const { campaignId } = await draft({
      subject: 'Hi {{firstName | "you"}}',
      previewText: 'Preheader',
      fromName: 'Team',
      replyTo: 'reply@hello.test',
    });
    const { body } = await act(campaignId, 'test-send', { to: 'Tester@Example.com' }).expect(200);
    expect(body.data).toEqual({ id: expect.stringMatching(/^em_/), to: 'tester@example.com', status: 'queued' });
    const { data } = (await api().get(`/v1/emails/${body.data.id}`).expect(200)).body;
    expect(data).toMatchObject({
      subject: '[Test] Hi you',
      fromName: 'Team',
      replyTo: 'reply@hello.test',
      type: 'marketing',
      campaignId: null,
      contactId: null,
    });
    expect(data.body).toContain('Preheader');
    expect((await api().get(`/v1/campaigns/${campaignId}/recipients`).expect(200)).body.data).toEqual({ data: [] });
    await api().get('/v1/contacts/tester%40example.com').expect(404);
    expect(await get(campaignId)).toMatchObject({ status: 'draft', totalRecipients: 0 });
    expect(await EmailModel.countDocuments({ campaignId })).toBe(0);
  });

  test('is refused where the message would be', async () => {
    const { campaignId } = await draft({ fromEmail: 'team@elsewhere.test' });
    expect((await act(campaignId, 'test-send', { to: 'a@example.com' }).expect(422)).body).toMatchObject({
      code: 'send_failed',
      details: [{ path: '', code: 'unverified_domain' }],
    });
    expect(faults((await act(campaignId, 'test-send', { to: 'nobody' }).expect(422)).body)).toEqual([['to', 'invalid_string']]);
    expect((await act(campaignId, 'test-send', { to: 'a@example.com' }, app.keys.test).expect(200)).body.data.status).toBe('sent');
  });
});
