import * as billing from '../../src/records/billing';
import { endpoint, group } from '../http/endpoint';
import { Billing, Nothing, UpdateBilling } from './schemas';
import { fromUpdate, toBilling } from './view';

export const billingRoutes = group('Billing', [
  endpoint('GET /v1/billing', {
    operationId: 'getBilling',
    summary: 'Get usage, caps, plan and reputation',
    response: Billing,
    handle: async ({ ctx }) => toBilling(await billing.readBilling(ctx)),
  }),
  endpoint('PATCH /v1/billing', {
    operationId: 'updateBilling',
    summary: 'Change monthly caps, or downgrade to the free plan',
    request: { body: UpdateBilling },
    response: Nothing,
    audit: () => ['billing.update', null],
    handle: async ({ ctx, body }) => {
      await billing.patchBilling(ctx, fromUpdate(body));
      return {};
    },
  }),
]);
