import type { Context, PageRequest } from '../../platform/core';
import { notFound } from '../../platform/core';
import { newestFirst } from '../../platform/mongo';
import type { Page } from '../../platform/mongo';
import type { Graph } from '../../rules/automation/graph';
import { ExecutionModel } from './execution-model';
import type { Execution, ExecutionStatus } from './execution-model';
import { loadGraph } from './graphs';
import { readAutomation } from './service';
import { waitOf } from './waiting-for';
import type { Waiting } from './waiting-for';

export type { Execution } from './execution-model';

export interface ExecutionFilter {
  readonly status?: ExecutionStatus | undefined;
  readonly contactId?: string | undefined;
}

/** Large fields that no list shows. */
const HEAVY = { steps: 0, data: 0, state: 0, pending: 0 } as const;

/** Lists a page of an automation's executions, newest first. Throws `not_found`. */
export async function listExecutions(
  ctx: Context,
  automationId: string,
  { status, contactId }: ExecutionFilter,
  request: PageRequest,
): Promise<Page<Execution>> {
  const { projectId } = ctx;
  await readAutomation(projectId, automationId);
  const filter = { projectId, automationId, ...(status && { status }), ...(contactId !== undefined && { contactId }) };
  return newestFirst(ExecutionModel, filter, request, HEAVY);
}

/** Lists a page of a contact's executions, newest first, with all fields. */
export const executionsOf = ({ projectId }: Context, contactId: string, request: PageRequest): Promise<Page<Execution>> =>
  newestFirst(ExecutionModel, { projectId, contactId }, request);

/** An execution with what it waits for. */
export interface ExecutionDetail {
  readonly execution: Execution;
  readonly waiting: Waiting | null;
  /** The graph that it began with. */
  readonly graph: Graph;
}

/** Reads an execution with its steps, and what it waits for. Throws `not_found`. */
export async function getExecution({ projectId }: Context, executionId: string): Promise<ExecutionDetail> {
  const execution = await ExecutionModel.findOne({ _id: executionId, projectId }).lean<Execution>();
  if (!execution) throw notFound('Execution');
  const [waiting, graph] = await Promise.all([waitOf(execution), loadGraph(projectId, execution.graphId)]);
  return { execution, waiting, graph };
}
