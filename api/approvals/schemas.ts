import { z } from 'zod';
import { APPROVAL_STATES } from '../../src/contracts/approval';
import { APPROVABLE } from '../../src/marketing/approvals';
import { launchWith } from '../campaigns/launch';
import { because, id, json, oneLine, optionalText, optionalTimestamp, replay, timestamp } from '../http/pieces';

const reason = oneLine(500, 1);
const REASON = 'Why; the person who decides reads it';

const parameters = launchWith({
  id: id.meta({ description: 'The campaign or the workflow' }),
  status: z.literal('active').optional().meta({ description: 'Required with `updateWorkflow`, and only there' }),
}).meta({ description: 'The path parameters of the operation and the members of its body, side by side' });

type Parameters = z.output<typeof parameters>;

/** Returns whether nothing but the id and the status is given. */
const isActivation = ({ id: _id, status, ...launch }: Partial<Parameters>): boolean =>
  status === 'active' && Object.keys(launch).length === 0;

export const CreateApproval = z
  .strictObject({
    operation: z.enum(APPROVABLE).meta({ description: 'The operation that is to be carried out' }),
    parameters,
    reason: reason.optional().meta({ description: REASON }),
  })
  .refine(
    ({ operation, parameters: given }) => operation !== 'updateWorkflow' || isActivation(given),
    because('invalid_combination', 'An approval can only activate a workflow: give `id` and `status: "active"`', ['parameters', 'status']),
  )
  .refine(
    ({ operation, parameters: given }) => operation !== 'sendCampaign' || given.status === undefined,
    because('invalid_combination', 'Only with `updateWorkflow`', ['parameters', 'status']),
  );

export const DecideApproval = z.strictObject({
  reason: reason.optional().meta({ description: 'The reason; stored with the approval' }),
});

export const ApprovalQuery = z.object({
  state: z.enum(APPROVAL_STATES).optional().meta({ description: 'Only approvals in this state' }),
});

const Summary = z
  .object({
    text: z.string().meta({ description: 'A sentence that says what will happen' }),
    subject: optionalText.meta({ description: 'The subject of the mail' }),
    recipients: z
      .int()
      .nullable()
      .meta({ description: 'How many contacts it would reach when it was requested; null if it cannot be counted' }),
  })
  .meta({ id: 'ApprovalSummary', description: 'The text that a person reads before deciding' });

const Result = z
  .object({
    code: optionalText.meta({ description: 'The error code; `changed` if the approval is void; null if it was carried out' }),
    message: z.string(),
  })
  .meta({ id: 'ApprovalResult', description: 'How it ended' });

export const Approval = z
  .object({
    approvalId: z.string().meta({ description: 'The id of the approval' }),
    state: z.enum(APPROVAL_STATES).meta({
      description: '`approved`: not carried out yet; `failed`: the operation refused it; `void`: what it was for has changed meanwhile',
    }),
    operation: z.enum(APPROVABLE).meta({ description: 'The operation that is carried out once it is approved' }),
    parameters: json.meta({ description: 'As they were given' }),
    summary: Summary,
    testMode: z.boolean(),
    requestedBy: z.string().meta({ description: 'The key, as the audit names it' }),
    reason: optionalText,
    link: z.string().meta({ description: 'Its page in the console, which needs a sign-in' }),
    createdAt: timestamp,
    expiresAt: timestamp.meta({ description: 'When it expires without a decision' }),
    decidedAt: optionalTimestamp.meta({ description: 'When it was approved or rejected' }),
    decidedBy: optionalText.meta({ description: 'The key or the session, as the audit names it; `link` for a decision by a link' }),
    decisionReason: optionalText.meta({ description: 'The reason that was given with the decision' }),
    result: Result.nullable().meta({ description: 'Null until it was carried out, failed or found void' }),
  })
  .meta({ id: 'Approval', description: 'An operation that a person has to approve' });

export const RequestedApproval = Approval.extend({ replay }).meta({
  id: 'RequestedApproval',
  description: 'An approval that was requested',
});

export const ApprovalLink = z
  .object({
    url: z.string().meta({ description: 'The page on which one person decides, once and without a sign-in' }),
    expiresAt: timestamp.meta({ description: 'When the approval expires, and the link with it' }),
  })
  .meta({ id: 'ApprovalLink', description: 'A link by which one person decides' });
