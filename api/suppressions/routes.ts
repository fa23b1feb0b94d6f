import { contactIdFor } from '../../src/audience/contacts';
import { settleMarketing } from '../../src/audience/topics';
import * as suppressions from '../../src/records/suppressions';
import { reply, deleted, paged } from '../http/answers';
import { endpoint, extensions, group, listEndpoint } from '../http/endpoint';
import { updated } from '../http/audit';
import { Deleted } from '../http/pieces';
import {
  CreateSuppression,
  ImportSuppressions,
  ImportedSuppressions,
  Suppression,
  SuppressionCheck,
  SuppressionParams,
  SuppressionQuery,
  SuppressionState,
  UpdateSuppression,
} from './schemas';
import type { z } from 'zod';
import type { Context } from '../../src/platform/core';
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
      if (added) await settle(ctx, [body]);
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

export const suppressionExtensions = extensions('Extensions', [
  endpoint('PATCH /v1/suppressions/{id}', {
    operationId: 'updateSuppression',
    summary: 'Change the note of a suppression, by id or address',
    request: { params: SuppressionParams, body: UpdateSuppression },
    response: Suppression,
    audit: ({ ctx, params, body }) => updated('suppression', suppressions.suppressionId(ctx, params.id), body),
    handle: async ({ ctx, params, body }) => toSuppression(await suppressions.noteSuppression(ctx, params.id, body.note)),
  }),
  endpoint('POST /v1/suppressions/import', {
    operationId: 'importSuppressions',
    summary: 'Suppress up to 1,000 addresses, each with its reason and note',
    description:
      'An address that is already suppressed keeps its record as it is, so repeating the request changes nothing. If one entry is invalid, nothing is imported, and `details` names every invalid entry, such as `suppressions.3.email`.',
    request: { body: ImportSuppressions },
    response: ImportedSuppressions,
    audit: ({ data }) => (data.added > 0 ? ['suppression.import', null] : null),
    handle: async ({ ctx, body: { suppressions: rows } }) => {
      const added = await suppressions.importSuppressions(ctx, rows);
      await settle(ctx, rows);
      return { added, unchanged: rows.length - added };
    },
  }),
]);

/** Takes back the marketing mail that waits for suppressed addresses. */
const settle = (ctx: Context, given: readonly { readonly email: string }[]): Promise<void> =>
  settleMarketing(
    ctx.core,
    ctx.projectId,
    given.map(({ email }) => ({ contactId: contactIdFor(ctx.project, email), address: email })),
  );

const toSuppression = ({ _id, note, ...suppression }: StoredSuppression): z.input<typeof Suppression> => ({
  suppressionId: _id,
  ...suppression,
  ...(note && { note }),
});

/** Says whether an address is suppressed, with the suppression if it is. */
const toState = (suppression: StoredSuppression | null): z.input<typeof SuppressionState> => ({
  suppressed: suppression !== null,
  suppression: suppression && toSuppression(suppression),
});
