import { automationRunId, nudgeSignal } from '../../contracts/automation';
import type { SignalIntent, StartIntent } from '../../contracts/processes';
import { newId } from '../../platform/core';
import type { Execution } from './execution-model';

/** A workflow that was nudged has continued by then; otherwise the sweep checks its execution. */
export const CHECK_AFTER_MS = 60_000;

type ExecutionIds = Pick<Execution, '_id' | 'projectId' | 'automationId' | 'contactId'>;

/** Returns the intent to start an execution's workflow. */
export const runIntent = ({ _id, projectId, automationId, contactId }: ExecutionIds): StartIntent => ({
  kind: 'start',
  workflow: 'automationRun',
  workflowId: automationRunId(_id),
  input: { executionId: _id, projectId },
  summary: `Execution of ${automationId}`,
  attributes: { projectId, automationId, ...(contactId !== null && { contactId }) },
});

/** Returns the intent to signal an execution's workflow to read its document; `cause` names what is new there. */
export const nudgeOf = (executionId: string, cause: string): SignalIntent => ({
  kind: 'signal',
  workflowId: automationRunId(executionId),
  signal: nudgeSignal.name,
  id: cause,
});

/** Returns the same for an execution that may continue now: its workflow is started if Temporal has lost it. */
export const goOnOf = (execution: ExecutionIds, cause: string): SignalIntent => ({
  ...nudgeOf(execution._id, cause),
  orStart: runIntent(execution),
});

/** Returns the intent to start the workflow that nudges an automation's marked executions; with an instant, it first cancels those enrolled up to then. */
export const nudgeAllIntent = (projectId: string, automationId: string, cancelUpTo: Date | null): StartIntent => ({
  kind: 'start',
  workflow: 'automationNudge',
  workflowId: `automation-nudge/${automationId}/${newId('ndg')}`,
  input: { projectId, automationId, cancelUpTo: cancelUpTo?.toISOString() ?? null },
  summary: cancelUpTo ? `Cancels the executions of ${automationId}` : `Executions of ${automationId} resume`,
  attributes: { projectId, automationId },
  lasts: true,
});
