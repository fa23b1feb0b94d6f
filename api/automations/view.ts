import type { z } from 'zod';
import type { AutomationTimeline, Counted, Execution, ExecutionDetail as Detail, Funnel } from '../../src/marketing/automations';
import { automationRunId } from '../../src/contracts/automation';
import { activeOf } from '../../src/marketing/automations';
import type { Graph } from '../../src/rules/automation/graph';
import type { Rehearsal as Rehearsed } from '../../src/rules/automation/rehearsal';
import type { WorkflowStats, WorkflowTimeline } from '../stats/schemas';
import type { ExecutionDetail, Rehearsal, Execution as WireExecution, Workflow } from './schemas';

export const toWorkflow = ({ automation, totals }: Counted): z.input<typeof Workflow> => ({
  workflowId: automation._id,
  projectId: automation.projectId,
  name: automation.name,
  status: automation.status,
  trigger: automation.trigger,
  graph: automation.graph === null ? null : (JSON.parse(automation.graph) as Graph as z.input<typeof Workflow>['graph']),
  reentry: automation.reentry,
  entered: totals.entered,
  completed: totals.completed + totals.exited,
  active: activeOf(totals),
  createdAt: automation.createdAt,
  ...(automation.archivedAt && { archivedAt: automation.archivedAt }),
  ...(automation.windows && { windows: automation.windows }),
});

export const toExecution = (execution: Execution): z.input<typeof WireExecution> => ({
  executionId: execution._id,
  workflowId: execution.automationId,
  contactId: execution.contactId,
  email: execution.email,
  status: execution.status,
  testMode: execution.testMode,
  currentNodeId: execution.currentNodeId,
  eventId: execution.eventId,
  exitReason: execution.exitReason,
  error: execution.error,
  startedAt: execution.createdAt,
  finishedAt: execution.finishedAt,
  temporal: { workflowId: automationRunId(execution._id), runId: execution.runId },
});

export const toExecutionDetail = ({ execution, waiting, graph }: Detail): z.input<typeof ExecutionDetail> => ({
  ...toExecution(execution),
  steps: execution.steps,
  ...(execution.items && { items: execution.items.map(toItem) }),
  graph: graph as z.input<typeof ExecutionDetail>['graph'],
  waitingUntil: waiting?.until ?? null,
  waitingFor: waiting && waiting.what,
});

const toItem = ({ eventId, name, data, at }: NonNullable<Execution['items']>[number]) => ({
  eventId,
  name,
  at,
  data: JSON.parse(data) as Readonly<Record<string, unknown>>,
});

// The counts have the form of all statistics, and an automation receives nothing.
export const toWorkflowStats = ({ automationId, nodes, ...totals }: Funnel): z.input<typeof WorkflowStats> => ({
  workflowId: automationId,
  ...totals,
  nodes: nodes.map((node) => ({ ...node, emails: node.emails && { ...node.emails, received: 0 } })),
});

export const toRehearsal = ({ reason, ...rehearsed }: Rehearsed): z.input<typeof Rehearsal> => ({ ...rehearsed, exitReason: reason });

export const toTimeline = ({ automationId, series, ...timeline }: AutomationTimeline): z.input<typeof WorkflowTimeline> => ({
  workflowId: automationId,
  ...timeline,
  series: series.map(({ at, counts }) => ({ at, ...counts })),
});
