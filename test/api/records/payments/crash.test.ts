import type { StartIntent } from '../../../../src/contracts/processes';
import { sweepOutbox } from '../../../../src/platform/outbox';
import { SubscriptionModel } from '../../../../src/records/payments/model';
import { restartForgotten } from '../../../../src/records/payments/forgotten';
import { aProject } from '../../../support/platform/app';
import { deliver } from '../../../support/servers/payment-provider';
import { aCustomer, aPaymentProvider, periodEnd } from '../../../support/calls/payments';
import { eventually } from '../../../support/platform/platform';
import { stored } from '../../../support/data/stored';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const provider = aPaymentProvider();
const app = aProject(() => ({ config: provider.env }));
const customer = aCustomer(app, provider);

/** The rows of the table in src/records/payments/subscriptions.ts that no other test shows. */
describe('killed', () => {
  const startedAfter = async (work: () => Promise<unknown>): Promise<StartIntent[]> => {
    app.processes.start.mockRejectedValue(new Error('Temporal is away'));
    await work();
    app.processes.start.mockReset();
    app.processes.start.mockResolvedValue(undefined);
    await sweepOutbox(app.core, new Date(Date.now() + 60_000));
    const wanted = app.processes.start.mock.calls.map(([intent]: [StartIntent]) => intent);
    return wanted.filter(({ workflow }) => workflow === 'subscription');
  };

  test('before the commit of a notification: nothing is there, and it is applied when it comes again', async () => {
    const { active } = await customer.pays('starter');
    const write = jest.spyOn(stored.outbox.collection, 'replaceOne').mockImplementationOnce(() => Promise.reject(new Error('killed')));
    expect((await deliver(app.url, active)).status).toBe(500);
    write.mockRestore();
    expect(await customer.billing()).toMatchObject({ plan: 'free', subscription: { id: null } });
    expect((await deliver(app.url, active)).status).toBe(200);
    expect((await customer.billing()).plan).toBe('starter');
  });

  test('after the commit of a notification, or while Temporal is away: the sweep starts the workflow, once for each change', async () => {
    let id = '';
    const started = await startedAfter(async () => {
      id = await customer.subscribed();
      await deliver(app.url, provider.renew(id));
    });
    expect((await customer.billing()).plan).toBe('growth');
    expect(started.map(({ workflowId }) => workflowId)).toEqual([`subscription/${id}`, `subscription/${id}`]);
    expect(await stored.outbox.count()).toBe(0);
  });

  test('after a downgrade, before its workflow is signalled: the sweep does it', async () => {
    const id = await customer.subscribed();
    await eventually('the outbox is empty', async () => (await stored.outbox.count()) === 0);
    const started = await startedAfter(() => customer.patch({ plan: 'free' }));
    expect(started).toMatchObject([{ workflowId: `subscription/${id}`, signal: 'subscriptionChanged' }]);
  });

  test('when the provider has taken a cancellation that is not recorded: it is asked again, and stays as it is', async () => {
    const id = await customer.subscribed();
    await customer.patch({ plan: 'free' });
    provider.faults.push({ kind: 'reset', after: true });
    await expect(customer.reconcile(id, Date.now())).rejects.toThrow('did not answer');
    expect(provider.get(id).cancel_at_next_billing_date).toBe(true);
    expect((await stored.subscriptions.one(id))?.cancelWantedAt).toEqual(expect.any(Date));
    await customer.reconcile(id, Date.now());
    expect(await stored.subscriptions.one(id)).toMatchObject({ cancelWantedAt: null, cancelAtNextBillingDate: true });
  });

  test('when the provider was asked how it stands, before that is stored: it is asked again', async () => {
    const id = await customer.subscribed();
    const end = periodEnd(provider, id);
    provider.renew(id);
    provider.at(end + HOUR);
    const write = jest.spyOn(SubscriptionModel, 'updateOne').mockImplementationOnce(() => Promise.reject(new Error('killed')) as never);
    await expect(customer.reconcile(id, end + HOUR)).rejects.toThrow('killed');
    write.mockRestore();
    expect((await stored.subscriptions.one(id))?.nextBillingAt?.getTime()).toBe(end);
    await customer.reconcile(id, end + HOUR);
    expect((await stored.subscriptions.one(id))?.nextBillingAt?.getTime()).toBe(end + 30 * DAY);
  });

  test('when the end of a period is recorded: the subscription is found over', async () => {
    const id = await customer.subscribed();
    await deliver(app.url, provider.happens('updated', id, { cancel_at_next_billing_date: true }));
    expect(await customer.reconcile(id, periodEnd(provider, id))).toBeNull();
    expect(await customer.reconcile(id, periodEnd(provider, id))).toBeNull();
    expect(provider.callsTo('GET', `/subscriptions/${id}`)).toHaveLength(1);
  });

  test('a workflow that was ended by hand is started again once its time is long past', async () => {
    const id = await customer.subscribed();
    const startedAt = async (now: number): Promise<string[]> => {
      app.processes.start.mockClear();
      await restartForgotten(app.core, new Date(now));
      return (app.processes.start.mock.calls as [StartIntent][]).map(([{ workflowId }]) => workflowId);
    };
    expect(await startedAt(periodEnd(provider, id))).not.toContain(`subscription/${id}`);
    expect(await startedAt(periodEnd(provider, id) + DAY)).toContain(`subscription/${id}`);
    await deliver(app.url, provider.happens('expired', id, { status: 'expired' }));
    expect(await startedAt(periodEnd(provider, id) + DAY)).not.toContain(`subscription/${id}`);
  });
});
