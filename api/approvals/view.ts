import type { z } from 'zod';
import { inParameters, screenUrl } from '../../src/marketing/approvals';
import { Readable } from 'node:stream';
import { stageImport } from '../../src/audience/lists';
import type { AskedApproval, ShownApproval } from '../../src/marketing/approvals';
import type { Context, Core } from '../../src/platform/core';
import { suppressionId } from '../../src/records/suppressions';
import { optionsOf } from '../campaigns/launch';
import type { CreateApproval, Parameters, Approval as WireApproval } from './schemas';

type Asked = z.output<typeof CreateApproval>;

/** Resolves to what is requested, as the core has it. */
export const askedOf = async (ctx: Context, { operation, parameters, reason }: Asked, by: string): Promise<AskedApproval> => ({
  ...(await READERS[operation](parameters as never, ctx)),
  reason: reason ?? null,
  by,
});

type Read = Omit<AskedApproval, 'reason' | 'by'>;

/** Reads the parameters of each operation. The file of an import is stored by that. */
const READERS: { readonly [O in keyof Parameters]: (given: Parameters[O], ctx: Context) => Read | Promise<Read> } = {
  sendCampaign: ({ id, ...launch }) => ({
    request: { operation: 'sendCampaign', campaignId: id, options: optionsOf(launch) },
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

export const toApproval =
  ({ config }: Pick<Core, 'config'>) =>
  (approval: ShownApproval): z.input<typeof WireApproval> => {
    const { _id, state, request, parameters, testMode, requestedBy, reason } = approval;
    const { createdAt, expiresAt, decidedAt, decidedBy, decisionReason, result } = approval;
    return {
      ...{ approvalId: _id, state, operation: request.operation, parameters: JSON.parse(parameters) as Record<string, unknown> },
      ...{ summary: summaryOf(approval), testMode, requestedBy, reason, link: screenUrl({ config }, _id) },
      ...{ createdAt: createdAt.toISOString(), expiresAt: expiresAt.toISOString() },
      ...{ decidedAt: decidedAt?.toISOString() ?? null, decidedBy, decisionReason, result },
    };
  };

const summaryOf = ({ summary: { text, subject, recipients }, shown }: ShownApproval): z.input<typeof WireApproval>['summary'] => ({
  ...{ text, subject: subject ?? shown?.subject ?? null, recipients },
  ...{ first: shown?.first ?? [], excerpt: shown?.excerpt ?? null },
});
