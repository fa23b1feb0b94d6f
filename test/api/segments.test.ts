import { CampaignModel } from '../../src/campaigns/model';
import { EventModel } from '../../src/events/model';
import { newId } from '../../src/ids';
import { SegmentMemberModel } from '../../src/segments/member-model';
import { removeMembersOf, sweepRemovals } from '../../src/segments/removals';
import { foldCounts } from '../../src/segments/counts';
import { SegmentModel } from '../../src/segments/model';
import { sweepSegments } from '../../src/segments/sweep';
import { startTestApp } from '../support/app';
import type { TestApp } from '../support/app';
import { queryPlans } from '../support/query-plans';
import { all, memberOf, notMemberOf, plan, segmentCalls } from '../support/segment-calls';
import type { WireSegment } from '../support/segment-calls';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const { api, contact, dynamic, fixed, freshAddress, get, members, patch, told } = segmentCalls(() => app);
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
    expect(await told({ 'data.segmentId': segment.segmentId })).toEqual([]);
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
    [{ name: 'x', conditions: all(memberOf('seg_unknown')) }, 'conditions.groups.0.filters.0.field', 'invalid_condition'],
    [
      { name: 'x', conditions: all({ field: 'email.opened', operator: 'triggered', campaignId: 'cmp_unknown' }) },
      'conditions.groups.0.filters.0.campaignId',
      'invalid_condition',
    ],
  ])('refuses %j at %s', async (given, path, code) => {
    const { body } = await api().post('/v1/segments').send(given).expect(422);
    expect(body).toMatchObject({ code: 'validation_error' });
    expect(body.details).toEqual(expect.arrayContaining([{ path, code, message: expect.any(String) }]));
  });

  test('tells all faults of the conditions at once', async () => {
    const conditions = all(memberOf('seg_unknown'), { field: 'subscribed', operator: 'equals', value: 'yes' });
    const { body } = await api().post('/v1/segments').send({ name: 'x', conditions }).expect(422);
    expect((body.details as { path: string }[]).map(({ path }) => path).sort()).toEqual([
      'conditions.groups.0.filters.0.field',
      'conditions.groups.0.filters.1.value',
    ]);
  });

  test('asks about segments and campaigns of its own project only', async () => {
    const campaignId = newId('cmp');
    await CampaignModel.create([
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
  test('other conditions are applied before the answer, and nobody is told', async () => {
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
    expect(await told({ 'data.segmentId': segmentId })).toEqual([]);
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
    expect(await told({ 'data.segmentId': { $in: [base, within, without].map(({ segmentId }) => segmentId) } })).toEqual([]);
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

describe('static members', () => {
  const add = (segmentId: string, emails: readonly string[]) => api().post(`/v1/segments/${segmentId}/members`).send({ emails });

  test('are added by address, once each, and told of', async () => {
    const { segmentId } = await fixed('VIPs');
    const emails = [freshAddress(), freshAddress()];
    const [a, b] = [await contact(emails[0] ?? ''), await contact(emails[1] ?? '')];
    const first = await add(segmentId, [emails[0]?.toUpperCase() ?? '', 'nobody@example.com']).expect(200);
    expect(first.body.data).toEqual({ added: 1, missing: ['nobody@example.com'] });
    const second = await add(segmentId, [...emails, ...emails]).expect(200);
    expect(second.body.data).toEqual({ added: 1, missing: [] });
    expect((await get(segmentId)).memberCount).toBe(2);
    expect(await told({ 'data.segmentId': segmentId })).toEqual([
      ['segment.entered', a, segmentId],
      ['segment.entered', b, segmentId],
    ]);
    expect(await EventModel.find({ 'data.segmentId': segmentId, 'data.name': 'VIPs' }).countDocuments()).toBe(2);
    const removed = async (contactId = ''): Promise<unknown> =>
      (await api().delete(`/v1/segments/${segmentId}/members/${contactId}`).expect(200)).body;
    expect(await removed(a)).toEqual({ success: true, data: { removed: true } });
    expect(await removed(a)).toEqual({ success: true, data: { removed: false } });
    expect(await removed('ctc_unknown')).toEqual({ success: true, data: { removed: false } });
    expect((await told({ 'data.segmentId': segmentId })).at(-1)).toEqual(['segment.exited', a, segmentId]);
    expect(await get(segmentId)).toMatchObject({ memberCount: 1 });
  });

  test('a test key marks what it tells', async () => {
    const { segmentId } = await fixed();
    const email = freshAddress();
    await contact(email);
    await app
      .api(app.keys.test)
      .post(`/v1/segments/${segmentId}/members`)
      .send({ emails: [email] })
      .expect(200);
    expect(await EventModel.countDocuments({ 'data.segmentId': segmentId, testMode: true, 'data.testMode': true })).toBe(1);
  });

  test('many requests that add and remove the same contacts count right', async () => {
    const { segmentId } = await fixed();
    const emails = Array.from({ length: 5 }, freshAddress);
    const ids = await Promise.all(emails.map((email) => contact(email)));
    const answers = await Promise.all(Array.from({ length: 10 }, () => add(segmentId, emails)));
    expect(answers.reduce((sum, { body }) => sum + (body.data.added as number), 0)).toBe(5);
    const removals = await Promise.all(
      Array.from({ length: 10 }, (_, index) => api().delete(`/v1/segments/${segmentId}/members/${ids[index % 2]}`)),
    );
    expect(removals.filter(({ body }) => body.data.removed === true)).toHaveLength(2);
    expect((await get(segmentId)).memberCount).toBe(3);
    expect(await told({ 'data.segmentId': segmentId })).toHaveLength(7);
  });

  test.each<[object, string, string]>([
    [{ emails: [] }, 'emails', 'too_small'],
    [{ emails: Array.from({ length: 1_001 }, (_, n) => `p${n}@example.com`) }, 'emails', 'too_big'],
    [{ emails: ['no address'] }, 'emails.0', 'invalid_string'],
    [{ emails: [{ $gt: '' }] }, 'emails.0.$gt', 'reserved_name'],
    [{}, 'emails', 'invalid_type'],
  ])('refuses %#', async (given, path, code) => {
    const { segmentId } = await fixed();
    const { body } = await api().post(`/v1/segments/${segmentId}/members`).send(given).expect(422);
    expect(body.details).toEqual(expect.arrayContaining([{ path, code, message: expect.any(String) }]));
  });

  test('are not for a dynamic segment', async () => {
    const { segmentId } = await dynamic(all(plan('a')));
    for (const call of [add(segmentId, ['a@example.com']), api().delete(`/v1/segments/${segmentId}/members/ctc_1`)]) {
      const { body } = await call.expect(422);
      expect(body.details).toEqual([{ path: 'id', code: 'invalid_combination', message: expect.any(String) }]);
    }
  });

  test('go with their contact, and are counted', async () => {
    const { segmentId } = await fixed();
    const emails = [freshAddress(), freshAddress()];
    const ids = await Promise.all(emails.map((email) => contact(email)));
    await add(segmentId, emails).expect(200);
    await api().delete(`/v1/contacts/${ids[0]}`).expect(200);
    await foldCounts();
    expect(await members(segmentId)).toEqual([ids[1]]);
    expect((await get(segmentId)).memberCount).toBe(1);
    await api()
      .post('/v1/contacts/bulk')
      .send({ action: 'delete', contactIds: [ids[1]] })
      .expect(200);
    await foldCounts();
    expect((await get(segmentId)).memberCount).toBe(0);
    expect((await told({ 'data.segmentId': segmentId, name: 'segment.exited' })).length).toBe(0);
  });
});

describe('the list of members', () => {
  test('comes last entered first, with a cursor that others do not take', async () => {
    const { segmentId } = await fixed();
    const emails = Array.from({ length: 5 }, freshAddress);
    for (const email of emails) {
      await contact(email);
      await api()
        .post(`/v1/segments/${segmentId}/members`)
        .send({ emails: [email] })
        .expect(200);
    }
    const first = await api().get(`/v1/segments/${segmentId}/members?limit=2`).expect(200);
    expect(first.body.data).toHaveLength(2);
    expect(first.body.data[0]).toMatchObject({
      email: emails[4],
      enteredAt: expect.stringMatching(/Z$/),
      subscribed: true,
      contactId: expect.any(String),
    });
    const cursor = first.body.nextCursor as string;
    await contact('late@example.com');
    await api()
      .post(`/v1/segments/${segmentId}/members`)
      .send({ emails: ['late@example.com'] })
      .expect(200);
    await api()
      .delete(`/v1/segments/${segmentId}/members/${first.body.data[1].contactId as string}`)
      .expect(200);
    const rest = await api().get(`/v1/segments/${segmentId}/members`).query({ limit: 10, cursor }).expect(200);
    expect((rest.body.data as { email: string }[]).map(({ email }) => email)).toEqual([emails[2], emails[1], emails[0]]);
    expect(rest.body.nextCursor).toBeNull();
    const another = await fixed();
    const { body } = await api().get(`/v1/segments/${another.segmentId}/members`).query({ cursor }).expect(422);
    expect(body.details).toEqual([{ path: 'cursor', code: 'invalid_cursor', message: expect.any(String) }]);
  });
});

describe('delete', () => {
  test('removes the segment and its members, and tells nobody', async () => {
    const pro = freshPlan();
    await contact(freshAddress(), { data: { plan: pro } });
    const { segmentId } = await dynamic(all(plan(pro)));
    expect((await api().delete(`/v1/segments/${segmentId}`).expect(200)).body).toEqual({ success: true, data: { success: true } });
    await api().get(`/v1/segments/${segmentId}`).expect(404);
    await api().delete(`/v1/segments/${segmentId}`).expect(404);
    expect(await members(segmentId)).toEqual([]);
    expect(await told({ 'data.segmentId': segmentId })).toEqual([]);
  });

  test('what a crash or a transaction in between left is removed by the sweep', async () => {
    const { segmentId } = await fixed();
    await api().delete(`/v1/segments/${segmentId}`).expect(200);
    const late = { _id: `${segmentId}:ctc_late`, projectId: app.keys.projectId, segmentId, contactId: 'ctc_late', enteredAt: new Date() };
    await SegmentMemberModel.create([late]);
    await sweepRemovals(new Date());
    expect(await members(segmentId)).toEqual(['ctc_late']);
    await sweepRemovals(new Date(Date.now() + 61_000));
    expect(await members(segmentId)).toEqual([]);
    expect(await sweepRemovals(new Date(Date.now() + 61_000))).toBe(0);
    expect(await removeMembersOf(app.keys.projectId, segmentId, 0)).toBe(true);
  });

  const campaign = (change: object) => ({
    _id: newId('cmp'),
    projectId: app.keys.projectId,
    name: 'News',
    fromEmail: 'a@b.de',
    audience: 'segment',
    status: 'draft',
    createdAt: new Date(),
    ...change,
  });

  test('waits for what refers to it', async () => {
    const { segmentId } = await fixed();
    const asking = await dynamic(all(memberOf(segmentId)), 'Asking');
    const refused = async (): Promise<unknown> => (await api().delete(`/v1/segments/${segmentId}`).expect(409)).body;
    expect(await refused()).toMatchObject({ code: 'in_use', error: expect.stringContaining('Asking') });
    await patch(asking.segmentId, { conditions: all(plan('x')) });
    const rows = [
      campaign({ segmentId, status: 'sending' }),
      campaign({ segmentId, status: 'scheduled' }),
      campaign({ audience: 'filter', filter: all(memberOf(segmentId)) }),
    ];
    for (const row of rows) {
      await CampaignModel.create([row as never]);
      expect(await refused()).toMatchObject({ code: 'in_use', error: expect.stringContaining('News') });
      await CampaignModel.deleteOne({ _id: row._id });
    }
    await CampaignModel.create([campaign({ segmentId, status: 'sent' }), campaign({ segmentId, status: 'cancelled' })] as never);
    await api().delete(`/v1/segments/${segmentId}`).expect(200);
  });

  test('of a deletion and an edit that begins to ask about it, one is refused', async () => {
    for (let round = 0; round < 5; round++) {
      const { segmentId } = await fixed();
      const asking = await dynamic(all(plan('x')));
      const [deleted, edited] = await Promise.all([
        api().delete(`/v1/segments/${segmentId}`),
        api()
          .patch(`/v1/segments/${asking.segmentId}`)
          .send({ conditions: all(memberOf(segmentId)) }),
      ]);
      expect([
        [200, 422],
        [409, 200],
      ]).toContainEqual([deleted.status, edited.status]);
    }
  });
});

describe('preview', () => {
  test('counts and shows at most ten, newest first, and changes nothing', async () => {
    const pro = freshPlan();
    for (let n = 0; n < 12; n++) await contact(freshAddress(), { data: { plan: pro } });
    const before = await SegmentModel.countDocuments();
    const { body } = await api()
      .post('/v1/segments/preview')
      .send({ conditions: all(plan(pro)) })
      .expect(200);
    expect(body.data.count).toBe(12);
    expect(body.data.sample).toHaveLength(10);
    expect(body.data.sample[0]).toMatchObject({ contactId: expect.any(String), data: { plan: pro }, projectId: app.keys.projectId });
    const times = (body.data.sample as { createdAt: string }[]).map(({ createdAt }) => createdAt);
    expect(times).toEqual([...times].sort().reverse());
    expect(await SegmentModel.countDocuments()).toBe(before);
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

describe('another project', () => {
  test('finds nothing behind the ids of this one', async () => {
    const { segmentId } = await fixed();
    const unknown = await api().get('/v1/segments/seg_unknown').expect(404);
    for (const call of [
      other().get(`/v1/segments/${segmentId}`),
      other().patch(`/v1/segments/${segmentId}`).send({ name: 'Stolen' }),
      other().delete(`/v1/segments/${segmentId}`),
      other().post(`/v1/segments/${segmentId}/refresh`),
      other().get(`/v1/segments/${segmentId}/members`),
      other()
        .post(`/v1/segments/${segmentId}/members`)
        .send({ emails: ['a@example.com'] }),
      other().delete(`/v1/segments/${segmentId}/members/ctc_1`),
    ]) {
      expect((await call.expect(404)).body).toEqual(unknown.body);
    }
    expect((await get(segmentId)).name).toBe('Static');
  });

  test.each(['a%20b', '%24ne', 'x'.repeat(65), '..%2f'])('refuses the id %s', async (id) => {
    const { body } = await api().get(`/v1/segments/${id}`).expect(422);
    expect(body.details).toMatchObject([{ path: 'id', code: 'invalid_string' }]);
    await api().get(`/v1/segments/${id}/members`).expect(422);
  });
});

test('every list, page and sweep reads along an index', async () => {
  const pro = freshPlan();
  await contact(freshAddress(), { data: { plan: pro } });
  const { segmentId } = await dynamic(all(plan(pro)));
  const host = { clock: () => new Date(Date.now() + 120_000), signal: new AbortController().signal, beat: () => undefined };
  const reads: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['segments', () => api().get('/v1/segments')],
    ['segments', () => sweepSegments(app.core, host)],
    [
      'segments',
      () =>
        api()
          .patch(`/v1/segments/${segmentId}`)
          .send({ conditions: all(plan(`${pro}x`)) }),
    ],
    ['segment_members', () => api().get(`/v1/segments/${segmentId}/members`)],
    ['segment_members', () => api().post(`/v1/segments/${segmentId}/refresh`)],
    ['contacts', () => api().post(`/v1/segments/${segmentId}/refresh`)],
    [
      'contacts',
      () =>
        api()
          .post('/v1/segments/preview')
          .send({ conditions: all(plan(pro)) }),
    ],
    ['segment_count_changes', () => foldCounts()],
    ['segment_removals', () => sweepRemovals(new Date())],
  ];
  for (const [collection, read] of reads) {
    for (const { plan: used, sorted } of await queryPlans(collection, read)) {
      expect({ collection, used, sorted }).toEqual({ collection, used: expect.not.stringContaining('COLLSCAN'), sorted: false });
    }
  }
});
