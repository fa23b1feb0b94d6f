import type { z } from 'zod';
import {
  decideApproval,
  getApproval,
  linkTo,
  listApprovals,
  requestApproval,
  inParameters,
  screenUrl,
} from '../../src/marketing/approvals';
import type { ShownApproval, AskedApproval } from '../../src/marketing/approvals';
import type { Keep } from '../../src/platform/idempotency';
import { paged } from '../http/answers';
import { endpoint, extensions, listEndpoint } from '../http/endpoint';
import type { Audited } from '../http/endpoint';
import { answeredOnce, storedReply } from '../http/once';
import { IdParams } from '../http/pieces';
import { SEND_BODY_LIMIT } from '../send/schemas';
import { Approval, ApprovalLink, ApprovalQuery, CreateApproval, DecideApproval, RequestedApproval } from './schemas';
import { Readable } from 'node:stream';
import { stageImport } from '../../src/audience/lists';
import type { Context, Core } from '../../src/platform/core';
import { suppressionId } from '../../src/records/suppressions';
import { optionsOf } from '../campaigns/launch';
import type { Parameters, Approval as WireApproval } from './schemas';

const because = (action: Audited[0], id: string, { reason }: { readonly reason?: string | undefined }): Audited =>
  reason === undefined ? [action, id] : [action, id, reason];

export const approvalExtensions = extensions('Approvals', [
  endpoint('POST /v1/approvals', {
    operationId: 'createApproval',
    summary: 'Request an approval',
    description:
      'The operation is checked as if it were called, and carried out once a person has approved it. A forced launch says so in its summary, with the reason. Nobody can approve with the key that requested it. It is void if the campaign, the workflow, its segments or its templates have changed by then, or if its audience has by more than a tenth. What names people, such as the messages of a batch, is deleted once the approval is over.',
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
    request: { query: ApprovalQuery },
    response: Approval,
    list: 'cursor',
    handle: ({ ctx, core, query: { state = null }, page }) => paged(listApprovals(ctx, state, page), toApproval(core)),
  }),
  endpoint('GET /v1/approvals/{id}', {
    operationId: 'getApproval',
    summary: 'Get an approval',
    request: { params: IdParams },
    response: Approval,
    handle: async ({ ctx, core, params }) => toApproval(core)(await getApproval(ctx, params.id)),
  }),
  endpoint('POST /v1/approvals/{id}/approve', {
    operationId: 'approveApproval',
    summary: 'Approve what was requested',
    description: 'The answer does not wait until it is carried out: `state` and `result` say how it ended.',
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
    description: 'The key that requested it may reject it too, to withdraw it.',
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
    description: 'The link ends with the approval or with the decision. Opening it changes nothing; its page has a button.',
    request: { params: IdParams },
    response: ApprovalLink,
    audit: ({ params }) => ['approval.link', params.id],
    handle: async ({ ctx, by, params }) => {
      const { url, expiresAt } = await linkTo(ctx, params.id, by ?? '');
      return { url, expiresAt };
    },
  }),
]);

type Asked = z.output<typeof CreateApproval>;

/** Resolves to what is requested, as the core has it. */
const askedOf = async (ctx: Context, { operation, parameters, reason }: Asked, by: string): Promise<AskedApproval> => ({
  ...(await READERS[operation](parameters as never, ctx)),
  reason: reason ?? null,
  by,
});

type Read = Omit<AskedApproval, 'reason' | 'by'>;

/** Reads the parameters of each operation. The file of an import is stored by that. */
const READERS: { readonly [O in keyof Parameters]: (given: Parameters[O], ctx: Context) => Read | Promise<Read> } = {
  sendCampaign: ({ id, ...launch }) => ({
    request: {
      operation: 'sendCampaign',
      campaignId: id,
      options: optionsOf(launch),
      ...(launch.forceReason !== undefined && { forceReason: launch.forceReason }),
    },
    // Dates are read by now, and kept as they were written.
    parameters: { id, ...launch, ...(launch.scheduledFor && { scheduledFor: launch.scheduledFor.text }) },
  }),
  resumeCampaign: ({ id }) => ({ request: { operation: 'resumeCampaign', campaignId: id }, parameters: { id } }),
  updateWorkflow: (parameters) => ({ request: { operation: 'updateWorkflow', workflowId: parameters.id }, parameters }),
  sendBatch: ({ messages }) => ({ request: { operation: 'sendBatch' }, messages, parameters: {} }),
  deleteSuppression: (given, ctx) => {
    const id = suppressionId(ctx, given.id);
    return { request: { operation: 'deleteSuppression', suppressionId: id }, parameters: { id } };
  },
  async importContacts({ file, segmentId = null, columns = null, trigger }, ctx) {
    const job = await stageImport(ctx, Readable.from([Buffer.from(file)]), { segmentId, enrols: trigger, columns }).catch(
      (error: unknown) => {
        throw inParameters(error);
      },
    );
    const given = { ...(segmentId !== null && { segmentId }), ...(columns && { columns: columns.join(',') }), trigger };
    return { request: { operation: 'importContacts', job }, parameters: given };
  },
};

const toApproval =
  ({ config }: Pick<Core, 'config'>) =>
  (approval: ShownApproval): z.input<typeof WireApproval> => {
    const { _id, state, request, parameters, testMode, requestedBy, reason } = approval;
    const { createdAt, expiresAt, decidedAt, decidedBy, decisionReason, result } = approval;
    return {
      approvalId: _id,
      state,
      operation: request.operation,
      parameters: JSON.parse(parameters) as Record<string, unknown>,
      summary: summaryOf(approval),
      testMode,
      requestedBy,
      reason,
      link: screenUrl({ config }, _id),
      createdAt,
      expiresAt,
      decidedAt,
      decidedBy,
      decisionReason,
      result,
    };
  };

const summaryOf = ({ summary: { text, subject, recipients }, shown }: ShownApproval): z.input<typeof WireApproval>['summary'] => ({
  text,
  subject: subject ?? shown?.subject ?? null,
  recipients,
  first: shown?.first ?? [],
  excerpt: shown?.excerpt ?? null,
});
