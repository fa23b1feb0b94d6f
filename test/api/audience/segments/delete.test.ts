import { newId } from '../../../../src/platform/core/ids';
import { removeMembersOf, sweepRemovals } from '../../../../src/audience/segments/edit';
import { foldCounts } from '../../../../src/audience/segments/counts';
import { sweepSegments } from '../../../../src/audience/segments/sweep';
import type { Test } from 'supertest';
import { aProject } from '../../../support/platform/app';
import { queryPlans } from '../../../support/checks/query-plans';
import { all, memberOf, plan, segmentCalls } from '../../../support/calls/segment-calls';
import { stored } from '../../../support/data/stored';
const app = aProject();

const { api, contact, dynamic, fixed, freshAddress, members, patch, emitted } = segmentCalls(() => app);
const other = () => app.api(app.otherKeys.secret);

const PLANS = ['gold', 'silver', 'bronze'] as const;
let next = 0;
/** A plan that no other test has. */
const freshPlan = (): string => `${PLANS[next % 3]}-${next++}`;

describe('delete', () => {
  test('removes the segment and its members, and emits nothing', async () => {
    const pro = freshPlan();
    await contact(freshAddress(), { data: { plan: pro } });
    const { segmentId } = await dynamic(all(plan(pro)));
    expect((await api().delete(`/v1/segments/${segmentId}`).expect(200)).body).toEqual({ success: true, data: { success: true } });
    await api().get(`/v1/segments/${segmentId}`).expect(404);
    await api().delete(`/v1/segments/${segmentId}`).expect(404);
    expect(await members(segmentId)).toEqual([]);
    expect(await emitted({ 'data.segmentId': segmentId })).toEqual([]);
  });

  test('is answered as done also when its members cannot be removed at once', async () => {
    const { segmentId } = await fixed();
    jest.spyOn(stored.members.collection, 'find').mockImplementationOnce(() => {
      throw new Error('away');
    });
    await api().delete(`/v1/segments/${segmentId}`).expect(200);
    await api().get(`/v1/segments/${segmentId}`).expect(404);
  });

  test('what a crash or a transaction in between left is removed by the sweep', async () => {
    const { segmentId } = await fixed();
    await api().delete(`/v1/segments/${segmentId}`).expect(200);
    const late = {
      _id: `${segmentId}:ctc_late`,
      projectId: app.keys.projectId,
      segmentId,
      contactId: 'ctc_late',
      enteredAt: new Date(),
      contactCreatedAt: new Date(),
    };
    await stored.members.make([late]);
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
      await stored.campaigns.make([row as never]);
      expect(await refused()).toMatchObject({ code: 'in_use', error: expect.stringContaining('News') });
      await stored.campaigns.remove(row._id);
    }
    await stored.campaigns.make([campaign({ segmentId, status: 'sent' }), campaign({ segmentId, status: 'cancelled' })] as never);
    await api().delete(`/v1/segments/${segmentId}`).expect(200);
  });

  test('waits for a workflow that it starts', async () => {
    const { segmentId } = await fixed();
    const made = await api()
      .post('/v1/workflows')
      .send({ name: 'Welcome', trigger: `segment:enter:${segmentId}` })
      .expect(201);
    const { body } = await api().delete(`/v1/segments/${segmentId}`).expect(409);
    expect(body).toMatchObject({ code: 'in_use', error: expect.stringContaining('Welcome') });
    await api()
      .delete(`/v1/workflows/${made.body.data.workflowId as string}`)
      .expect(200);
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

  test('of a deletion and a new reference, one is refused', async () => {
    const content = { subject: 'S', body: '<p>B</p>', fromEmail: 'news@hello.test' };
    const drafted = await api()
      .post('/v1/campaigns')
      .send({ name: 'Drafted', ...content })
      .expect(201);
    const waiting = await api().post('/v1/workflows').send({ name: 'Waiting', trigger: 'event:raced' }).expect(201);
    const referring: readonly ((segmentId: string) => Test)[] = [
      (segmentId) =>
        api()
          .post('/v1/workflows')
          .send({ name: 'W', trigger: `segment:enter:${segmentId}` }),
      (segmentId) =>
        api()
          .patch(`/v1/workflows/${waiting.body.data.workflowId as string}`)
          .send({ trigger: `segment:exit:${segmentId}` }),
      (segmentId) =>
        api()
          .post('/v1/campaigns')
          .send({ name: 'C', ...content, audience: 'segment', segmentId }),
      (segmentId) =>
        api()
          .patch(`/v1/campaigns/${drafted.body.data.campaignId as string}`)
          .send({ audience: 'filter', filter: all(memberOf(segmentId)) }),
    ];
    for (let round = 0; round < 5; round++) {
      for (const refer of referring) {
        const { segmentId } = await fixed();
        const [deleted, referred] = await Promise.all([api().delete(`/v1/segments/${segmentId}`), refer(segmentId)]);
        expect([deleted.status, referred.status === 422]).toEqual(referred.status === 422 ? [200, true] : [409, false]);
      }
    }
  });
});

test('fields and events know the segments that ask about them', async () => {
  const event = `used-${freshPlan()}`;
  const reads = await dynamic(all(plan('x'), { field: 'data.used.deep', operator: 'exists' }), 'Reads');
  const asks = await dynamic(all({ field: `event.${event}`, operator: 'triggered' }), 'Asks');
  const field = await api().get('/v1/contacts/fields/used/usage').expect(200);
  expect(field.body.data.segments).toEqual([{ segmentId: reads.segmentId, name: 'Reads' }]);
  const usage = await api().get(`/v1/events/${event}/usage`).expect(200);
  expect(usage.body.data.segments).toEqual([{ segmentId: asks.segmentId, name: 'Asks' }]);
  expect((await other().get('/v1/contacts/fields/used/usage').expect(200)).body.data.segments).toEqual([]);
});

test('every list, page and sweep reads along an index', async () => {
  const pro = freshPlan();
  for (let n = 0; n < 2; n++) await contact(freshAddress(), { data: { plan: pro } });
  const { segmentId } = await dynamic(all(plan(pro)));
  const { body } = await api().get(`/v1/segments/${segmentId}/members?limit=1`).expect(200);
  const nextPage = `/v1/segments/${segmentId}/members?limit=1&cursor=${encodeURIComponent(body.nextCursor as string)}`;
  const host = { clock: () => new Date(Date.now() + 120_000), signal: new AbortController().signal, beat: () => undefined };
  const reads: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['segments', () => api().get('/v1/segments')],
    ['contacts', () => dynamic(all(plan(pro)))],
    ['segment_members', () => api().get(nextPage).expect(200)],
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
