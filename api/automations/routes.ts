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
import { endpoint } from '../http/endpoint';
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
} from './schemas';
import { toExecution, toExecutionDetail, toRehearsal, toWorkflow } from './view';

const tag = 'Workflows';

const VERBS = { active: 'activate', paused: 'pause' } as const;

/** What nodes send that have a text of their own. */
const textsIn = (graph: z.output<typeof Graph> | null | undefined): readonly string[] =>
  (graph?.nodes ?? []).flatMap(({ config }) =>
    'body' in config && typeof config.body === 'string' && 'subject' in config ? [config.subject, config.body] : [],
  );

export const automationRoutes = [
  endpoint({
    method: 'get',
    path: '/v1/workflows',
    operationId: 'listWorkflows',
    summary: 'List workflows with their graphs',
    tag,
    response: Workflow,
    list: 'whole',
    handle: ({ ctx, page }) => Promise.resolve(mapped(automations.listAutomations(ctx, page), toWorkflow)),
  }),
  endpoint({
    method: 'post',
    path: '/v1/workflows',
    operationId: 'createWorkflow',
    summary: 'Create a draft workflow',
    tag,
    status: 201,
    body: CreateWorkflow,
    warn: (_ctx, { graph }) => foreignSyntax(...textsIn(graph)),
    response: Workflow,
    errors: ['limit_exceeded'],
    audit: ({ data }) => ['workflow.create', data.workflowId],
    handle: async ({ ctx, body }) => toWorkflow(await automations.createAutomation(ctx, { ...body, graph: body.graph })),
  }),
  endpoint({
    method: 'get',
    path: '/v1/workflows/executions/{executionId}',
    operationId: 'getExecution',
    summary: 'Get an execution with its steps',
    tag,
    params: ExecutionParams,
    response: ExecutionDetail,
    handle: async ({ ctx, params }) => toExecutionDetail(await getExecution(ctx, params.executionId)),
  }),
  endpoint({
    method: 'get',
    path: '/v1/workflows/{id}',
    operationId: 'getWorkflow',
    summary: 'Get a workflow',
    tag,
    params: IdParams,
    response: Workflow,
    handle: async ({ ctx, params }) => toWorkflow(await automations.getAutomation(ctx, params.id)),
  }),
  endpoint({
    method: 'patch',
    path: '/v1/workflows/{id}',
    operationId: 'updateWorkflow',
    summary: 'Update, activate or pause a workflow',
    description:
      'Activating checks the whole graph: one `invalid_graph` detail for each error. Executions keep the graph they were enrolled with.',
    tag,
    params: IdParams,
    body: UpdateWorkflow,
    warn: (_ctx, { graph }) => foreignSyntax(...textsIn(graph)),
    response: Workflow,
    errors: ['invalid_state'],
    audit: ({ params, body }) => (body.status ? [`workflow.${VERBS[body.status]}`, params.id] : updated('workflow', params.id, body)),
    handle: async ({ ctx, params, body }) => toWorkflow(await automations.patchAutomation(ctx, params.id, { ...body, graph: body.graph })),
  }),
  endpoint({
    method: 'delete',
    path: '/v1/workflows/{id}',
    operationId: 'deleteWorkflow',
    summary: 'Delete a workflow without running executions',
    tag,
    params: IdParams,
    response: Deleted,
    errors: ['in_use'],
    audit: ({ params }) => ['workflow.delete', params.id],
    handle: async ({ ctx, params }) => {
      await automations.deleteAutomation(ctx, params.id);
      return { success: true as const };
    },
  }),
  endpoint({
    method: 'post',
    path: '/v1/workflows/{id}/duplicate',
    operationId: 'duplicateWorkflow',
    summary: 'Duplicate a workflow as a draft',
    tag,
    status: 201,
    params: IdParams,
    response: Workflow,
    errors: ['limit_exceeded'],
    audit: ({ data }) => ['workflow.create', data.workflowId],
    handle: async ({ ctx, params }) => toWorkflow(await automations.duplicateAutomation(ctx, params.id)),
  }),
  endpoint({
    method: 'post',
    path: '/v1/workflows/{id}/enroll',
    operationId: 'enrollContact',
    summary: 'Enroll a contact in an active workflow',
    tag,
    status: 201,
    params: IdParams,
    body: Enrol,
    response: EnrolledExecution,
    idempotent: true,
    errors: ['invalid_state', 'reentry_refused', 'filter_not_matched'],
    handle: ({ ctx, params, body, idempotency }) =>
      answeredOnce(ctx, idempotency, { status: 201, present: toExecution }, (keep) =>
        enrolByHand(ctx, params.id, { which: body.contactId ?? body.email ?? '', data: body.data ?? {} }, keep),
      ),
  }),
  endpoint({
    method: 'get',
    path: '/v1/workflows/{id}/executions',
    operationId: 'listExecutions',
    summary: 'List the executions of a workflow',
    tag,
    params: IdParams,
    query: ExecutionQuery,
    response: Execution,
    list: 'cursor',
    handle: async ({ ctx, params, query, page }) => {
      const { rows, next } = await listExecutions(ctx, params.id, query, page);
      return { rows: rows.map(toExecution), next };
    },
  }),
  endpoint({
    method: 'post',
    path: '/v1/workflows/{id}/executions/cancel-all',
    operationId: 'cancelAllExecutions',
    summary: 'Cancel every execution in progress',
    tag,
    params: IdParams,
    response: CancelledExecutions,
    audit: ({ params }) => ['workflow.cancel_executions', params.id],
    handle: async ({ ctx, params }) => ({ cancelled: await cancelAllExecutions(ctx, params.id) }),
  }),
  endpoint({
    method: 'post',
    path: '/v1/workflows/{id}/executions/{executionId}/cancel',
    operationId: 'cancelExecution',
    summary: 'Cancel an execution',
    tag,
    params: WorkflowExecutionParams,
    response: Execution,
    errors: ['invalid_state'],
    handle: async ({ ctx, params }) => toExecution(await cancelExecution(ctx, params.id, params.executionId)),
  }),
];

/** Beyond the 92. */
export const automationExtensions = [
  endpoint({
    method: 'post',
    path: '/v1/workflows/check',
    operationId: 'checkWorkflow',
    summary: 'Find the errors of a graph',
    description: 'An extension of this implementation. Runs the checks of an activation; nothing is stored.',
    tag: 'Extensions',
    extension: true,
    body: CheckGraph,
    response: GraphFaults,
    handle: async ({ ctx, body }) => ({ faults: await automations.findGraphFaults(ctx, body.graph) }),
  }),
  endpoint({
    method: 'post',
    path: '/v1/workflows/{id}/rehearse',
    operationId: 'rehearseWorkflow',
    summary: 'Rehearse a workflow in virtual time',
    description:
      'An extension of this implementation. Returns what a workflow, drafts included, would do for a contact while the given events happen; `after` counts from `start`. Nothing is sent, stored or emitted, and webhooks are assumed to succeed.',
    tag: 'Extensions',
    extension: true,
    params: IdParams,
    body: Rehearse,
    response: Rehearsal,
    handle: async ({ ctx, params, body }) => toRehearsal(await rehearseAutomation(ctx, params.id, body)),
  }),
];
