import type { Context, PageRequest, Positioned } from '../../platform/core';
import { newestFirst, soonest, removePage, ownRow } from '../../platform/mongo';
import type { Page } from '../../platform/mongo';
import type { Graph, NodeType } from '../../rules/automation/graph';
import { ExecutionModel } from './execution-model';
import type { Execution, ExecutionStatus } from './execution-model';
import { loadGraph } from './graphs';
import { readAutomation } from './service';
import { closedBy } from './now';

export interface ExecutionFilter {
  readonly status?: ExecutionStatus | undefined;
  readonly contactId?: string | undefined;
  /** The node at which it is; unless a status is named, only of executions under way. */
  readonly nodeId?: string | undefined;
}

const UNDER_WAY: { readonly $in: ExecutionStatus[] } = { $in: ['running', 'waiting'] };

/** Large fields that no list shows. */
const HEAVY = { steps: 0, data: 0, items: 0, state: 0, pending: 0 } as const;

/** Lists a page of an automation's executions, newest first. Throws `not_found`. */
export async function listExecutions(
  ctx: Context,
  automationId: string,
  { status, contactId, nodeId }: ExecutionFilter,
  request: PageRequest,
): Promise<Page<Execution>> {
  const { projectId } = ctx;
  await readAutomation(projectId, automationId);
  const filter = {
    projectId,
    automationId,
    ...(nodeId !== undefined && { currentNodeId: nodeId, status: UNDER_WAY }),
    ...(status && { status }),
    ...(contactId !== undefined && { contactId }),
  };
  return newestFirst(ExecutionModel, filter, request, HEAVY);
}

/** Lists a page of a contact's executions, newest first, with all fields. */
export const executionsOf = ({ projectId }: Context, contactId: string, request: PageRequest): Promise<Page<Execution>> =>
  newestFirst(ExecutionModel, { projectId, contactId }, request);

const PAGE = 500;

/** A span of time; null where it has no end on that side. `to` does not belong to it. */
export interface Span {
  readonly from: Date | null;
  readonly to: Date | null;
}

/** An execution with the nodes that it reached. */
export type EnrolledExecution = Pick<Execution, '_id' | 'contactId' | 'steps' | 'finishedAt' | 'createdAt'>;

/** Reads the live executions of an automation whose contacts were enrolled in a span, page by page, the first one first. Throws `not_found`. */
export async function* executionsBetween(
  { projectId }: Pick<Context, 'projectId'>,
  automationId: string,
  { from, to }: Span,
): AsyncGenerator<readonly EnrolledExecution[]> {
  const within = { ...(from && { $gte: from }), ...(to && { $lt: to }) };
  const filter = { projectId, automationId, testMode: false, ...(Object.keys(within).length > 0 && { createdAt: within }) };
  let beyond = {};
  for (;;) {
    const rows = await ExecutionModel.find({ $and: [filter, beyond] }, { contactId: 1, steps: 1, finishedAt: 1, createdAt: 1 })
      .sort({ createdAt: 1, _id: 1 })
      .limit(PAGE)
      .lean<EnrolledExecution[]>();
    const last = rows.at(-1);
    if (last) yield rows;
    if (!last || rows.length < PAGE) return;
    beyond = { $or: [{ createdAt: { $gt: last.createdAt } }, { createdAt: last.createdAt, _id: { $gt: last._id } }] };
  }
}

/** An execution with what it waits for. */
export interface ExecutionDetail {
  readonly execution: Execution;
  readonly waiting: Waiting | null;
  /** The graph that it began with. */
  readonly graph: Graph;
}

/** The reason why an execution does not continue. */
interface WaitingFor {
  /** `delay`: an instant; `time`: a time of day; `event`; `paused` and `disabled`: its automation or its project to be switched on again. */
  readonly kind: 'delay' | 'time' | 'event' | 'paused' | 'disabled';
  readonly nodeId: string | null;
  /** The name of the event. */
  readonly event: string | null;
}

/** The wait of an execution. */
interface Waiting {
  /** Latest time at which it continues; null if that is not known. */
  readonly until: Date | null;
  readonly what: WaitingFor;
}

/** Resolves to what an execution waits for; null when it is over, or has something to do. */
async function waitOf(execution: Execution): Promise<Waiting | null> {
  const { state, pending, currentNodeId: nodeId } = execution;
  if (!execution.checkAt) return null;
  if (pending === null && state?.phase === 'sleeping') {
    const kind = (await isTimeOfDay(execution, state.nodeId)) ? 'time' : 'delay';
    return { until: new Date(state.until), what: { kind, nodeId: state.nodeId, event: null } };
  }
  const awaited = eventOf(execution);
  if (awaited) return { until: awaited.until, what: { kind: 'event', nodeId, event: awaited.event } };
  const cause = await closedBy(execution);
  return cause && { until: null, what: { kind: cause, nodeId, event: null } };
}

/** Returns the event that an execution waits for, or gathers. */
const eventOf = ({ state, pending, waitingFor, gathering }: Execution) =>
  state !== null && pending === null ? (waitingFor ?? gathering ?? null) : null;

const DELAY: NodeType = 'delay';

async function isTimeOfDay({ projectId, graphId }: Execution, nodeId: string): Promise<boolean> {
  const { nodes } = await loadGraph(projectId, graphId);
  return nodes.some((node) => node.id === nodeId && node.type === DELAY && 'time' in node.config);
}

/** Reads an execution with its steps, and what it waits for. Throws `not_found`. */
export async function getExecution({ projectId }: Context, executionId: string): Promise<ExecutionDetail> {
  const execution = await ownRow<Execution>(ExecutionModel, 'Execution', { _id: executionId, projectId });
  const [waiting, graph] = await Promise.all([waitOf(execution), loadGraph(projectId, execution.graphId)]);
  return { execution, waiting, graph };
}

/** The members that hold the end of a wait: of a delay, and of a wait for an event. */
const ENDS = [{ by: 'state.until', isText: true }, { by: 'waitingFor.until' }] as const;

type WaitingExecution = Pick<Execution, '_id' | 'automationId' | 'contactId'>;

/** Lists executions whose wait ends after now: the first ones of each kind of wait, the soonest first. One that waits for an event may continue earlier. */
export async function waitsAhead(
  { projectId }: Pick<Context, 'projectId'>,
  { automationId, contactId }: { readonly automationId?: string | undefined; readonly contactId?: string | undefined },
  request: PageRequest,
  now: Date,
): Promise<readonly Positioned<WaitingExecution>[]> {
  const filter = { projectId, ...(automationId !== undefined && { automationId }), ...(contactId !== undefined && { contactId }) };
  const shown = { automationId: 1, contactId: 1 } as const;
  const found: Positioned<WaitingExecution>[] = [];
  for (const end of ENDS) found.push(...(await soonest<Execution>(ExecutionModel, filter, end, request, now, shown)));
  return found;
}

/** Deletes a page of a project's executions that were over before an instant; their automation has counted them. How often a contact was enrolled stays known. */
export const removeOldExecutions = (projectId: string, before: Date, limit: number): Promise<number> =>
  removePage(ExecutionModel, { projectId, finishedAt: { $gt: new Date(0), $lt: before }, checkAt: { $exists: false } }, limit);
