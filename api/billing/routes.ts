import * as billing from '../../src/records/billing';
import { endpoint } from '../http/endpoint';
import { Billing, Nothing, UpdateBilling } from './schemas';
import { fromUpdate, toBilling } from './view';

const tag = 'Billing';

export const billingRoutes = [
  endpoint({
    method: 'get',
    path: '/v1/billing',
    operationId: 'getBilling',
    summary: 'Usage, caps, plan and reputation',
    tag,
    response: Billing,
    handle: async ({ ctx }) => toBilling(await billing.readBilling(ctx)),
  }),
  endpoint({
    method: 'patch',
    path: '/v1/billing',
    operationId: 'updateBilling',
    summary: 'Change monthly caps, or downgrade to the free plan',
    tag,
    body: UpdateBilling,
    response: Nothing,
    audit: () => ['billing.update', null],
    handle: async ({ ctx, body }) => {
      await billing.patchBilling(ctx, fromUpdate(body));
      return {};
    },
  }),
];
