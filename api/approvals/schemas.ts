import { z } from 'zod';
import { APPROVAL_STATES } from '../../src/contracts/approval';
import { APPROVABLE } from '../../src/marketing/approvals';
import { launchWith } from '../campaigns/launch';
import { fault, id, idOrAddress, json, oneLine, optionalText, optionalTimestamp, replay, timestamp } from '../http/pieces';
import { ImportQuery } from '../contacts/schemas';
import { SendBatch } from '../send/schemas';

const reason = oneLine(500, 1);
const REASON = 'Why; the person who decides reads it';

/** Characters of a file: the body holds 10 MiB. */
const MOST_CHARACTERS = 5_000_000;

const campaign = launchWith({ id: id.meta({ description: 'The campaign' }) }).meta({
  id: 'CampaignToApprove',
  description: 'The campaign to send, and when and how',
});

const activation = z
  .strictObject({ id: id.meta({ description: 'The workflow' }), status: z.literal('active') })
  .meta({ id: 'WorkflowToApprove', description: 'The workflow to activate' });

const batch = SendBatch.meta({ id: 'BatchToApprove', description: 'Messages to send, all of them or none' });

const suppression = z
  .strictObject({ id: idOrAddress.meta({ description: 'The id of the suppression, or the address' }) })
  .meta({ id: 'SuppressionToApprove', description: 'The suppression to remove, by its id or address' });

const contacts = z
  .strictObject({
    file: z.string().min(1).max(MOST_CHARACTERS).meta({ description: 'The CSV file itself: a header line, and at most 10,000 rows' }),
    segmentId: ImportQuery.shape.segmentId,
    columns: ImportQuery.shape.columns,
    trigger: z.boolean().default(false).meta({ description: 'Whether contact events of the import can enroll contacts in workflows' }),
  })
  .meta({ id: 'ImportToApprove', description: 'Contacts to import' });

/** Parameters by operation. */
export interface Parameters {
  readonly sendCampaign: z.output<typeof campaign>;
  readonly resumeCampaign: z.output<typeof campaign>;
  readonly updateWorkflow: z.output<typeof activation>;
  readonly sendBatch: z.output<typeof batch>;
  readonly deleteSuppression: z.output<typeof suppression>;
  readonly importContacts: z.output<typeof contacts>;
}

type Operation = keyof Parameters;

/** The member by which the parameters of an operation differ from all others. */
const MARKS: Readonly<Partial<Record<Operation, string>>> = { updateWorkflow: 'status', sendBatch: 'messages', importContacts: 'file' };

/** Returns the faults of parameters that are meant for another operation. */
function checkParameters(operation: Operation, given: object, ctx: z.RefinementCtx): void {
  const mark = MARKS[operation];
  if (mark !== undefined) {
    if (!(mark in given)) fault(ctx, 'invalid_combination', `Required with \`${operation}\``, ['parameters', mark]);
    return;
  }
  const foreign = Object.keys(given).filter(
    (name) => Object.values(MARKS).includes(name) || (operation !== 'sendCampaign' && name !== 'id'),
  );
  for (const name of foreign) fault(ctx, 'invalid_combination', `Not allowed with \`${operation}\``, ['parameters', name]);
  if (operation !== 'deleteSuppression' && 'id' in given && String(given.id).includes('@'))
    fault(ctx, 'invalid_string', 'Not an id', ['parameters', 'id']);
}

export const CreateApproval = z
  .strictObject({
    operation: z.enum(APPROVABLE).meta({ description: 'The operation that is to be carried out' }),
    parameters: z
      .union([campaign, activation, batch, suppression, contacts])
      .meta({ description: 'The path parameters of the operation and the members of its body, side by side' }),
    reason: reason.optional().meta({ description: REASON }),
  })
  .superRefine(({ operation, parameters }, ctx) => checkParameters(operation, parameters, ctx));

export const DecideApproval = z.strictObject({
  reason: reason.optional().meta({ description: 'The reason; stored with the approval' }),
});

export const ApprovalQuery = z.object({
  state: z.enum(APPROVAL_STATES).optional().meta({ description: 'Only approvals in this state' }),
});

const Summary = z
  .object({
    text: z.string().meta({ description: 'A sentence that says what will happen' }),
    subject: optionalText.meta({ description: 'The subject of the mail; of a batch, that of the first message' }),
    recipients: z
      .int()
      .nullable()
      .meta({ description: 'How many contacts it would reach when it was requested; null if it cannot be counted' }),
    first: z
      .array(z.string())
      .readonly()
      .meta({ description: 'The first addresses that it names, if it names some; empty once it is over' }),
    excerpt: optionalText.meta({ description: 'The beginning of the first message of a batch, as text; null once it is over' }),
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
    parameters: json.meta({ description: 'As they were given, without messages and addresses' }),
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
