import { z } from 'zod';
import { addDuration, parseDuration } from '../../src/rules/automation/duration';
import {
  added,
  addedFilter,
  boundedArray,
  contactData,
  count,
  emailAddress,
  eventData,
  eventName,
  extended,
  fault,
  id,
  instant,
  json,
  locale,
  name,
  nameSearch,
  optionalText,
  optionalTimestamp,
  personName,
  timestamp,
  timezone,
  together,
  replay,
} from '../http/pieces';
import { skipDetail } from '../http/skip-detail';
import { absent, holds, oneOf, withMembers } from '../http/together';
import { archivedQuery, shownArchivedAt } from '../http/archive';
import { requireCanHappen } from '../http/event-names';
import { SendWindows, ShownWindows } from '../http/send-windows';
import { Graph, StoredGraph, nodeId } from './graph';

/** Limit for the part of an answer that is kept. */
const MAX_ANSWER = 1_024;

const reentry = z.enum(['never', 'after_exit', 'always']);

const BY_EVENT = 'event:';

const trigger = z
  .string()
  .regex(/^(contact\.created|event:[A-Za-z0-9][A-Za-z0-9_.:/-]{0,127}|segment:(enter|exit):[A-Za-z0-9_-]{1,64})$/, {
    abort: true,
    error: 'Must be event:<name>, contact.created, segment:enter:<segmentId> or segment:exit:<segmentId>',
  })
  .superRefine((text, ctx) => {
    if (text.startsWith(BY_EVENT)) requireCanHappen(text.slice(BY_EVENT.length), ctx);
  });

const WINDOWS =
  "An extension of this implementation: when its marketing mail may go out; null for the project's windows. They hold for executions that run, too";

export const CreateWorkflow = z.strictObject({
  name,
  trigger,
  graph: Graph.nullable().optional(),
  reentry: reentry.default('never'),
  windows: extended(SendWindows.nullable().optional(), WINDOWS),
});

export const UpdateWorkflow = z.strictObject({
  name: name.optional(),
  trigger: trigger.optional(),
  graph: Graph.nullable().optional(),
  reentry: reentry.optional(),
  status: z.enum(['active', 'paused']).optional(),
  windows: extended(SendWindows.nullable().optional(), WINDOWS),
});

const workflowStatus = z.enum(['draft', 'active', 'paused']);

export const WorkflowQuery = z.object({ status: addedFilter(workflowStatus), search: nameSearch, archived: archivedQuery });

export const Workflow = z
  .object({
    workflowId: z.string(),
    projectId: z.string(),
    name: z.string(),
    status: workflowStatus,
    trigger: z.string(),
    graph: StoredGraph.nullable(),
    reentry,
    entered: count,
    completed: count,
    active: count,
    createdAt: timestamp,
    archivedAt: shownArchivedAt,
    windows: extended(ShownWindows.optional(), 'When its marketing mail may go out; present if it has windows of its own'),
  })
  .meta({ id: 'Workflow' });

export const Enrol = z
  .strictObject({
    contactId: id.optional(),
    email: emailAddress.optional(),
    data: eventData.optional().meta({ description: 'The data of the trigger event' }),
  })
  .refine(
    ({ email, contactId }) => (email === undefined) !== (contactId === undefined),
    together('Give exactly one of contactId and email', 'contactId'),
  )
  .meta(oneOf('contactId', 'email'));

const status = z.enum(['running', 'waiting', 'completed', 'exited', 'failed', 'cancelled']);

const execution = {
  executionId: z.string(),
  workflowId: z.string(),
  contactId: optionalText,
  email: optionalText,
  status,
  testMode: z.boolean(),
  currentNodeId: optionalText,
  eventId: optionalText,
  exitReason: optionalText,
  error: optionalText,
  startedAt: timestamp,
  finishedAt: optionalTimestamp,
  temporal: z.object({ workflowId: z.string(), runId: z.string().nullable() }).meta({ description: 'The workflow in Temporal' }),
};

export const Execution = z.object(execution).meta({ id: 'Execution' });
export const EnrolledExecution = z.object({ ...execution, replay }).meta({ id: 'EnrolledExecution' });

const Step = z
  .object({
    nodeId: z.string(),
    type: z.string(),
    status: z.enum(['running', 'waiting', 'completed', 'skipped', 'failed']),
    branch: optionalText,
    output: json.nullable(),
    error: optionalText,
    startedAt: timestamp,
    finishedAt: optionalTimestamp,
  })
  .meta({ id: 'ExecutionStep' });

const DigestItem = z
  .object({ eventId: optionalText, name: z.string(), data: json, at: timestamp })
  .meta({ id: 'DigestItem', description: 'An event that a digest has gathered' });

const WaitingFor = z
  .object({ kind: z.enum(['delay', 'time', 'event', 'paused', 'disabled']), nodeId: optionalText, event: optionalText })
  .meta({ id: 'WaitingFor' });

export const ExecutionDetail = z
  .object({
    ...execution,
    steps: z.array(Step).readonly(),
    items: extended(z.array(DigestItem).readonly().optional(), 'The events that its digest has gathered; absent without one'),
    graph: extended(StoredGraph, 'The graph that it started with and follows to its end'),
    waitingUntil: extended(optionalTimestamp, 'When it continues at the latest; null if it is not waiting, or the end is unknown'),
    waitingFor: extended(WaitingFor.nullable(), 'The cause of the wait; null if it is not waiting'),
  })
  .meta({ id: 'ExecutionDetail' });
export const ExecutionQuery = z.object({
  status: status.optional(),
  contactId: id.optional(),
  nodeId: nodeId.optional().meta({ description: 'Only executions that are at this node now. Add `status` to narrow them further' }),
});
export const ExecutionParams = z.object({ executionId: id });
export const WorkflowExecutionParams = z.object({ id, executionId: id });
export const CancelledExecutions = z.object({ cancelled: count }).meta({ id: 'CancelledExecutions' });

const LONGEST_MONTHS = 120;

/** ISO 8601, as `P3DT4H`. */
const duration = z
  .string()
  .transform((text, ctx) => {
    const parsed = parseDuration(text);
    if (!parsed) return fault(ctx, 'invalid_string', 'Must be an ISO 8601 duration');
    const longest = addDuration(new Date(0), { months: LONGEST_MONTHS, milliseconds: 0 });
    return addDuration(new Date(0), parsed) > longest ? fault(ctx, 'too_big', 'At most ten years') : parsed;
  })
  .meta({ type: 'string', format: 'duration' });

export const CheckGraph = z.strictObject({ graph: Graph });
export const GraphFaults = z
  .object({
    faults: z.array(z.object({ path: z.string(), code: z.string(), message: z.string() })).readonly(),
    warnings: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .readonly()
      .meta({ description: 'What does not stop an activation, and should be known' }),
  })
  .meta({ id: 'GraphFaults' });

const RehearsedContact = z.strictObject({
  email: emailAddress.optional(),
  firstName: personName.nullable().optional(),
  lastName: personName.nullable().optional(),
  locale: locale.nullable().optional(),
  timezone: added(timezone.nullable().optional(), 'the time zone of the person (IANA)'),
  subscribed: z.boolean().optional(),
  data: contactData.nullable().optional(),
});

export const Rehearse = z
  .strictObject({
    contactId: id.optional(),
    contact: RehearsedContact.optional().meta({ description: 'A hypothetical contact' }),
    data: eventData.optional().meta({ description: 'The data of the trigger event' }),
    events: boundedArray(z.strictObject({ name: eventName, data: eventData.optional(), after: duration }), 0, 1_000).optional(),
    start: instant.optional(),
    until: duration.optional().meta({ description: 'When the rehearsal ends' }),
    webhooks: z
      .record(nodeId, z.strictObject({ status: z.int().min(100).max(599), body: z.string().max(MAX_ANSWER).optional() }))
      .optional()
      .meta({ description: 'The HTTP status of webhook nodes, by node; others answer 200' }),
  })
  .refine(
    ({ contactId, contact }) => contactId === undefined || contact === undefined,
    together('Give contactId or contact, not both', 'contact'),
  )
  .meta(holds({ anyOf: [withMembers(absent('contactId')), withMembers(absent('contact'))] }));

export const Rehearsal = z
  .object({
    path: z
      .array(
        z.object({
          nodeId: z.string(),
          type: z.string(),
          at: timestamp,
          branch: optionalText,
          output: json.nullable(),
          error: optionalText,
        }),
      )
      .readonly(),
    emails: z
      .array(
        z.object({
          nodeId: z.string(),
          at: timestamp,
          waitsFor: z
            .enum(['window', 'frequency_cap'])
            .optional()
            .meta({ description: 'The cause of a delay: a send window or a frequency cap' }),
          subject: z.string(),
          html: z.string(),
          text: z.string(),
          skipped: z.string().optional(),
          detail: skipDetail.optional(),
        }),
      )
      .readonly(),
    status: z.enum(['completed', 'exited', 'failed', 'cancelled', 'waiting', 'filter_not_matched']),
    exitReason: optionalText,
    endedAt: timestamp,
  })
  .meta({ id: 'Rehearsal' });
