import { automationRunId, nudgeSignal } from '../../contracts/automation';
import type { SignalIntent, StartIntent } from '../../contracts/processes';
import { newId } from '../../platform/core';
import type { Execution } from './execution-model';

/** The workflow that carries an execution on. */
export const runIntent = ({ _id, projectId, automationId, contactId }: Execution): StartIntent => ({
  kind: 'start',
  workflow: 'automationRun',
  workflowId: automationRunId(_id),
  input: { executionId: _id, projectId },
  summary: `Execution of ${automationId}`,
  attributes: { projectId, automationId, ...(contactId !== null && { contactId }) },
});

/** Tells the workflow of an execution to look at its document; `cause` names what is new in there. */
export const nudgeOf = (executionId: string, cause: string): SignalIntent => ({
  kind: 'signal',
  workflowId: automationRunId(executionId),
  signal: nudgeSignal.name,
  id: cause,
});

/** The workflow that tells those of an automation's executions which wait to be told; with an instant, it cancels those enrolled up to then first. */
export const nudgeAllIntent = (projectId: string, automationId: string, cancelUpTo: Date | null): StartIntent => ({
  kind: 'start',
  workflow: 'automationNudge',
  workflowId: `automation-nudge/${automationId}/${newId('ndg')}`,
  input: { projectId, automationId, cancelUpTo: cancelUpTo?.toISOString() ?? null },
  summary: cancelUpTo ? `Cancels the executions of ${automationId}` : `Executions of ${automationId} go on`,
  attributes: { projectId, automationId },
  lasts: true,
});
