import { aProject } from '../../../support/platform/app';
import { campaignCalls, faultsOf, storeSegment } from '../../../support/calls/campaigns';
import { queryPlans } from '../../../support/checks/query-plans';
import { all, notMemberOf } from '../../../support/calls/segment-calls';
import { stored } from '../../../support/data/stored';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });

const { api, draft, get, act } = campaignCalls(() => app);
const patch = (id: string, body: object) => api().patch(`/v1/campaigns/${id}`).send(body);
const TREE = { logic: 'and', groups: [{ filters: [{ field: 'data.plan', operator: 'equals', value: 'pro' }] }] };

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
    expect(await get(data.campaignId)).toMatchObject({ ...data, estimatedAudience: expect.any(Number) });
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
    expect(new Set(faultsOf(body).map(([path]) => path?.split('.')[0]))).toEqual(
      new Set(['subject', 'previewText', 'body', 'abSubjectB', 'filter', 'segmentId']),
    );
    expect(faultsOf(body)).toEqual(
      expect.arrayContaining([
        ['subject', 'invalid_template'],
        ['segmentId', 'not_found'],
      ]),
    );
    expect(faultsOf(body).find(([path]) => path?.startsWith('filter.groups.0.filters.0'))?.[1]).toBe('invalid_condition');
    expect(body.details[0].message).toMatch(/line 1, column/);
  });

  test('is refused for a filter that asks about what is not there, or is another project’s', async () => {
    const [segmentId, { campaignId }] = [await storeSegment(app.keys.projectId), await draft()];
    const asks = (segment: string, campaign: string) => ({
      audience: 'filter',
      filter: all(notMemberOf(segment), { field: 'email.opened', operator: 'triggered', campaignId: campaign }),
    });
    const faults = ['field', 'campaignId'].map((member, index) => [`filter.groups.0.filters.${index}.${member}`, 'not_found']);
    const count = (body: object, key?: string) => api(key).post('/v1/campaigns/audience-count').send(body);
    const unknown = asks('seg_unknown', 'cmp_unknown');
    expect(faultsOf((await patch(campaignId, unknown).expect(422)).body)).toEqual(faults);
    for (const answer of [count(unknown), count(asks(segmentId, campaignId), app.otherKeys.secret)]) await answer.expect(404);
    expect(await get(campaignId)).toMatchObject({ audience: 'all', filter: null });
    await patch(campaignId, asks(segmentId, campaignId)).expect(200);
    await count(asks(segmentId, campaignId)).expect(200);
  });

  test.each([
    [{ audience: 'segment' }, 'segmentId'],
    [{ audience: 'filter' }, 'filter'],
  ])('%j names what it is made of', async (given, path) => {
    const created = await api()
      .post('/v1/campaigns')
      .send({ name: 'x', subject: 'x', body: 'x', fromEmail: 'team@hello.test', ...given })
      .expect(422);
    expect(faultsOf(created.body)).toEqual([[path, 'invalid_combination']]);
    const { campaignId } = await draft();
    expect(faultsOf((await patch(campaignId, given).expect(422)).body)).toEqual([[path, 'invalid_combination']]);
  });

  test('is changed by what is given, judged with what is stored', async () => {
    const { campaignId, ...before } = await draft({ previewText: 'Soon', replyTo: 'Reply@Hello.test' });
    expect((await patch(campaignId, {}).expect(200)).body.data).toEqual({ campaignId, ...before });
    const segmentId = await storeSegment(app.keys.projectId);
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
    expect(faultsOf((await patch(campaignId, { segmentId: null }).expect(422)).body)).toEqual([['segmentId', 'invalid_combination']]);
    expect((await patch(campaignId, { audience: 'all', segmentId: null, abSubjectB: '' }).expect(200)).body.data).toMatchObject({
      segmentId: null,
      abSubjectB: null,
    });
    expect(faultsOf((await patch(campaignId, { status: 'sent' }).expect(422)).body)).toEqual([['status', 'unrecognized_keys']]);
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
    expect((await stored.campaigns.get(campaignId)).version).toBe(changes.length);
  });

  test('is copied as a draft, in any state of the original', async () => {
    const original = await draft({ name: 'n'.repeat(200), filter: TREE, audience: 'filter', abSubjectB: 'B', bodyBlocks: { a: 1 } });
    await stored.campaigns.change(original.campaignId, { status: 'sent', audienceSize: 5, 'counters.opened': 3, abWinner: 'b' });
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
    const foreign = await storeSegment(app.keys.projectId);
    const taken = await other
      .post('/v1/campaigns')
      .send({ name: 'x', subject: 'x', body: 'x', fromEmail: 'a@b.test', audience: 'segment', segmentId: foreign });
    expect([taken.status, faultsOf(taken.body)]).toEqual([422, [['segmentId', 'not_found']]]);
  });
});

test('a custom field is used by campaigns that read it in their content or ask about it in their filter', async () => {
  const made = [
    await draft({ name: 'Body', body: '{{data.nickname}}' }),
    await draft({ name: 'B', abSubjectB: 'Hi {{data.nickname | "you"}}' }),
    await draft({
      name: 'Filter',
      audience: 'filter',
      filter: { logic: 'and', groups: [{ filters: [{ field: 'data.nickname', operator: 'exists' }] }] },
    }),
  ];
  await draft({ body: 'nickname', previewText: '{{data.other}}' });
  const { body } = await api().get('/v1/contacts/fields/nickname/usage').expect(200);
  expect(body.data.campaigns).toEqual(made.reverse().map(({ campaignId, name }) => ({ campaignId, name })));
});

test('the list is newest first, by an index', async () => {
  const made = [await draft(), await draft(), await draft()];
  const plans = await queryPlans('campaigns', async () => {
    const { body } = await api().get('/v1/campaigns').expect(200);
    expect((body.data.data as unknown[]).slice(0, 3)).toEqual(made.reverse());
  });
  expect(new Set(plans.map(({ plan }) => plan))).toEqual(
    new Set(['IXSCAN { projectId: 1, createdAt: -1, _id: -1, name: 1, archivedAt: 1 }']),
  );
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
    expect(body.data).toMatchObject({ to: 'tester@example.com', status: 'queued', unresolvedPlaceholders: ['firstName'] });
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
    expect((await api().get(`/v1/campaigns/${campaignId}/recipients`).expect(200)).body.data).toEqual({ data: [], nextCursor: null });
    await api().get('/v1/contacts/tester%40example.com').expect(404);
    expect(await get(campaignId)).toMatchObject({ status: 'draft', totalRecipients: 0 });
    expect(await stored.emails.count({ campaignId })).toBe(0);
  });

  test('is refused where the message would be', async () => {
    const { campaignId } = await draft({ fromEmail: 'team@elsewhere.test' });
    expect((await act(campaignId, 'test-send', { to: 'a@example.com' }).expect(422)).body).toMatchObject({
      code: 'send_failed',
      details: [{ path: '', code: 'unverified_domain' }],
    });
    expect(faultsOf((await act(campaignId, 'test-send', { to: 'nobody' }).expect(422)).body)).toEqual([['to', 'invalid_string']]);
    expect((await act(campaignId, 'test-send', { to: 'a@example.com' }, app.keys.test).expect(200)).body.data.status).toBe('sent');
  });
});
