import { whyOf } from '../../src/marketing/why';
import { ContactParams } from '../contacts/schemas';
import { endpoint, group } from '../http/endpoint';
import { Why, WhyQuery } from './schemas';
import { toWhy } from './view';

export const whyExtensions = group('Extensions', [
  endpoint('GET /v1/contacts/{id}/why', {
    operationId: 'explainContact',
    summary: 'Explain why a contact got a message, or did not',
    description:
      'An extension of this implementation. Explains a campaign, a workflow or one e-mail. It also works before a launch, and for contacts that got nothing. Each judgement shows the facts it was based on. If none were recorded, it shows the current facts and `asOf` is `now`.',
    request: { params: ContactParams, query: WhyQuery },
    response: Why,
    errors: ['invalid_state'],
    handle: async ({ ctx, params, query }) => toWhy(await whyOf(ctx, params.id, query)),
  }),
]);
