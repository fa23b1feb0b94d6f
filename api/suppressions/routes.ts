import * as suppressions from '../../src/records/suppressions';
import { endpoint, reply } from '../http/endpoint';
import { Deleted } from '../http/pieces';
import { CreateSuppression, Suppression, SuppressionCheck, SuppressionParams, SuppressionQuery, SuppressionState } from './schemas';
import { toState, toSuppression } from './view';

const tag = 'Suppressions';

export const suppressionRoutes = [
  endpoint({
    method: 'get',
    path: '/v1/suppressions',
    operationId: 'listSuppressions',
    summary: 'List suppressions, newest first',
    tag,
    query: SuppressionQuery,
    response: Suppression,
    list: 'cursor',
    handle: async ({ ctx, query, page }) => {
      const { rows, next } = await suppressions.listSuppressions(ctx, query, page);
      return { rows: rows.map(toSuppression), next };
    },
  }),
  endpoint({
    method: 'post',
    path: '/v1/suppressions',
    operationId: 'createSuppression',
    summary: 'Suppress an address',
    description: 'If the address is already suppressed, the response is 200 with the unchanged record.',
    tag,
    status: 201,
    mayBeThere: true,
    body: CreateSuppression,
    response: Suppression,
    audit: ({ data, status }) => (status === 201 ? ['suppression.create', data.suppressionId] : null),
    handle: async ({ ctx, body }) => {
      const { suppression, added } = await suppressions.addSuppression(ctx, body);
      return reply(added ? 201 : 200, toSuppression(suppression));
    },
  }),
  endpoint({
    method: 'get',
    path: '/v1/suppressions/check',
    operationId: 'checkSuppression',
    summary: 'Check whether an address is suppressed',
    tag,
    query: SuppressionCheck,
    response: SuppressionState,
    handle: async ({ ctx, query }) => toState(await suppressions.findSuppression(ctx, query.email)),
  }),
  endpoint({
    method: 'get',
    path: '/v1/suppressions/{id}',
    operationId: 'getSuppression',
    summary: 'Get a suppression by id or address',
    description: 'An address that is not suppressed is a 200, not a 404.',
    tag,
    neverMissing: true,
    params: SuppressionParams,
    response: SuppressionState,
    handle: async ({ ctx, params }) => toState(await suppressions.findSuppression(ctx, params.id)),
  }),
  endpoint({
    method: 'delete',
    path: '/v1/suppressions/{id}',
    operationId: 'deleteSuppression',
    summary: 'Remove a suppression by id or address',
    tag,
    params: SuppressionParams,
    response: Deleted,
    // An id that is derived from the address, where the address is given.
    audit: ({ ctx, params }) => ['suppression.delete', suppressions.suppressionId(ctx, params.id)],
    handle: async ({ ctx, params }) => {
      await suppressions.liftSuppression(ctx, params.id);
      return { success: true as const };
    },
  }),
];
