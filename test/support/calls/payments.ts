import { OutboxModel } from '../../../src/platform/outbox';
import type { ProviderOutlook } from '../../../src/contracts/payments';
import { reconcileSubscription } from '../../../src/records/payments/reconcile';
import { createProject } from '../../../src/records/projects/service';
import type { ProjectKeys } from '../../../src/records/projects/service';
import type { TestApp } from '../platform/app';
import { forEachTest, forTheFile } from '../run/for-the-file';
import { PaymentProvider, deliver } from '../servers/payment-provider';

/** A project, and what it and its workflow do about paid plans. */
export interface Customer {
  readonly keys: ProjectKeys;
  billing(): Promise<Readonly<Record<'plan' | 'limit' | 'subscription', unknown>>>;
  patch(change: object): Promise<void>;
  /** Opens a session and pays it. */
  pays(plan: 'starter' | 'growth'): Promise<ReturnType<PaymentProvider['pay']>>;
  /** Does so, and the provider reports it. Resolves to the subscription's id. */
  subscribed(plan?: 'starter' | 'growth'): Promise<string>;
  /** Runs the activity of the subscription's workflow at that time. */
  reconcile(subscriptionId: string, now: number): Promise<ProviderOutlook | null>;
}

/** A new customer of an app with nothing left to do, and with a Temporal that takes everything. */
export async function newCustomer(app: TestApp, provider: PaymentProvider): Promise<Customer> {
  await OutboxModel.deleteMany({});
  app.processes.start.mockReset();
  app.processes.start.mockResolvedValue(undefined);
  const keys = await createProject('Customer');
  const api = app.api(keys.secret);
  const pays: Customer['pays'] = async (plan) => {
    const { body } = await api.post('/api/payments/checkout').send({ plan }).expect(200);
    return provider.pay(String(body.data.sessionId));
  };
  return {
    keys,
    pays,
    async billing() {
      const { body } = await api.get('/v1/billing').expect(200);
      return { plan: body.data.plan, limit: body.data.limit, subscription: body.data.paymentsSubscription };
    },
    async patch(change) {
      const { body } = await api.patch('/v1/billing').send(change).expect(200);
      expect(body).toEqual({ success: true, data: {} });
    },
    async subscribed(plan = 'growth') {
      const { id, active } = await pays(plan);
      await deliver(app.url, active);
      return id;
    },
    reconcile: (subscriptionId, now) => reconcileSubscription(app.core, { subscriptionId, projectId: keys.projectId, now }),
  };
}

/** The instant at which the period ends that is paid for. */
export const periodEnd = (provider: PaymentProvider, id: string): number => Date.parse(provider.get(id).next_billing_date);

/** A payment provider for the tests of a file. */
export const aPaymentProvider = (): PaymentProvider =>
  forTheFile(
    () => PaymentProvider.start(),
    (provider) => provider.stop(),
  );

/** Another customer of an app for each test of a file. */
export const aCustomer = (app: TestApp, provider: PaymentProvider): Customer => forEachTest(() => newCustomer(app, provider));
