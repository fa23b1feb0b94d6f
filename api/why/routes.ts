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
      'An extension of this implementation. About a campaign, a workflow or one e-mail, also for who got nothing and before a launch. Each judgement has the facts by which it was made; where none were recorded, those of now, marked as `now`.',
    request: { params: ContactParams, query: WhyQuery },
    response: Why,
    errors: ['invalid_state'],
    handle: async ({ ctx, params, query }) => toWhy(await whyOf(ctx, params.id, query)),
  }),
]);
