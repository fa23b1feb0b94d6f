import type { z } from 'zod';
import {
  cancelAllExecutions,
  cancelExecution,
  enrolByHand,
  getExecution,
  listExecutions,
  rehearseAutomation,
} from '../../src/marketing/automations';
import * as automations from '../../src/marketing/automations';
import { mapped } from '../../src/platform/mongo';
import { updated } from '../http/audit';
import { deleted, paged } from '../http/answers';
import { archiveOperations } from '../http/archive';
import { endpoint, extensions, group, listEndpoint } from '../http/endpoint';
import { answeredOnce } from '../http/once';
import { Deleted, IdParams } from '../http/pieces';
import { foreignSyntax } from '../http/warnings';
import type { Graph } from './graph';
import {
  CancelledExecutions,
  CheckGraph,
  CreateWorkflow,
  Enrol,
  EnrolledExecution,
  Execution,
  ExecutionDetail,
  ExecutionParams,
  ExecutionQuery,
  GraphFaults,
  Rehearsal,
  Rehearse,
  UpdateWorkflow,
  Workflow,
  WorkflowExecutionParams,
  WorkflowQuery,
} from './schemas';
import { TimelineQuery, WorkflowTimeline } from '../stats/schemas';
import { toExecution, toExecutionDetail, toRehearsal, toTimeline, toWorkflow } from './view';

const VERBS = { active: 'activate', paused: 'pause' } as const;

/** Returns the texts of nodes that send mail with a text of their own. */
const textsIn = (graph: z.output<typeof Graph> | null | undefined): readonly string[] =>
  (graph?.nodes ?? []).flatMap(({ config }) =>
    'body' in config && typeof config.body === 'string' && 'subject' in config ? [config.subject, config.body] : [],
  );

export const automationRoutes = group('Workflows', [
  listEndpoint('GET /v1/workflows', {
    operationId: 'listWorkflows',
    summary: 'List workflows with their graphs',
    request: { query: WorkflowQuery },
    response: Workflow,
    list: 'whole',
    handle: ({ ctx, query, page }) => mapped(automations.listAutomations(ctx, query, page), toWorkflow),
  }),
  endpoint('POST /v1/workflows', {
    operationId: 'createWorkflow',
    summary: 'Create a draft workflow',
    request: { body: CreateWorkflow, warn: (_ctx, { graph }) => foreignSyntax(...textsIn(graph)) },
    status: 201,
    response: Workflow,
    errors: ['limit_exceeded'],
    audit: ({ data }) => ['workflow.create', data.workflowId],
    handle: async ({ ctx, body }) => toWorkflow(await automations.createAutomation(ctx, { ...body, graph: body.graph })),
  }),
  endpoint('GET /v1/workflows/executions/{executionId}', {
    operationId: 'getExecution',
    summary: 'Get an execution with its steps',
    request: { params: ExecutionParams },
    response: ExecutionDetail,
    handle: async ({ ctx, params }) => toExecutionDetail(await getExecution(ctx, params.executionId)),
  }),
  endpoint('GET /v1/workflows/{id}', {
    operationId: 'getWorkflow',
    summary: 'Get a workflow',
    request: { params: IdParams },
    response: Workflow,
    handle: async ({ ctx, params }) => toWorkflow(await automations.getAutomation(ctx, params.id)),
  }),
  endpoint('PATCH /v1/workflows/{id}', {
    operationId: 'updateWorkflow',
    summary: 'Update, activate or pause a workflow',
    description:
      'Activating checks the whole graph: one `invalid_graph` detail for each error; translations that are missing are named in `X-Lettermill-Warning`. Executions keep the graph they were enrolled with.',
    request: {
      params: IdParams,
      body: UpdateWorkflow,
      warn: async (ctx, { graph, status }, { id }) => [
        ...foreignSyntax(...textsIn(graph)),
        ...(status === 'active' ? (await automations.findWarnings(ctx, id)).map(({ path, message }) => `${path}: ${message}`) : []),
      ],
    },
    response: Workflow,
    errors: ['invalid_state'],
    audit: ({ params, body }) => (body.status ? [`workflow.${VERBS[body.status]}`, params.id] : updated('workflow', params.id, body)),
    handle: async ({ ctx, params, body }) => toWorkflow(await automations.patchAutomation(ctx, params.id, { ...body, graph: body.graph })),
  }),
  endpoint('DELETE /v1/workflows/{id}', {
    operationId: 'deleteWorkflow',
    summary: 'Delete a workflow without running executions',
    request: { params: IdParams },
    response: Deleted,
    errors: ['in_use'],
    audit: ({ params }) => ['workflow.delete', params.id],
    handle: ({ ctx, params }) => deleted(automations.deleteAutomation(ctx, params.id)),
  }),
  endpoint('POST /v1/workflows/{id}/duplicate', {
    operationId: 'duplicateWorkflow',
    summary: 'Duplicate a workflow as a draft',
    request: { params: IdParams },
    status: 201,
    response: Workflow,
    errors: ['limit_exceeded'],
    audit: ({ data }) => ['workflow.create', data.workflowId],
    handle: async ({ ctx, params }) => toWorkflow(await automations.duplicateAutomation(ctx, params.id)),
  }),
  endpoint('POST /v1/workflows/{id}/enroll', {
    operationId: 'enrollContact',
    summary: 'Enroll a contact in an active workflow',
    request: { params: IdParams, body: Enrol },
    status: 201,
    response: EnrolledExecution,
    idempotent: true,
    errors: ['invalid_state', 'reentry_refused', 'filter_not_matched'],
    handle: ({ ctx, params, body, idempotency }) =>
      answeredOnce(ctx, idempotency, { status: 201, present: toExecution }, (keep) =>
        enrolByHand(ctx, params.id, { which: body.contactId ?? body.email ?? '', data: body.data ?? {} }, keep),
      ),
  }),
  listEndpoint('GET /v1/workflows/{id}/executions', {
    operationId: 'listExecutions',
    summary: 'List the executions of a workflow',
    request: { params: IdParams, query: ExecutionQuery },
    response: Execution,
    list: 'cursor',
    handle: ({ ctx, params, query, page }) => paged(listExecutions(ctx, params.id, query, page), toExecution),
  }),
  endpoint('POST /v1/workflows/{id}/executions/cancel-all', {
    operationId: 'cancelAllExecutions',
    summary: 'Cancel every execution in progress',
    request: { params: IdParams },
    response: CancelledExecutions,
    audit: ({ params }) => ['workflow.cancel_executions', params.id],
    handle: async ({ ctx, params }) => ({ cancelled: await cancelAllExecutions(ctx, params.id) }),
  }),
  endpoint('POST /v1/workflows/{id}/executions/{executionId}/cancel', {
    operationId: 'cancelExecution',
    summary: 'Cancel an execution',
    request: { params: WorkflowExecutionParams },
    response: Execution,
    errors: ['invalid_state'],
    handle: async ({ ctx, params }) => toExecution(await cancelExecution(ctx, params.id, params.executionId)),
  }),
]);

export const automationExtensions = extensions('Extensions', [
  ...archiveOperations({
    path: '/v1/workflows/{id}',
    name: 'workflow',
    response: Workflow,
    refused: 'An active workflow cannot be archived, and an archived one cannot be activated.',
    set: async (ctx, id, isArchived) => toWorkflow(await automations.setAutomationArchived(ctx, id, isArchived)),
  }),
  endpoint('POST /v1/workflows/check', {
    operationId: 'checkWorkflow',
    summary: 'Find the errors of a graph',
    description:
      'Runs the checks of an activation; nothing is stored. `warnings` do not stop it: translations that messages read and that are missing.',
    request: { body: CheckGraph },
    response: GraphFaults,
    handle: async ({ ctx, body: { graph } }) => ({
      faults: await automations.findGraphFaults(ctx, graph),
      warnings: await automations.findGraphWarnings(ctx, graph),
    }),
  }),
  endpoint('POST /v1/workflows/{id}/rehearse', {
    operationId: 'rehearseWorkflow',
    summary: 'Rehearse a workflow in virtual time',
    description:
      'Returns what a workflow, drafts included, would do for a contact while the given events happen; `after` counts from `start`. Nothing is sent, stored or emitted, and webhooks are assumed to succeed.',
    request: { params: IdParams, body: Rehearse },
    response: Rehearsal,
    handle: async ({ ctx, params, body }) => toRehearsal(await rehearseAutomation(ctx, params.id, body)),
  }),
  endpoint('GET /v1/workflows/{id}/timeline', {
    operationId: 'getWorkflowTimeline',
    summary: 'Show what happened to the executions and messages of a workflow, by hour or day',
    description:
      'Counted from executions and messages, as far back as they are kept; of a workflow with more than 100,000 executions up to a minute old. Test-mode messages are not counted, test-mode executions are.',
    request: { params: IdParams, query: TimelineQuery },
    response: WorkflowTimeline,
    handle: async ({ ctx, params, query }) => toTimeline(await automations.readAutomationTimeline(ctx, params.id, query)),
  }),
]);
