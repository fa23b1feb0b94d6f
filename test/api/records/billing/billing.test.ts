import { addUsage, monthOf } from '../../../../src/records/billing/usage';
import { refreshReputation, refreshTroubledReputations } from '../../../../src/records/billing/service';
import { inTransaction } from '../../../../src/platform/mongo/transaction';
import { ProjectModel } from '../../../../src/records/projects/model';
import { createProject, getProject, resetReputation, setPlan } from '../../../../src/records/projects/service';
import type { ProjectKeys } from '../../../../src/records/projects/service';
import { aProject } from '../../../support/platform/app';
import { queryPlans } from '../../../support/checks/query-plans';
import { stored } from '../../../support/data/stored';

const HOUR_MS = 3_600_000;

const app = aProject();

const QUIET = { sent: 0, bounced: 0, complained: 0, bounceRate: 0, complaintRate: 0, state: 'ok' };

async function billingOf(keys: ProjectKeys) {
  const { body } = await app.api(keys.secret).get('/v1/billing').expect(200);
  return body.data;
}

const patch = (keys: ProjectKeys, change: object) => app.api(keys.secret).patch('/v1/billing').send(change);

/** What was sent in the hour that lies so far back. */
async function count(projectId: string, hoursBack: number, counts: { sent: number; bounced?: number; complained?: number }): Promise<void> {
  const hour = new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS - hoursBack * HOUR_MS);
  await stored.deliveryCounts.make([{ _id: `${projectId}/${hour.toISOString()}`, projectId, hour, bounced: 0, complained: 0, ...counts }]);
}

describe('GET /v1/billing', () => {
  test('shows everything of a project that did nothing yet', async () => {
    expect(await billingOf(app.keys)).toEqual({
      month: monthOf(new Date()),
      used: 0,
      limit: null,
      categories: {
        transactional: { limit: null, used: 0 },
        campaign: { limit: null, used: 0 },
        workflow: { limit: null, used: 0 },
        inbound: { limit: null, used: 0 },
      },
      plan: 'free',
      emailQuota: 3000,
      freeTierCredits: 3000,
      creditsUsed: 0,
      planQuotas: { free: 3000, starter: 50_000, growth: 250_000 },
      reputation: {
        state: 'ok',
        window: '24h',
        bounceRate: 0,
        complaintRate: 0,
        volume: 0,
        floor: 100,
        windows: { '24h': QUIET, '7d': QUIET, all: QUIET },
      },
      reputationState: 'ok',
      reputationReason: null,
      payments: { enabled: false, env: 'test_mode' },
      paymentsSubscription: { id: null, status: null, plan: null, cancelAtNextBillingDate: false, nextBillingAt: null },
    });
  });

  test('counts messages and credits of the month, inbound apart, and what was given back', async () => {
    const keys = await createProject('Usage');
    const month = monthOf(new Date());
    const use = (source: 'transactional' | 'workflow' | 'inbound', messages: number, credits: number, when = month): Promise<void> =>
      inTransaction((session) => addUsage(session, keys.projectId, when, source, { messages, credits }));
    await use('transactional', 5, 7);
    await use('workflow', 2, 2);
    await use('inbound', 4, 0);
    await use('transactional', -1, -2);
    await use('transactional', 9, 9, '2020-01');
    expect(await billingOf(keys)).toMatchObject({
      used: 6,
      creditsUsed: 7,
      categories: { transactional: { used: 4 }, campaign: { used: 0 }, workflow: { used: 2 }, inbound: { used: 4 } },
    });
  });

  test('loses no count when many are added at once', async () => {
    const keys = await createProject('Race');
    const one = (): Promise<void> =>
      inTransaction((session) => addUsage(session, keys.projectId, monthOf(new Date()), 'campaign', { messages: 1, credits: 2 }));
    await Promise.all(Array.from({ length: 30 }, one));
    expect(await billingOf(keys)).toMatchObject({ used: 30, creditsUsed: 60, categories: { campaign: { used: 30 } } });
  });

  test('is for secret and test keys', async () => {
    const statuses = [app.keys.secret, app.keys.test, app.keys.public].map(async (key) => (await app.api(key).get('/v1/billing')).status);
    expect(await Promise.all(statuses)).toEqual([200, 200, 401]);
  });
});

describe('PATCH /v1/billing', () => {
  test('changes what is given, removes with null, and answers with nothing', async () => {
    const keys = await createProject('Caps');
    const { body } = await patch(keys, { monthlyLimit: 10, monthlyLimitCampaign: 0, monthlyLimitInbound: 3 }).expect(200);
    expect(body).toEqual({ success: true, data: {} });
    await patch(keys, { monthlyLimitTransactional: 5, monthlyLimitWorkflow: 6, monthlyLimitInbound: null }).expect(200);
    expect(await billingOf(keys)).toMatchObject({
      limit: 10,
      categories: { transactional: { limit: 5 }, campaign: { limit: 0 }, workflow: { limit: 6 }, inbound: { limit: null } },
    });
    expect((await billingOf(app.keys)).limit).toBeNull();
  });

  test('goes back to the free plan', async () => {
    const keys = await createProject('Plan');
    await setPlan(keys.projectId, 'growth');
    expect(await billingOf(keys)).toMatchObject({ plan: 'growth', emailQuota: 250_000 });
    await patch(keys, { plan: 'free' }).expect(200);
    expect(await billingOf(keys)).toMatchObject({ plan: 'free', emailQuota: 3000 });
  });

  test('changes caps and plan together or not at all', async () => {
    const keys = await createProject('Together');
    await setPlan(keys.projectId, 'growth');
    const write = ProjectModel.updateOne.bind(ProjectModel);
    const writes = jest.spyOn(ProjectModel, 'updateOne').mockImplementationOnce(write);
    writes.mockImplementationOnce(() => Promise.reject(new Error('away')) as never);
    const { status } = await patch(keys, { monthlyLimit: 10, plan: 'free' });
    writes.mockRestore();
    expect(status).toBe(200);
    expect(await billingOf(keys)).toMatchObject({ limit: 10, plan: 'free' });
  });

  test.each([
    [{}, '', 'invalid_combination'],
    [{ plan: 'growth' }, 'plan', 'invalid_enum_value'],
    [{ monthlyLimit: -1 }, 'monthlyLimit', 'too_small'],
    [{ monthlyLimit: 1.5 }, 'monthlyLimit', 'invalid_type'],
    [{ monthlyLimitCampaign: '5' }, 'monthlyLimitCampaign', 'invalid_type'],
    [{ limit: 5 }, 'limit', 'unrecognized_keys'],
  ])('refuses %j', async (change, path, code) => {
    const { body } = await patch(app.keys, change).expect(422);
    expect(body).toMatchObject({ code: 'validation_error', details: [{ path, code }] });
    expect(body.details).toHaveLength(1);
  });
});

describe('reputation', () => {
  test('one that was found from fewer counts never takes the place of one from more', async () => {
    const keys = await createProject('Bounced at once');
    await count(keys.projectId, 2, { sent: 1_000, bounced: 60 });
    const counts = stored.deliveryCounts.collection;
    const aggregate = counts.aggregate.bind(counts);
    jest.spyOn(counts, 'aggregate').mockImplementationOnce(((...args: Parameters<typeof aggregate>) => {
      const toArray = async () => {
        const seen = await aggregate(...args).toArray();
        await count(keys.projectId, 1, { sent: 1_000, bounced: 240 });
        expect((await refreshReputation(keys.projectId, new Date())).state).toBe('paused');
        return seen;
      };
      return { toArray };
    }) as never);
    expect((await refreshReputation(keys.projectId, new Date())).state).toBe('paused');
    expect((await getProject(keys.projectId)).reputation.state).toBe('paused');
  });

  test('sums the windows, goes by the worst, and is kept with the project', async () => {
    const keys = await createProject('Windows');
    await count(keys.projectId, 1, { sent: 100, bounced: 1 });
    await count(keys.projectId, 48, { sent: 100, bounced: 17 });
    await count(keys.projectId, 24 * 20, { sent: 800, complained: 1 });
    const data = await billingOf(keys);
    expect(data.reputation).toEqual({
      state: 'throttled',
      window: '7d',
      bounceRate: 0.09,
      complaintRate: 0,
      volume: 200,
      floor: 100,
      windows: {
        '24h': { sent: 100, bounced: 1, complained: 0, bounceRate: 0.01, complaintRate: 0, state: 'ok' },
        '7d': { sent: 200, bounced: 18, complained: 0, bounceRate: 0.09, complaintRate: 0, state: 'throttled' },
        all: { sent: 1000, bounced: 18, complained: 1, bounceRate: 0.018, complaintRate: 0.001, state: 'warn' },
      },
    });
    expect(data).toMatchObject({ reputationState: 'throttled', reputationReason: expect.stringContaining('9.00 %') });
    expect((await getProject(keys.projectId)).reputation).toMatchObject({ state: 'throttled', reason: data.reputationReason });
  });

  test('mends as windows move', async () => {
    const keys = await createProject('Mending');
    await count(keys.projectId, 24 * 20, { sent: 1_800 });
    await count(keys.projectId, 2, { sent: 200, bounced: 100 });
    const now = Date.now();
    expect((await refreshReputation(keys.projectId, new Date(now))).state).toBe('paused');
    expect((await refreshReputation(keys.projectId, new Date(now + 8 * 24 * HOUR_MS))).state).toBe('warn');
    expect((await getProject(keys.projectId)).reputation.state).toBe('warn');
  });

  test('has a higher floor for a project of more than 30 days', async () => {
    const keys = await createProject('Old', new Date(Date.now() - 31 * 24 * HOUR_MS));
    await count(keys.projectId, 1, { sent: 499, bounced: 499 });
    expect(await refreshReputation(keys.projectId, new Date())).toMatchObject({ state: 'ok', floor: 500 });
  });

  test('forgets what was before a reset', async () => {
    const keys = await createProject('Reset');
    await count(keys.projectId, 0, { sent: 200, bounced: 100 });
    expect((await billingOf(keys)).reputationState).toBe('paused');
    await resetReputation(keys.projectId);
    expect(await billingOf(keys)).toMatchObject({ reputationState: 'ok', reputationReason: null, reputation: { windows: { all: QUIET } } });
    await count(keys.projectId, -1, { sent: 200, bounced: 12 });
    expect(await billingOf(keys)).toMatchObject({ reputationState: 'warn', reputation: { volume: 200 } });
  });

  test('is swept where it is not well', async () => {
    const keys = await createProject('Swept');
    await count(keys.projectId, 2, { sent: 200, bounced: 10 });
    await refreshReputation(keys.projectId, new Date());
    await stored.deliveryCounts.remove({ projectId: keys.projectId });
    expect(await refreshTroubledReputations(new Date())).toBeGreaterThanOrEqual(1);
    expect((await getProject(keys.projectId)).reputation).toEqual({ state: 'ok', reason: null, resetAt: null });
  });

  test('is summed along an index', async () => {
    const plans = await queryPlans('delivery_counts', () => refreshReputation(app.keys.projectId, new Date()));
    expect(plans).toEqual([{ plan: expect.stringContaining('IXSCAN { projectId: 1, hour: 1 }'), sorted: false }]);
    const sweep = await queryPlans('projects', () => refreshTroubledReputations(new Date()));
    for (const { plan } of sweep) expect(plan).not.toContain('COLLSCAN');
  });
});
