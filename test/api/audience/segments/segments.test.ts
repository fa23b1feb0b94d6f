import { newId } from '../../../../src/platform/core/ids';
import { aProject } from '../../../support/platform/app';
import { all, memberOf, notMemberOf, plan, segmentCalls } from '../../../support/calls/segment-calls';
import type { WireSegment } from '../../../support/calls/segment-calls';
import { stored } from '../../../support/data/stored';

const app = aProject();

const { api, contact, dynamic, fixed, freshAddress, get, members, patch, emitted } = segmentCalls(() => app);
const other = () => app.api(app.otherKeys.secret);

const PLANS = ['gold', 'silver', 'bronze'] as const;
let next = 0;
/** A plan that no other test has. */
const freshPlan = (): string => `${PLANS[next % 3]}-${next++}`;

describe('create and read', () => {
  test('a dynamic segment has its members in the answer, at once and silently', async () => {
    const pro = freshPlan();
    const ids = await Promise.all([1, 2, 3].map(() => contact(freshAddress(), { data: { plan: pro } })));
    await contact(freshAddress(), { data: { plan: 'none' } });
    const conditions = all(plan(pro));
    const { body } = await api().post('/v1/segments').send({ name: 'Pros', description: 'On a plan', conditions }).expect(201);
    expect(body).toEqual({
      success: true,
      data: {
        segmentId: expect.stringMatching(/^seg_[0-9a-z]{26}$/),
        projectId: app.keys.projectId,
        name: 'Pros',
        description: 'On a plan',
        type: 'dynamic',
        conditions,
        memberCount: 3,
        createdAt: expect.stringMatching(/Z$/),
        updatedAt: expect.stringMatching(/Z$/),
      },
    });
    const segment = body.data as WireSegment;
    expect(await get(segment.segmentId)).toEqual(segment);
    const listed = await api().get(`/v1/segments/${segment.segmentId}/members`).expect(200);
    expect((listed.body.data as { contactId: string }[]).map(({ contactId }) => contactId).sort()).toEqual([...ids].sort());
    const filtered = await api().get('/v1/contacts').query({ segmentId: segment.segmentId }).expect(200);
    expect(filtered.body.data).toHaveLength(3);
    expect(await emitted({ 'data.segmentId': segment.segmentId })).toEqual([]);
  });

  test('a static segment begins empty and has no conditions', async () => {
    expect(await fixed()).toMatchObject({ type: 'static', conditions: null, memberCount: 0, description: null });
  });

  test('lists newest first, without the other project', async () => {
    const [first, second] = [await fixed('One'), await fixed('Two')];
    const { body } = await api().get('/v1/segments').expect(200);
    const ids = (body.data.data as WireSegment[]).map(({ segmentId }) => segmentId);
    expect(ids.slice(0, 2)).toEqual([second.segmentId, first.segmentId]);
    expect((await other().get('/v1/segments').expect(200)).body.data).toEqual({ data: [] });
  });

  test.each([
    [{ name: 'x' }, 'conditions', 'invalid_combination'],
    [{}, 'conditions', 'invalid_combination'],
    [{ name: 'x', type: 'static', conditions: all(plan('a')) }, 'conditions', 'invalid_combination'],
    [{ conditions: all(plan('a')) }, 'name', 'invalid_type'],
    [{ name: '', conditions: all(plan('a')) }, 'name', 'too_small'],
    [{ name: 'x', type: 'frozen', conditions: all(plan('a')) }, 'type', 'invalid_enum_value'],
    [{ name: 'x', conditions: all(plan('a')), color: 'red' }, 'color', 'unrecognized_keys'],
    [
      { name: 'x', conditions: all({ field: 'subscribed', operator: 'contains', value: 'x' }) },
      'conditions.groups.0.filters.0.operator',
      'invalid_condition',
    ],
    [
      { name: 'x', conditions: all({ field: 'data.a', operator: 'equals', value: { $ne: 1 } }) },
      'conditions.groups.0.filters.0.value.$ne',
      'reserved_name',
    ],
    [{ name: 'x', conditions: all(memberOf('seg_unknown')) }, 'conditions.groups.0.filters.0.field', 'not_found'],
    [
      { name: 'x', conditions: all({ field: 'email.opened', operator: 'triggered', campaignId: 'cmp_unknown' }) },
      'conditions.groups.0.filters.0.campaignId',
      'not_found',
    ],
  ])('refuses %j at %s', async (given, path, code) => {
    const { body } = await api().post('/v1/segments').send(given).expect(422);
    expect(body).toMatchObject({ code: 'validation_error' });
    expect(body.details).toEqual(expect.arrayContaining([{ path, code, message: expect.any(String) }]));
  });

  test('reports all faults of the conditions at once', async () => {
    const conditions = all(memberOf('seg_unknown'), { field: 'subscribed', operator: 'equals', value: 'yes' });
    const { body } = await api().post('/v1/segments').send({ name: 'x', conditions }).expect(422);
    expect((body.details as { path: string }[]).map(({ path }) => path).sort()).toEqual([
      'conditions.groups.0.filters.0.field',
      'conditions.groups.0.filters.1.value',
    ]);
  });

  test.each([
    ['post', '/v1/segments', { name: '', type: 'frozen' }, ['name', 'type']],
    ['post', '/v1/segments/preview', { limit: 1 }, ['limit']],
    ['patch', '/v1/segments/seg_1', { name: 5, description: 5 }, ['description', 'name']],
  ] as const)('reports the faults of the conditions with the others: %s %s', async (method, path, others, paths) => {
    const conditions = all({ field: 'email', operator: 'equals', value: 5 });
    const request = method === 'post' ? api().post(path) : api().patch(path);
    const { body } = await request.send({ ...others, conditions }).expect(422);
    const found = (body.details as { path: string }[]).map((detail) => detail.path);
    expect(found.sort()).toEqual(['conditions.groups.0.filters.0.value', ...paths]);
  });

  test('asks about segments and campaigns of its own project only', async () => {
    const campaignId = newId('cmp');
    await stored.campaigns.make([
      {
        _id: campaignId,
        projectId: app.keys.projectId,
        name: 'C',
        fromEmail: 'a@b.de',
        audience: 'all',
        status: 'draft',
        createdAt: new Date(),
      },
    ]);
    const { segmentId } = await fixed();
    const conditions = all(notMemberOf(segmentId), { field: 'email.opened', operator: 'triggered', campaignId });
    await api().post('/v1/segments').send({ name: 'Mine', conditions }).expect(201);
    const { body } = await other().post('/v1/segments').send({ name: 'Theirs', conditions }).expect(422);
    expect(body.details).toHaveLength(2);
  });
});

describe('change', () => {
  test('other conditions are applied before the answer, and nothing is emitted', async () => {
    const [one, two] = [freshPlan(), freshPlan()];
    const [stays, leaves, enters] = await Promise.all(
      [{ plan: one, both: true }, { plan: one }, { plan: two, both: true }].map((data) => contact(freshAddress(), { data })),
    );
    const { segmentId, updatedAt } = await dynamic(all(plan(one)));
    expect(await members(segmentId)).toEqual([stays, leaves].sort());
    const changed = await patch(segmentId, {
      conditions: {
        logic: 'or',
        groups: [{ filters: [plan(two)] }, { filters: [plan(one), { field: 'data.both', operator: 'equals', value: true }] }],
      },
    });
    expect(changed.memberCount).toBe(2);
    expect(Date.parse(changed.updatedAt)).toBeGreaterThanOrEqual(Date.parse(updatedAt));
    expect(await members(segmentId)).toEqual([stays, enters].sort());
    expect(await emitted({ 'data.segmentId': segmentId })).toEqual([]);
  });

  test('segments that ask about it follow in the same act', async () => {
    const [one, two] = [freshPlan(), freshPlan()];
    const [a, b] = [await contact(freshAddress(), { data: { plan: one } }), await contact(freshAddress(), { data: { plan: two } })];
    const base = await dynamic(all(plan(one)));
    const within = await dynamic(all(memberOf(base.segmentId)));
    const without = await dynamic(all(notMemberOf(within.segmentId), { field: 'data.plan', operator: 'in', value: [one, two] }));
    expect([await members(within.segmentId), await members(without.segmentId)]).toEqual([[a], [b]]);
    await patch(base.segmentId, { conditions: all(plan(two)) });
    expect([await members(base.segmentId), await members(within.segmentId), await members(without.segmentId)]).toEqual([[b], [b], [a]]);
    expect((await get(without.segmentId)).memberCount).toBe(1);
    expect(await emitted({ 'data.segmentId': { $in: [base, within, without].map(({ segmentId }) => segmentId) } })).toEqual([]);
  });

  test('an empty change and equal conditions change nothing', async () => {
    const segment = await dynamic(all(plan(freshPlan())));
    expect(await patch(segment.segmentId, {})).toEqual(segment);
    expect(await patch(segment.segmentId, { conditions: segment.conditions, name: segment.name })).toEqual(segment);
    const { name, description, updatedAt, ...rest } = await patch(segment.segmentId, { name: 'New', description: 'Text' });
    expect({ name, description }).toEqual({ name: 'New', description: 'Text' });
    expect(segment).toMatchObject(rest);
    expect(updatedAt >= segment.updatedAt).toBe(true);
    expect((await patch(segment.segmentId, { description: null })).description).toBeNull();
  });

  test('a static segment takes no conditions', async () => {
    const { segmentId } = await fixed();
    const { body } = await api()
      .patch(`/v1/segments/${segmentId}`)
      .send({ conditions: all(plan('a')) })
      .expect(422);
    expect(body.details).toEqual([{ path: 'conditions', code: 'invalid_combination', message: expect.any(String) }]);
  });

  test('a circle is refused, by one edit and by many at once', async () => {
    const a = await dynamic(all(plan(freshPlan())), 'A');
    const self = await api()
      .patch(`/v1/segments/${a.segmentId}`)
      .send({ conditions: all(memberOf(a.segmentId)) })
      .expect(422);
    expect(self.body.details).toEqual([
      { path: 'conditions.groups.0.filters.0.field', code: 'invalid_condition', message: expect.any(String) },
    ]);
    const ring = await Promise.all(Array.from({ length: 6 }, () => dynamic(all(plan(freshPlan())))));
    const answers = await Promise.all(
      ring.map(({ segmentId }, index) =>
        api()
          .patch(`/v1/segments/${segmentId}`)
          .send({ conditions: all(memberOf(ring[(index + 1) % ring.length]?.segmentId ?? '')) }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 422]);
  });

  test('of edits that race, the last one to be stored decides, with its members', async () => {
    const plans = Array.from({ length: 8 }, freshPlan);
    const ids = new Map(
      await Promise.all(plans.map(async (value) => [value, await contact(freshAddress(), { data: { plan: value } })] as const)),
    );
    const { segmentId } = await dynamic(all(plan('nobody')));
    await Promise.all(plans.map((value) => patch(segmentId, { conditions: all(plan(value)) })));
    const { conditions, memberCount } = await get(segmentId);
    const decided = JSON.stringify(conditions).match(/"value":"([^"]+)"/)?.[1] ?? '';
    expect(await members(segmentId)).toEqual([ids.get(decided)]);
    expect(memberCount).toBe(1);
  });
});

describe('preview', () => {
  test('counts and shows at most ten, newest first, and changes nothing', async () => {
    const pro = freshPlan();
    for (let n = 0; n < 12; n++) await contact(freshAddress(), { data: { plan: pro } });
    const before = await stored.segments.count();
    const { body } = await api()
      .post('/v1/segments/preview')
      .send({ conditions: all(plan(pro)) })
      .expect(200);
    expect(body.data.count).toBe(12);
    expect(body.data.sample).toHaveLength(10);
    expect(body.data.sample[0]).toMatchObject({ contactId: expect.any(String), data: { plan: pro }, projectId: app.keys.projectId });
    const times = (body.data.sample as { createdAt: string }[]).map(({ createdAt }) => createdAt);
    expect(times).toEqual([...times].sort().reverse());
    expect(await stored.segments.count()).toBe(before);
    const none = await other()
      .post('/v1/segments/preview')
      .send({ conditions: all(plan(pro)) })
      .expect(200);
    expect(none.body.data).toEqual({ count: 0, sample: [] });
    await api()
      .post('/v1/segments/preview')
      .send({ conditions: all(memberOf('seg_unknown')) })
      .expect(422);
    await api().post('/v1/segments/preview').send({}).expect(422);
  });
});
