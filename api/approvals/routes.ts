import type { z } from 'zod';
import { decideApproval, getApproval, linkTo, listApprovals, requestApproval } from '../../src/marketing/approvals';
import type { ShownApproval } from '../../src/marketing/approvals';
import type { Keep } from '../../src/platform/idempotency';
import { paged } from '../http/answers';
import { endpoint, group, listEndpoint } from '../http/endpoint';
import type { Audited } from '../http/endpoint';
import { answeredOnce, storedReply } from '../http/once';
import { IdParams } from '../http/pieces';
import { SEND_BODY_LIMIT } from '../send/schemas';
import { Approval, ApprovalLink, ApprovalQuery, CreateApproval, DecideApproval, RequestedApproval } from './schemas';
import { askedOf, toApproval } from './view';

const EXTENSION = 'An extension of this implementation.';

const because = (action: Audited[0], id: string, { reason }: { readonly reason?: string | undefined }): Audited =>
  reason === undefined ? [action, id] : [action, id, reason];

export const approvalExtensions = group('Approvals', [
  endpoint('POST /v1/approvals', {
    operationId: 'createApproval',
    summary: 'Request an approval',
    description: `${EXTENSION} The operation is checked as if it were called, and carried out once a person has approved it. Nobody can approve with the key that requested it. It is void if the campaign, the workflow, its segments or its templates have changed by then, or if its audience has by more than a tenth. What names people, such as the messages of a batch, is deleted once the approval is over.`,
    request: { body: CreateApproval },
    status: 201,
    response: RequestedApproval,
    idempotent: { replay: (ctx, idempotency) => storedReply<z.input<typeof Approval>>(ctx, idempotency, 201) },
    errors: ['invalid_state', 'limit_exceeded', 'send_failed'],
    limits: { bodyBytes: SEND_BODY_LIMIT },
    audit: ({ data, body }) => because('approval.create', data.approvalId, body),
    handle: ({ ctx, by, core, body, idempotency }) => {
      const request = async (keep: Keep<ShownApproval>) => requestApproval(ctx, await askedOf(ctx, body, by ?? ''), keep);
      return answeredOnce(ctx, idempotency, { status: 201, present: toApproval(core) }, request);
    },
  }),
  listEndpoint('GET /v1/approvals', {
    operationId: 'listApprovals',
    summary: 'List approvals, newest first',
    description: EXTENSION,
    request: { query: ApprovalQuery },
    response: Approval,
    list: 'cursor',
    handle: ({ ctx, core, query: { state = null }, page }) => paged(listApprovals(ctx, state, page), toApproval(core)),
  }),
  endpoint('GET /v1/approvals/{id}', {
    operationId: 'getApproval',
    summary: 'Get an approval',
    description: EXTENSION,
    request: { params: IdParams },
    response: Approval,
    handle: async ({ ctx, core, params }) => toApproval(core)(await getApproval(ctx, params.id)),
  }),
  endpoint('POST /v1/approvals/{id}/approve', {
    operationId: 'approveApproval',
    summary: 'Approve what was requested',
    description: `${EXTENSION} The answer does not wait until it is carried out: \`state\` and \`result\` say how it ended.`,
    request: { params: IdParams, body: DecideApproval },
    response: Approval,
    errors: ['invalid_state'],
    audit: ({ params, body }) => because('approval.approve', params.id, body),
    handle: async ({ ctx, by, core, params, body: { reason = null } }) =>
      toApproval(core)(await decideApproval(ctx, params.id, { verdict: 'approved', reason, by: by ?? '' })),
  }),
  endpoint('POST /v1/approvals/{id}/reject', {
    operationId: 'rejectApproval',
    summary: 'Reject what was requested',
    description: `${EXTENSION} The key that requested it may reject it too, to withdraw it.`,
    request: { params: IdParams, body: DecideApproval },
    response: Approval,
    errors: ['invalid_state'],
    audit: ({ params, body }) => because('approval.reject', params.id, body),
    handle: async ({ ctx, by, core, params, body: { reason = null } }) =>
      toApproval(core)(await decideApproval(ctx, params.id, { verdict: 'rejected', reason, by: by ?? '' })),
  }),
  endpoint('POST /v1/approvals/{id}/link', {
    operationId: 'createApprovalLink',
    summary: 'Create a link by which one person decides without a sign-in',
    description: `${EXTENSION} The link ends with the approval or with the decision. Opening it changes nothing; its page has a button.`,
    request: { params: IdParams },
    response: ApprovalLink,
    audit: ({ params }) => ['approval.link', params.id],
    handle: async ({ ctx, by, params }) => {
      const { url, expiresAt } = await linkTo(ctx, params.id, by ?? '');
      return { url, expiresAt: expiresAt.toISOString() };
    },
  }),
]);
