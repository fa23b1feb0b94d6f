import { checkoutWorkflowId, subscriptionWorkflowId } from '../../../../src/contracts/payments';
import { PRODUCTS, deliver } from '../../../support/servers/payment-provider';
import type { Notification } from '../../../support/servers/payment-shapes';
import { eventually } from '../../../support/platform/platform';
import { aSkippingPlatform } from '../../../support/platform/skipping';
import { stored } from '../../../support/data/stored';
import { aPaymentProvider } from '../../../support/calls/payments';
import { aFreshProject } from '../../../support/data/projects';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const provider = aPaymentProvider();
const platform = aSkippingPlatform(() => provider.env);
const keys = aFreshProject('Customer');
const call = (method: string, route: string, body?: unknown) => platform.call(method, route, body, keys.secret);

beforeEach(async () => {
  provider.at(await platform.env.currentTimeMs());
});
afterEach(async () => {
  provider.fault = null;
  for (const { subscription_id: id, status } of provider.subscriptions.values()) {
    if (status !== 'expired') await send(provider.happens('expired', id, { status: 'expired' }));
    await over(id);
  }
});

const billing = async (): Promise<Record<string, unknown>> => (await call('GET', '/v1/billing')).data;
/** Whether a workflow has nothing to do before its timer fires. */
async function rests(id: string): Promise<boolean> {
  const last = (await workflow(id).fetchHistory()).events?.at(-1);
  return Boolean(last?.timerStartedEventAttributes ?? last?.workflowExecutionCompletedEventAttributes);
}

/** Resolves when the notification's workflow has done with it: the test server hangs when time is skipped to a timer that a signal is about to cancel. */
const send = async (notification: Notification): Promise<void> => {
  expect((await deliver(platform.url, notification)).status).toBe(200);
  const { subscription_id: id } = notification.body.data as { readonly subscription_id: string };
  await eventually('its workflow was signalled', async () => (await stored.outbox.count()) === 0);
  await eventually('its workflow rests', () => rests(id));
};

/** Opens a session. Resolves to its id. */
async function opened(plan: 'starter' | 'growth' = 'starter'): Promise<string> {
  const { data } = await call('POST', '/api/payments/checkout', { plan });
  return String(data['sessionId']);
}

async function subscribed(plan: 'starter' | 'growth' = 'starter'): Promise<string> {
  const { id, active } = provider.pay(await opened(plan));
  await send(active);
  return id;
}

const purchase = (sessionId: string) => platform.env.client.workflow.getHandle(checkoutWorkflowId(sessionId));
const workflow = (id: string) => platform.env.client.workflow.getHandle(subscriptionWorkflowId(id));

const over = (id: string) => eventually('its workflow is over', async () => (await workflow(id).describe()).status.name === 'COMPLETED');

/** Lets time pass at the provider and here. */
async function pass(ms: number): Promise<void> {
  provider.at((await platform.env.currentTimeMs()) + ms);
  await platform.env.sleep(ms);
}

/** Lets time pass to the end of the period that is paid for, and a little more: not so much that the provider would be asked. */
const passPeriod = async (id: string): Promise<void> =>
  pass(Date.parse(provider.get(id).next_billing_date) + MINUTE - (await platform.env.currentTimeMs()));

/** What was due by now is done. */
const dueIsDone = (id: string) =>
  eventually('what was due is done', async () => {
    const due = (await stored.subscriptions.one(id))?.dueAt;
    return due === null || (due && due.getTime() > provider.time);
  });

test('a year of renewals, none of them announced, keeps the plan; the provider is asked once for each', async () => {
  const id = await subscribed();
  for (let month = 1; month <= 12; month++) {
    await passPeriod(id);
    provider.renew(id);
    await pass(2 * HOUR);
    await dueIsDone(id);
    expect(await billing()).toMatchObject({ plan: 'starter', paymentsSubscription: { nextBillingAt: provider.get(id).next_billing_date } });
  }
  expect(provider.callsTo('GET', `/subscriptions/${id}`).length).toBe(12);
});

test('renewals that are announced cost no question', async () => {
  const id = await subscribed();
  for (let month = 1; month <= 3; month++) {
    await passPeriod(id);
    await send(provider.renew(id));
    await pass(2 * HOUR);
  }
  expect((await billing())['plan']).toBe('starter');
  expect(provider.callsTo('GET', `/subscriptions/${id}`)).toHaveLength(0);
});

test('a downgrade is carried to the provider, and the plan drops when the period ends, with the provider away', async () => {
  const id = await subscribed('growth');
  expect((await call('PATCH', '/v1/billing', { plan: 'free' })).status).toBe(200);
  await eventually('the provider knows', () => provider.get(id).cancel_at_next_billing_date);
  await pass(29 * DAY);
  expect(await billing()).toMatchObject({ plan: 'growth', paymentsSubscription: { status: 'active', cancelAtNextBillingDate: true } });
  provider.fault = { kind: 'reset' };
  await pass(DAY + HOUR);
  await workflow(id).result();
  expect(await billing()).toMatchObject({ plan: 'free', paymentsSubscription: { id, status: 'ended' } });
});

test('a downgrade while the provider is away for hours is carried out when it is back', async () => {
  const id = await subscribed();
  provider.fault = { kind: 'status', status: 503 };
  await call('PATCH', '/v1/billing', { plan: 'free' });
  await pass(3 * HOUR);
  expect(provider.get(id).cancel_at_next_billing_date).toBe(false);
  provider.fault = null;
  await pass(HOUR);
  await eventually('the provider knows', () => provider.get(id).cancel_at_next_billing_date);
  await pass(30 * DAY);
  await workflow(id).result();
  expect((await billing())['plan']).toBe('free');
});

test('a payment that fails without a word takes the plan, one that is mended gives it back, and the end ends the workflow', async () => {
  const id = await subscribed();
  await passPeriod(id);
  provider.happens('on_hold', id, { status: 'on_hold' });
  await pass(2 * HOUR);
  await eventually('the plan is gone', async () => (await billing())['plan'] === 'free');
  provider.happens('active', id, { status: 'active', product_id: PRODUCTS.growth });
  await pass(DAY + HOUR);
  await eventually('the plan is back', async () => (await billing())['plan'] === 'growth');
  await send(provider.happens('cancelled', id, { status: 'cancelled' }));
  await over(id);
  expect(await billing()).toMatchObject({ plan: 'free', paymentsSubscription: { status: 'ended', plan: 'growth' } });
});

test('a purchase of which no notification ever comes is found within the quarter of an hour, and looked after from then on', async () => {
  const sessionId = await opened('growth');
  const { id } = provider.pay(sessionId);
  const { searchAttributes } = await eventually('its workflow runs', () => purchase(sessionId).describe());
  expect(searchAttributes['ProjectId']).toEqual([keys.projectId]);
  await pass(15 * MINUTE);
  await purchase(sessionId).result();
  expect(await billing()).toMatchObject({ plan: 'growth', paymentsSubscription: { id, status: 'active' } });
  await passPeriod(id);
  provider.renew(id);
  await pass(2 * HOUR);
  await dueIsDone(id);
  expect(await billing()).toMatchObject({ paymentsSubscription: { nextBillingAt: provider.get(id).next_billing_date } });
});

test('one that is paid after twenty hours, with the provider away for some of them, is found too', async () => {
  const sessionId = await opened();
  await pass(20 * HOUR);
  provider.fault = { kind: 'status', status: 503 };
  const { id } = provider.pay(sessionId);
  await pass(6 * HOUR);
  expect((await billing())['plan']).toBe('free');
  provider.fault = null;
  await pass(HOUR);
  await purchase(sessionId).result();
  expect(await billing()).toMatchObject({ plan: 'starter', paymentsSubscription: { id } });
});

test('a session that is never paid is asked about a dozen times in a day, and ends without a trace', async () => {
  const sessionId = await opened();
  await pass(26 * HOUR);
  await purchase(sessionId).result();
  expect(provider.callsTo('GET', `/checkouts/${sessionId}`)).toHaveLength(12);
  expect(await stored.checkouts.one(sessionId)).toBeNull();
  expect(await billing()).toMatchObject({ plan: 'free', paymentsSubscription: { id: null } });
});
