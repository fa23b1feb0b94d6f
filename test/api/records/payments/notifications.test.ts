import { restartForgotten } from '../../../../src/records/payments/forgotten';
import { addUsage, monthOf } from '../../../../src/records/billing/usage';
import { inTransaction } from '../../../../src/platform/mongo/transaction';
import type { ProjectKeys } from '../../../../src/records/projects/service';
import { aProject } from '../../../support/platform/app';
import { PRODUCTS, SECRET, deliver } from '../../../support/servers/payment-provider';
import type { Delivery } from '../../../support/servers/payment-provider';
import type { Notification } from '../../../support/servers/payment-shapes';
import { queryPlans } from '../../../support/checks/query-plans';
import { stored } from '../../../support/data/stored';
import { aPaymentProvider } from '../../../support/calls/payments';
import { newProject } from '../../../support/data/projects';

const provider = aPaymentProvider();
const app = aProject(() => ({
  config: { ...provider.env, PLAN_QUOTA_FREE: '2', PLAN_QUOTA_STARTER: '4', DEV_VERIFIED_DOMAINS: 'hello.test' },
}));
let keys: ProjectKeys;

beforeEach(async () => {
  keys = await newProject('Customer');
});

const NONE = { id: null, status: null, plan: null, cancelAtNextBillingDate: false, nextBillingAt: null };

async function billing(of: ProjectKeys = keys) {
  const { body } = await app.api(of.secret).get('/v1/billing').expect(200);
  return { plan: body.data.plan, subscription: body.data.paymentsSubscription };
}

async function bought(plan: 'starter' | 'growth' = 'starter') {
  const { body } = await app.api(keys.secret).post('/api/payments/checkout').send({ plan }).expect(200);
  return provider.pay(String(body.data.sessionId));
}

const send = (notification: Notification, how?: Delivery) => deliver(app.url, notification, how);

const OK = { status: 200, body: { success: true, data: {} } };
const UNSIGNED = {
  status: 401,
  body: {
    success: false,
    code: 'unauthorized',
    error: 'The notification is not signed by the payment provider, or not within the last five minutes',
  },
};

describe('a subscription', () => {
  test('begins, is renewed, changes its plan, is held, comes back and ends, as the provider says', async () => {
    const { id, active } = await bought();
    expect(await billing()).toEqual({ plan: 'free', subscription: NONE });
    expect(await send(active)).toEqual(OK);
    const running = (plan: string) => ({
      plan,
      subscription: { id, status: 'active', plan, cancelAtNextBillingDate: false, nextBillingAt: provider.get(id).next_billing_date },
    });
    expect(await billing()).toEqual(running('starter'));
    await send(provider.renew(id));
    expect(await billing()).toEqual(running('starter'));
    await send(provider.happens('plan_changed', id, { product_id: PRODUCTS.growth }));
    expect(await billing()).toEqual(running('growth'));
    await send(provider.happens('past_due', id, { status: 'past_due' }));
    expect(await billing()).toEqual(running('growth'));
    const ended = {
      plan: 'free',
      subscription: { id, status: 'ended', plan: 'growth', cancelAtNextBillingDate: false, nextBillingAt: null },
    };
    await send(provider.happens('on_hold', id, { status: 'on_hold' }));
    expect(await billing()).toEqual(ended);
    await send(provider.happens('active', id, { status: 'active' }));
    expect(await billing()).toEqual(running('growth'));
    await send(provider.happens('cancelled', id, { status: 'cancelled' }));
    expect(await billing()).toEqual(ended);
  });

  test("is its project's alone", async () => {
    await send((await bought()).active);
    expect((await billing()).plan).toBe('starter');
    expect(await billing(app.keys)).toEqual({ plan: 'free', subscription: NONE });
    await app.api(app.keys.secret).patch('/v1/billing').send({ plan: 'free' }).expect(200);
    expect((await billing()).subscription.cancelAtNextBillingDate).toBe(false);
  });

  test('starts its workflow, and signals it with each change', async () => {
    const { id, active } = await bought();
    app.processes.start.mockClear();
    await send(active);
    await send(active);
    await send(provider.renew(id));
    expect(app.processes.start.mock.calls).toEqual([
      [expect.objectContaining({ workflow: 'subscription', workflowId: `subscription/${id}`, signal: 'subscriptionChanged', again: true })],
      [expect.objectContaining({ workflowId: `subscription/${id}`, input: { subscriptionId: id, projectId: keys.projectId } })],
    ]);
  });

  test('that never began is none', async () => {
    const { id } = await bought();
    await send(provider.happens('failed', id, { status: 'failed' }));
    expect(await billing()).toEqual({ plan: 'free', subscription: NONE });
  });

  test('takes the place of an older one, which is cancelled and runs out beside it', async () => {
    const first = await bought('growth');
    await send(first.active);
    const second = await bought('starter');
    await send(second.active);
    expect(await billing()).toMatchObject({
      plan: 'growth',
      subscription: { id: second.id, plan: 'starter', cancelAtNextBillingDate: false },
    });
    expect((await stored.subscriptions.one(first.id))?.cancelWantedAt).toEqual(expect.any(Date));
    await send(provider.happens('cancelled', first.id, { status: 'cancelled' }));
    expect(await billing()).toMatchObject({ plan: 'starter', subscription: { id: second.id } });
  });

  test('of two that begin at once, one stays', async () => {
    const both = [await bought(), await bought()];
    await Promise.all(both.map(({ active }) => send(active)));
    const wanted = await stored.subscriptions.all({ projectId: keys.projectId, cancelWantedAt: { $ne: null } });
    expect(wanted.map(({ _id }) => _id)).toEqual([both[0]?.id]);
    expect((await billing()).subscription.id).toBe(both[1]?.id);
  });
});

describe('a notification', () => {
  test('is applied once, however often it comes, at once or later', async () => {
    const { id, active } = await bought();
    const answers = await Promise.all(Array.from({ length: 5 }, () => send(active)));
    expect(answers).toEqual(Array(5).fill(OK));
    expect(await stored.paymentNotifications.count({ _id: active.id })).toBe(1);
    await send(provider.happens('cancelled', id, { status: 'cancelled' }));
    expect(await send(active)).toEqual(OK);
    expect(await billing()).toMatchObject({ plan: 'free', subscription: { status: 'ended' } });
  });

  test('that is older than what is known changes nothing: each order of four ends alike', async () => {
    const orders = [
      [0, 1, 2, 3],
      [3, 2, 1, 0],
      [2, 0, 3, 1],
      [1, 3, 0, 2],
    ];
    for (const order of orders) {
      keys = await newProject('Customer');
      const { id, active } = await bought();
      const story = [
        active,
        provider.happens('plan_changed', id, { product_id: PRODUCTS.growth }),
        provider.renew(id),
        provider.happens('cancelled', id, { status: 'cancelled' }),
      ];
      for (const index of order) expect(await send(story[index] as Notification)).toEqual(OK);
      expect(await billing()).toEqual({
        plan: 'free',
        subscription: { id, status: 'ended', plan: 'growth', cancelAtNextBillingDate: false, nextBillingAt: null },
      });
    }
  });

  test('that is unsigned, forged, altered or stale is refused and has no effect', async () => {
    const { active } = await bought();
    const other = `whsec_${Buffer.from('somebody else').toString('base64')}`;
    const minutesAgo = (minutes: number): Date => new Date(Date.now() - minutes * 60_000);
    const refused: Delivery[] = [
      { secret: other },
      { signedAt: minutesAgo(6) },
      { signedAt: minutesAgo(-6) },
      { body: JSON.stringify(active.body).replace('starter', 'growth') },
      { body: `${JSON.stringify(active.body)} ` },
      { headers: { 'webhook-signature': '' } },
      { headers: { 'webhook-signature': 'v1' } },
      { headers: { 'webhook-signature': 'v1a,abc' } },
      { headers: { 'webhook-id': 'another' } },
      { headers: { 'webhook-timestamp': 'now' } },
    ];
    for (const how of refused) expect([how, await send(active, how)]).toEqual([how, UNSIGNED]);
    expect(await billing()).toEqual({ plan: 'free', subscription: NONE });
    expect(await send(active, { signedAt: minutesAgo(4) })).toEqual(OK);
    expect((await billing()).plan).toBe('starter');
  });

  test('is good with one good signature among several, as while a secret is replaced', async () => {
    const { active } = await bought();
    const signedAt = new Date();
    const good = new (await import('standardwebhooks')).Webhook(SECRET).sign(active.id, signedAt, JSON.stringify(active.body));
    expect(await send(active, { signedAt, headers: { 'webhook-signature': `v1,AAAA ${good}` } })).toEqual(OK);
  });

  test('of another kind, of a product that is none of ours and of a project that is not here is acknowledged', async () => {
    const { id, active } = await bought();
    const payment = { id: 'msg_payment', body: { ...active.body, type: 'payment.succeeded', data: { payment_id: 'pay_1' } } };
    expect(await send(payment)).toEqual(OK);
    expect(await send({ id: 'msg_unknown', body: { ...active.body, type: 'moon.rose', data: {} } })).toEqual(OK);
    const elsewhere = { ...provider.get(id), metadata: { projectId: 'prj_elsewhere' } };
    expect(await send({ id: 'msg_elsewhere', body: { ...active.body, data: elsewhere } })).toEqual(OK);
    expect(await send({ id: 'msg_nowhere', body: { ...active.body, data: { ...elsewhere, metadata: {} } } })).toEqual(OK);
    expect(await send({ id: 'msg_product', body: { ...active.body, data: { ...provider.get(id), product_id: 'pdt_else' } } })).toEqual(OK);
    expect(await stored.subscriptions.count({ _id: id })).toBe(0);
    expect(await billing()).toEqual({ plan: 'free', subscription: NONE });
  });

  test('that is not of the form is refused, so that the provider sends it again', async () => {
    const { id, active } = await bought();
    const broken = { id: 'msg_broken', body: { ...active.body, data: { ...provider.get(id), status: 'dancing' } } };
    expect(await send(broken)).toMatchObject({ status: 422, body: { code: 'validation_error', details: [{ path: 'status' }] } });
    const operator = { id: 'msg_operator', body: { ...active.body, data: { ...provider.get(id), subscription_id: { $ne: null } } } };
    expect(await send(operator)).toMatchObject({ status: 422, body: { details: [{ path: 'subscription_id' }] } });
  });
});

describe('the quota of a plan', () => {
  const mail = () =>
    app
      .api(keys.secret)
      .post('/v1/send')
      .send({ to: 'grace@simulator.lettermill.test', from: 'a@hello.test', subject: 'S', text: 'T' })
      .expect(200);
  const used = (credits: number) =>
    inTransaction((session) => addUsage(session, keys.projectId, monthOf(new Date()), 'transactional', { messages: credits, credits }));

  test('stops sending, with a reason that names the kind of plan, until a larger one is bought', async () => {
    keys = app.keys;
    await used(2);
    expect((await mail()).body.data.results).toMatchObject([{ skipped: 'free_tier_exceeded' }]);
    const { id, active } = await bought();
    await send(active);
    expect((await mail()).body.data.results).toMatchObject([{ status: 'queued' }]);
    await used(1);
    expect((await mail()).body.data.results).toMatchObject([{ skipped: 'plan_quota_exceeded' }]);
    await send(provider.happens('plan_changed', id, { product_id: PRODUCTS.growth }));
    expect((await mail()).body.data.results).toMatchObject([{ status: 'queued' }]);
  });
});

test('subscriptions are read along indexes', async () => {
  const plans = [
    ...(await queryPlans('subscriptions', () => billing())),
    ...(await queryPlans('subscriptions', () => restartForgotten(app.core, new Date()))),
  ];
  expect(plans.map(({ plan }) => plan)).toEqual([
    expect.stringContaining('IXSCAN { projectId: 1 }'),
    expect.stringContaining('IXSCAN { dueAt: 1 }'),
  ]);
});
