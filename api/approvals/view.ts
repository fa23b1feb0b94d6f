import type { z } from 'zod';
import { screenUrl } from '../../src/marketing/approvals';
import type { Approval, ApprovalRequest } from '../../src/marketing/approvals';
import type { Core } from '../../src/platform/core';
import { optionsOf } from '../campaigns/launch';
import type { CreateApproval, Approval as WireApproval } from './schemas';

type Asked = z.output<typeof CreateApproval>;

/** Returns what is requested, as the core has it. */
export const requestOf = ({ operation, parameters: { id, status: _status, ...launch } }: Asked): ApprovalRequest =>
  operation === 'updateWorkflow' ? { operation, workflowId: id } : { operation, campaignId: id, options: optionsOf(launch) };

/** Returns the parameters as they were given: dates are read by then. */
export const givenOf = ({ parameters: { scheduledFor, ...parameters } }: Asked): Readonly<Record<string, unknown>> => ({
  ...parameters,
  ...(scheduledFor && { scheduledFor: scheduledFor.text }),
});

export const toApproval =
  ({ config }: Pick<Core, 'config'>) =>
  (approval: Approval): z.input<typeof WireApproval> => {
    const { _id, state, request, parameters, summary, testMode, requestedBy, reason } = approval;
    const { createdAt, expiresAt, decidedAt, decidedBy, decisionReason, result } = approval;
    return {
      ...{ approvalId: _id, state, operation: request.operation, parameters: JSON.parse(parameters) as Record<string, unknown> },
      ...{ summary, testMode, requestedBy, reason, link: screenUrl({ config }, _id) },
      ...{ createdAt: createdAt.toISOString(), expiresAt: expiresAt.toISOString() },
      ...{ decidedAt: decidedAt?.toISOString() ?? null, decidedBy, decisionReason, result },
    };
  };
