import { contactIdFor } from '../../src/audience/contacts';
import { settleMarketing } from '../../src/audience/topics';
import * as suppressions from '../../src/records/suppressions';
import { reply, deleted, paged } from '../http/answers';
import { endpoint, group, listEndpoint } from '../http/endpoint';
import { Deleted } from '../http/pieces';
import { CreateSuppression, Suppression, SuppressionCheck, SuppressionParams, SuppressionQuery, SuppressionState } from './schemas';
import type { z } from 'zod';
import type { Suppression as StoredSuppression } from '../../src/records/suppressions';

export const suppressionRoutes = group('Suppressions', [
  listEndpoint('GET /v1/suppressions', {
    operationId: 'listSuppressions',
    summary: 'List suppressions, newest first',
    request: { query: SuppressionQuery },
    response: Suppression,
    list: 'cursor',
    handle: ({ ctx, query, page }) => paged(suppressions.listSuppressions(ctx, query, page), toSuppression),
  }),
  endpoint('POST /v1/suppressions', {
    operationId: 'createSuppression',
    summary: 'Suppress an address',
    description: 'If the address is already suppressed, the response is 200 with the unchanged record.',
    request: { body: CreateSuppression },
    status: [201, 200],
    response: Suppression,
    audit: ({ data, status }) => (status === 201 ? ['suppression.create', data.suppressionId] : null),
    handle: async ({ ctx, body }) => {
      const { suppression, added } = await suppressions.addSuppression(ctx, body);
      if (added)
        await settleMarketing(ctx.core, ctx.projectId, [{ contactId: contactIdFor(ctx.project, body.email), address: body.email }]);
      return reply(added ? 201 : 200, toSuppression(suppression));
    },
  }),
  endpoint('GET /v1/suppressions/check', {
    operationId: 'checkSuppression',
    summary: 'Check whether an address is suppressed',
    request: { query: SuppressionCheck },
    response: SuppressionState,
    handle: async ({ ctx, query }) => toState(await suppressions.findSuppression(ctx, query.email)),
  }),
  endpoint('GET /v1/suppressions/{id}', {
    operationId: 'getSuppression',
    summary: 'Get a suppression by id or address',
    description: 'An address that is not suppressed is a 200, not a 404.',
    request: { params: SuppressionParams, neverMissing: true },
    response: SuppressionState,
    handle: async ({ ctx, params }) => toState(await suppressions.findSuppression(ctx, params.id)),
  }),
  endpoint('DELETE /v1/suppressions/{id}', {
    operationId: 'deleteSuppression',
    summary: 'Remove a suppression by id or address',
    request: { params: SuppressionParams },
    response: Deleted,
    // An id that is derived from the address, where the address is given.
    audit: ({ ctx, params }) => ['suppression.delete', suppressions.suppressionId(ctx, params.id)],
    handle: ({ ctx, params }) => deleted(suppressions.liftSuppression(ctx, params.id)),
  }),
]);

const toSuppression = ({ _id, ...suppression }: StoredSuppression): z.input<typeof Suppression> => ({
  suppressionId: _id,
  ...suppression,
});

/** Says whether an address is suppressed, with the suppression if it is. */
const toState = (suppression: StoredSuppression | null): z.input<typeof SuppressionState> => ({
  suppressed: suppression !== null,
  suppression: suppression && toSuppression(suppression),
});
