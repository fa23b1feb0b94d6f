import { setPlan } from '../../../../src/records/projects/service';
import { aProject } from '../../../support/platform/app';
import { deliver } from '../../../support/servers/payment-provider';
import { aPaymentProvider, newCustomer, periodEnd } from '../../../support/calls/payments';
import type { Customer } from '../../../support/calls/payments';
import { stored } from '../../../support/data/stored';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const provider = aPaymentProvider();
const app = aProject(() => ({ config: provider.env }));
let customer: Customer;

beforeEach(async () => {
  customer = await newCustomer(app, provider);
});

const cancellations = (id: string): number => provider.callsTo('PATCH', `/subscriptions/${id}`).length;
const questions = (id: string): number => provider.callsTo('GET', `/subscriptions/${id}`).length;

describe('going back to the free plan', () => {
  test('cancels the subscription with its period: the plan stays until then, caps change at once', async () => {
    const id = await customer.subscribed();
    await customer.patch({ plan: 'free', monthlyLimit: 7 });
    const subscription = {
      id,
      status: 'active',
      plan: 'growth',
      cancelAtNextBillingDate: true,
      nextBillingAt: provider.get(id).next_billing_date,
    };
    expect(await customer.billing()).toEqual({ plan: 'growth', limit: 7, subscription });
    expect(await customer.reconcile(id, Date.now())).toMatchObject({ status: 'active' });
    expect(provider.callsTo('PATCH', `/subscriptions/${id}`).map(({ body: asked }) => asked)).toEqual([
      { cancel_at_next_billing_date: true },
    ]);
    await customer.reconcile(id, periodEnd(provider, id) - 1);
    expect(await customer.billing()).toEqual({ plan: 'growth', limit: 7, subscription });
    provider.at(periodEnd(provider, id));
    expect(await customer.reconcile(id, periodEnd(provider, id))).toBeNull();
    expect(await customer.billing()).toEqual({
      plan: 'free',
      limit: 7,
      subscription: { id, status: 'ended', plan: 'growth', cancelAtNextBillingDate: false, nextBillingAt: null },
    });
  });

  test('asked for twice at once, and again later, is one cancellation', async () => {
    const id = await customer.subscribed();
    await Promise.all([customer.patch({ plan: 'free' }), customer.patch({ plan: 'free' })]);
    await customer.reconcile(id, Date.now());
    await customer.patch({ plan: 'free' });
    await customer.reconcile(id, Date.now());
    expect(cancellations(id)).toBe(1);
  });

  test('is at once where nothing is paid for', async () => {
    await setPlan(customer.keys.projectId, 'starter');
    await customer.patch({ plan: 'free' });
    expect((await customer.billing()).plan).toBe('free');
    const id = await customer.subscribed();
    await deliver(app.url, provider.happens('on_hold', id, { status: 'on_hold' }));
    await setPlan(customer.keys.projectId, 'starter');
    await customer.patch({ plan: 'free' });
    expect((await customer.billing()).plan).toBe('free');
    await customer.reconcile(id, Date.now());
    expect(provider.get(id).cancel_at_next_billing_date).toBe(true);
  });

  test('is taken back by the customer at the provider, and stays taken back', async () => {
    const id = await customer.subscribed();
    await customer.patch({ plan: 'free' });
    await customer.reconcile(id, Date.now());
    await deliver(app.url, provider.happens('updated', id, { cancel_at_next_billing_date: false }));
    await customer.reconcile(id, Date.now());
    expect(cancellations(id)).toBe(1);
    expect(await customer.billing()).toMatchObject({ subscription: { cancelAtNextBillingDate: false } });
  });

  test('is not undone by a notification of before', async () => {
    const id = await customer.subscribed();
    const late = provider.happens('updated', id);
    await customer.patch({ plan: 'free' });
    await customer.reconcile(id, Date.now());
    await deliver(app.url, late);
    expect(await customer.billing()).toMatchObject({ subscription: { cancelAtNextBillingDate: true } });
  });

  test('reaches a subscription that was cancelled at the provider meanwhile', async () => {
    const id = await customer.subscribed();
    provider.happens('cancelled', id, { status: 'cancelled' });
    await customer.patch({ plan: 'free' });
    expect(await customer.reconcile(id, Date.now())).toBeNull();
    expect(await customer.billing()).toMatchObject({ plan: 'free', subscription: { status: 'ended' } });
  });
});

describe('a notification that does not come', () => {
  test('of a renewal: the provider is asked an hour after the billing date', async () => {
    const id = await customer.subscribed();
    const end = periodEnd(provider, id);
    provider.renew(id);
    provider.at(end + HOUR);
    expect(await customer.reconcile(id, end)).toEqual({ status: 'active', waitMs: HOUR });
    expect(questions(id)).toBe(0);
    expect(await customer.reconcile(id, end + HOUR)).toEqual({ status: 'active', waitMs: 30 * DAY });
    expect(await customer.billing()).toMatchObject({ plan: 'growth', subscription: { nextBillingAt: provider.get(id).next_billing_date } });
  });

  test('of a failed renewal, or an end', async () => {
    for (const status of ['on_hold', 'cancelled', 'expired'] as const) {
      customer = await newCustomer(app, provider);
      const id = await customer.subscribed();
      const end = periodEnd(provider, id);
      provider.happens(status, id, { status });
      provider.at(end + HOUR);
      await customer.reconcile(id, end + HOUR);
      expect(await customer.billing()).toMatchObject({ plan: 'free', subscription: { id, status: 'ended' } });
    }
  });

  test('of a payment after a hold: the provider is asked daily', async () => {
    const id = await customer.subscribed();
    await deliver(app.url, provider.happens('on_hold', id, { status: 'on_hold' }));
    const heldAt = (await stored.subscriptions.one(id))?.asOf.getTime() ?? 0;
    provider.happens('active', id, { status: 'active' });
    provider.at(heldAt + DAY);
    await customer.reconcile(id, heldAt + DAY);
    expect(await customer.billing()).toMatchObject({ plan: 'growth', subscription: { id, status: 'active' } });
  });

  test('and comes after all, when the provider was asked, changes nothing', async () => {
    const id = await customer.subscribed();
    const end = periodEnd(provider, id);
    const late = provider.renew(id);
    provider.happens('cancelled', id, { status: 'cancelled' });
    provider.at(end + HOUR);
    await customer.reconcile(id, end + HOUR);
    await deliver(app.url, late);
    expect(await customer.billing()).toMatchObject({ plan: 'free', subscription: { id, status: 'ended' } });
  });

  test('a provider that has not billed yet is asked again an hour later', async () => {
    const id = await customer.subscribed();
    const end = periodEnd(provider, id);
    provider.at(end + HOUR);
    app.processes.start.mockClear();
    expect(await customer.reconcile(id, end + HOUR)).toEqual({ status: 'active', waitMs: HOUR });
    expect((await customer.billing()).plan).toBe('growth');
    // A signal to the workflow that asked would have it ask again at once, and so on.
    expect(app.processes.start).not.toHaveBeenCalled();
  });
});

describe('a provider that is away', () => {
  afterEach(() => {
    provider.fault = null;
  });

  test('when a cancellation is wanted: it is kept, and asked for until it is taken', async () => {
    const id = await customer.subscribed();
    await customer.patch({ plan: 'free' });
    provider.fault = { kind: 'status', status: 502 };
    await expect(customer.reconcile(id, Date.now())).rejects.toThrow('The payment provider answered 502');
    await expect(customer.reconcile(id, periodEnd(provider, id) + DAY)).rejects.toThrow('The payment provider answered 502');
    expect(await customer.billing()).toMatchObject({ plan: 'growth', subscription: { cancelAtNextBillingDate: true } });
    provider.fault = null;
    await customer.reconcile(id, Date.now());
    expect(provider.get(id).cancel_at_next_billing_date).toBe(true);
  });

  test('when the period of a cancelled subscription ends: the plan drops all the same', async () => {
    const id = await customer.subscribed();
    await customer.patch({ plan: 'free' });
    await customer.reconcile(id, Date.now());
    provider.fault = { kind: 'reset' };
    expect(await customer.reconcile(id, periodEnd(provider, id))).toBeNull();
    expect((await customer.billing()).plan).toBe('free');
  });

  test('when a renewal is due: the plan stays', async () => {
    const id = await customer.subscribed();
    provider.fault = { kind: 'reset' };
    await expect(customer.reconcile(id, periodEnd(provider, id) + HOUR)).rejects.toThrow('did not answer');
    expect((await customer.billing()).plan).toBe('growth');
  });

  test('or refuses: the operator hears of it, and nothing changes', async () => {
    const id = await customer.subscribed();
    await customer.patch({ plan: 'free' });
    provider.fault = { kind: 'status', status: 401 };
    await expect(customer.reconcile(id, Date.now())).rejects.toMatchObject({ name: 'ProviderError', kind: 'refused' });
    expect(await customer.billing()).toMatchObject({ plan: 'growth', subscription: { cancelAtNextBillingDate: true } });
  });
});
