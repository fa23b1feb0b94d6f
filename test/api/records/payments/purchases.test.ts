import type { StartIntent } from '../../../../src/contracts/processes';
import type { ProviderOutlook } from '../../../../src/contracts/payments';
import { sweepOutbox } from '../../../../src/platform/outbox';
import { restartForgotten } from '../../../../src/records/payments/forgotten';
import { CheckoutModel } from '../../../../src/records/payments/model';
import { followCheckout } from '../../../../src/records/payments/checkout';
import { aProject } from '../../../support/platform/app';
import { deliver } from '../../../support/servers/payment-provider';
import { aCustomer, aPaymentProvider } from '../../../support/calls/payments';
import { eventually } from '../../../support/platform/platform';
import { queryPlans } from '../../../support/checks/query-plans';
import { stored } from '../../../support/data/stored';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const provider = aPaymentProvider();
const app = aProject(() => ({ config: provider.env, log: (line) => void log.push(line) }));
const customer = aCustomer(app, provider);
const log: string[] = [];

afterEach(() => {
  provider.faultAt = null;
});

const checkout = () => app.api(customer.keys.secret).post('/api/payments/checkout').send({ plan: 'growth' });

/** A session, and the instant at which it was opened, as it is stored. */
async function opened(): Promise<{ readonly sessionId: string; readonly openedAt: number }> {
  const { body } = await checkout().expect(200);
  const sessionId = String(body.data.sessionId);
  const row = await stored.checkouts.one(sessionId);
  return { sessionId, openedAt: row?.openedAt.getTime() ?? 0 };
}

/** What the activity of the session's workflow does at that time. */
function follow(sessionId: string, now: number): Promise<ProviderOutlook | null> {
  provider.at(now);
  return followCheckout(app.core, { sessionId, projectId: customer.keys.projectId, now });
}

const asked = (path: string): number => provider.callsTo('GET', path).length;
const started = (): string[] => (app.processes.start.mock.calls as [StartIntent][]).map(([{ workflowId }]) => workflowId);

test('a session is recorded with the wish for its workflow, and asked about after five minutes', async () => {
  const { sessionId, openedAt } = await opened();
  expect(await stored.checkouts.one(sessionId)).toEqual({
    _id: sessionId,
    projectId: customer.keys.projectId,
    plan: 'growth',
    openedAt: new Date(openedAt),
    dueAt: new Date(openedAt + 5 * MINUTE),
  });
  expect(app.processes.start).toHaveBeenCalledWith(
    expect.objectContaining({
      workflow: 'checkout',
      workflowId: `checkout/${sessionId}`,
      attributes: { projectId: customer.keys.projectId },
    }),
  );
  expect(await follow(sessionId, openedAt + MINUTE)).toEqual({ status: 'opened', waitMs: 4 * MINUTE });
  expect(asked(`/checkouts/${sessionId}`)).toBe(0);
});

test('a purchase of which no notification comes is found, with its plan, and its own workflow is started', async () => {
  const { sessionId, openedAt } = await opened();
  const { id } = provider.pay(sessionId);
  expect(await follow(sessionId, openedAt + 5 * MINUTE)).toBeNull();
  expect(await customer.billing()).toMatchObject({
    plan: 'growth',
    subscription: { id, status: 'active', plan: 'growth', nextBillingAt: provider.get(id).next_billing_date },
  });
  expect(started()).toContain(`subscription/${id}`);
  expect(await stored.checkouts.one(sessionId)).toBeNull();
  expect(log.some((line) => line.includes('found by asking the provider') && line.includes(id))).toBe(true);
  expect(log.join('')).not.toContain('ada@example.com');
});

test('one whose notification came is not asked about again, and nothing is changed', async () => {
  const { sessionId, openedAt } = await opened();
  const { id, active } = provider.pay(sessionId);
  await deliver(app.url, active);
  const before = await stored.subscriptions.one(id);
  expect(await follow(sessionId, openedAt + 5 * MINUTE)).toBeNull();
  expect(await stored.subscriptions.one(id)).toEqual(before);
  expect(asked(`/subscriptions/${id}`)).toBe(0);
});

test('a notification that comes after the purchase was found changes nothing; what happened since does', async () => {
  const { sessionId, openedAt } = await opened();
  const { id, active } = provider.pay(sessionId);
  const renewed = provider.renew(id);
  await follow(sessionId, openedAt + 5 * MINUTE);
  const found = await stored.subscriptions.one(id);
  expect((await deliver(app.url, active)).status).toBe(200);
  expect((await deliver(app.url, renewed)).status).toBe(200);
  expect((await deliver(app.url, active)).status).toBe(200);
  expect(await stored.subscriptions.one(id)).toEqual(found);
  await deliver(app.url, provider.happens('expired', id, { status: 'expired' }));
  expect((await customer.billing()).plan).toBe('free');
});

test('a notification and the question about it at once make one subscription', async () => {
  const { sessionId, openedAt } = await opened();
  const { id, active } = provider.pay(sessionId);
  await Promise.all([deliver(app.url, active), follow(sessionId, openedAt + 5 * MINUTE), deliver(app.url, active)]);
  expect(await stored.subscriptions.count({ projectId: customer.keys.projectId })).toBe(1);
  expect(await customer.billing()).toMatchObject({ plan: 'growth', subscription: { id, status: 'active' } });
});

test('an unpaid session is followed to its end, and leaves nothing', async () => {
  const { sessionId, openedAt } = await opened();
  const failures = log.length;
  expect(await follow(sessionId, openedAt + 5 * MINUTE)).toEqual({ status: 'unpaid', waitMs: 5 * MINUTE });
  provider.beginPayment(sessionId, 'failed');
  expect(await follow(sessionId, openedAt + 10 * MINUTE)).toEqual({ status: 'unpaid', waitMs: 10 * MINUTE });
  expect(await follow(sessionId, openedAt + 24 * HOUR)).toEqual({ status: 'unpaid', waitMs: HOUR });
  expect(await follow(sessionId, openedAt + 25 * HOUR)).toBeNull();
  expect(await stored.checkouts.one(sessionId)).toBeNull();
  expect(await customer.billing()).toMatchObject({ plan: 'free', subscription: { id: null } });
  expect(log.slice(failures).filter((line) => line.includes('checkout session'))).toEqual([]);
});

test('a payment that takes days is waited for; the plan begins when it has succeeded', async () => {
  const { sessionId, openedAt } = await opened();
  provider.beginPayment(sessionId, 'processing');
  expect(await follow(sessionId, openedAt + 25 * HOUR)).toEqual({ status: 'under way', waitMs: 4 * HOUR });
  expect((await customer.billing()).plan).toBe('free');
  provider.pay(sessionId);
  expect(await follow(sessionId, openedAt + 5 * DAY)).toBeNull();
  expect((await customer.billing()).plan).toBe('growth');
});

test('one that is paid while its subscription still waits is asked about again; given up after fourteen days', async () => {
  const { sessionId, openedAt } = await opened();
  provider.beginPayment(sessionId, 'succeeded');
  expect(await follow(sessionId, openedAt + DAY)).toEqual({ status: 'paid', waitMs: 4 * HOUR });
  expect(await follow(sessionId, openedAt + 14 * DAY)).toBeNull();
  expect(log.some((line) => line.includes('ended without a subscription') && line.includes(sessionId))).toBe(true);
});

test('a session that the provider does not know is unpaid', async () => {
  const openedAt = Date.now();
  await stored.checkouts.make([
    {
      _id: 'cks_elsewhere',
      projectId: customer.keys.projectId,
      plan: 'growth',
      openedAt: new Date(openedAt),
      dueAt: new Date(openedAt + 5 * MINUTE),
    },
  ]);
  expect(await follow('cks_elsewhere', openedAt + HOUR)).toEqual({ status: 'unpaid', waitMs: HOUR });
  expect(await follow('cks_elsewhere', openedAt + 30 * HOUR)).toBeNull();
});

test('a provider that is away, at each of its answers, loses nothing', async () => {
  const { sessionId, openedAt } = await opened();
  const { id } = provider.pay(sessionId);
  const kept = await stored.checkouts.one(sessionId);
  for (const path of ['/checkouts', '/payments', '/subscriptions']) {
    provider.faultAt = path;
    await expect(follow(sessionId, openedAt + 25 * HOUR)).rejects.toMatchObject({ name: 'ProviderError', kind: 'away' });
    expect(provider.asked.at(-1)?.path.startsWith(path)).toBe(true);
    expect(await stored.checkouts.one(sessionId)).toEqual(kept);
  }
  provider.faultAt = null;
  expect(await follow(sessionId, openedAt + 30 * DAY)).toBeNull();
  expect(await customer.billing()).toMatchObject({ plan: 'growth', subscription: { id } });
});

test('payments that are off are not asked about; what was sold is found when they are on again', async () => {
  const { sessionId, openedAt } = await opened();
  provider.pay(sessionId);
  const off = { ...app.core, config: { ...app.core.config, PAYMENTS_API_KEY: undefined } };
  const calls = provider.asked.length;
  const input = { sessionId, projectId: customer.keys.projectId, now: openedAt + 2 * DAY };
  expect(await followCheckout(off, input)).toEqual({ status: 'payments are off', waitMs: DAY });
  expect(await restartForgotten(off, new Date(openedAt + 2 * DAY))).toBe(0);
  expect(provider.asked).toHaveLength(calls);
  expect(await follow(sessionId, openedAt + 3 * DAY)).toBeNull();
  expect((await customer.billing()).plan).toBe('growth');
});

/** The rows on sessions of the table in src/records/payments/subscriptions.ts. */
describe('killed', () => {
  test('before the commit of a session: its address is not handed out, and nothing is left', async () => {
    const write = jest.spyOn(stored.outbox.collection, 'replaceOne').mockImplementationOnce(() => Promise.reject(new Error('killed')));
    const { body } = await checkout().expect(500);
    write.mockRestore();
    expect(JSON.stringify(body)).not.toContain('cks_');
    expect(await stored.checkouts.count({ projectId: customer.keys.projectId })).toBe(0);
    expect(await stored.outbox.count()).toBe(0);
    await checkout().expect(200);
  });

  test('after the commit, or while Temporal is away: the sweep starts the workflow', async () => {
    app.processes.start.mockRejectedValue(new Error('Temporal is away'));
    const { sessionId } = await opened();
    app.processes.start.mockReset();
    app.processes.start.mockResolvedValue(undefined);
    await sweepOutbox(app.core, new Date(Date.now() + MINUTE));
    expect(started()).toEqual([`checkout/${sessionId}`]);
    expect(await stored.outbox.count()).toBe(0);
  });

  test('before what was found is committed: it is found again', async () => {
    const { sessionId, openedAt } = await opened();
    const { id } = provider.pay(sessionId);
    await eventually('the outbox is empty', async () => (await stored.outbox.count()) === 0);
    const write = jest.spyOn(stored.outbox.collection, 'replaceOne').mockImplementationOnce(() => Promise.reject(new Error('killed')));
    await expect(follow(sessionId, openedAt + HOUR)).rejects.toThrow('killed');
    write.mockRestore();
    expect(await stored.subscriptions.one(id)).toBeNull();
    expect(await follow(sessionId, openedAt + HOUR)).toBeNull();
    expect((await customer.billing()).plan).toBe('growth');
  });

  test('after it is committed, the session still there: it is known, and changed no more', async () => {
    const { sessionId, openedAt } = await opened();
    const { id } = provider.pay(sessionId);
    const remove = jest.spyOn(CheckoutModel, 'deleteOne').mockImplementationOnce(() => Promise.reject(new Error('killed')) as never);
    await expect(follow(sessionId, openedAt + HOUR)).rejects.toThrow('killed');
    remove.mockRestore();
    const found = await stored.subscriptions.one(id);
    expect(await follow(sessionId, openedAt + HOUR)).toBeNull();
    expect(await stored.subscriptions.one(id)).toEqual(found);
    expect(await stored.checkouts.one(sessionId)).toBeNull();
  });

  test('a workflow that was ended by hand is started again once its time is long past', async () => {
    const { sessionId, openedAt } = await opened();
    const startedAt = async (now: number): Promise<string[]> => {
      app.processes.start.mockClear();
      await restartForgotten(app.core, new Date(now));
      return started();
    };
    expect(await startedAt(openedAt + HOUR)).not.toContain(`checkout/${sessionId}`);
    expect(await startedAt(openedAt + DAY)).toContain(`checkout/${sessionId}`);
  });
});

test('sessions are read along indexes', async () => {
  const plans = await queryPlans('checkouts', () => restartForgotten(app.core, new Date()));
  expect(plans.map(({ plan }) => plan)).toEqual([expect.stringContaining('IXSCAN { dueAt: 1 }')]);
});
