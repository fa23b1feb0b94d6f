import type { z } from 'zod';
import type { AutomationTimeline, Counted, Execution, ExecutionDetail as Detail, Funnel, Step } from '../../src/marketing/automations';
import { automationRunId } from '../../src/contracts/automation';
import { activeOf } from '../../src/marketing/automations';
import type { Graph } from '../../src/rules/automation/graph';
import type { Rehearsal as Rehearsed } from '../../src/rules/automation/rehearsal';
import type { WorkflowStats } from '../stats/schemas';
import type { WorkflowTimeline } from '../stats/timeline-schemas';
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
  createdAt: automation.createdAt.toISOString(),
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
  startedAt: execution.createdAt.toISOString(),
  finishedAt: execution.finishedAt?.toISOString() ?? null,
  temporal: { workflowId: automationRunId(execution._id), runId: execution.runId },
});

export const toExecutionDetail = ({ execution, waiting, graph }: Detail): z.input<typeof ExecutionDetail> => ({
  ...toExecution(execution),
  steps: execution.steps.map(toStep),
  ...(execution.items && { items: execution.items.map(toItem) }),
  graph: graph as z.input<typeof ExecutionDetail>['graph'],
  waitingUntil: waiting?.until?.toISOString() ?? null,
  waitingFor: waiting && waiting.what,
});

const toItem = ({ eventId, name, data, at }: NonNullable<Execution['items']>[number]) => ({
  eventId,
  name,
  data: JSON.parse(data) as Readonly<Record<string, unknown>>,
  at: at.toISOString(),
});

const toStep = ({ startedAt, finishedAt, ...step }: Step) => ({
  ...step,
  startedAt: startedAt.toISOString(),
  finishedAt: finishedAt?.toISOString() ?? null,
});

export const toWorkflowStats = ({ automationId, ...funnel }: Funnel): z.input<typeof WorkflowStats> => ({
  workflowId: automationId,
  ...funnel,
});

export const toRehearsal = ({ path, emails, status, reason, endedAt }: Rehearsed): z.input<typeof Rehearsal> => ({
  path: path.map(({ nodeId, type, at, branch, output, error }) => ({ nodeId, type, at: at.toISOString(), branch, output, error })),
  emails: emails.map(({ nodeId, at, waitsFor, subject, html, text, skipped, detail }) => ({
    nodeId,
    at: at.toISOString(),
    ...(waitsFor && { waitsFor }),
    subject,
    html,
    text,
    ...(skipped !== undefined && { skipped }),
    ...(detail && { detail }),
  })),
  status,
  exitReason: reason,
  endedAt: endedAt.toISOString(),
});

export const toTimeline = ({ automationId, step, from, to, series }: AutomationTimeline): z.input<typeof WorkflowTimeline> => ({
  workflowId: automationId,
  step,
  from: from.toISOString(),
  to: to.toISOString(),
  series: series.map(({ at, counts }) => ({ at: at.toISOString(), ...counts })),
});
