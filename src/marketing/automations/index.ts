export {
  automationsShowing,
  automationSending,
  automationSendingFrom,
  automationWithSegment,
  automationWithTopic,
  automationsReading,
  automationsWithEvent,
} from './references';
export { cancelAllExecutions, cancelExecution, cancelOfContacts, failExecution, stopExecution, detachExecutions } from './cancel';
export { activeOf, executionTotals } from './counts';
export { evaluateFor } from './evaluate-for';
export { automationTriggers } from './triggers';
export { loadGraph } from './graphs';
export { enrolByHand } from './enrol';
export { letsIn } from './enrol-together';
export type { Execution, Step } from './execution-model';
export { executionsBetween, executionsOf, getExecution, listExecutions, waitsAhead, removeOldExecutions } from './executions';
export type { EnrolledExecution, ExecutionDetail, Span } from './executions';
export { readFunnel, readAutomationTimeline } from './funnel';
export type { Funnel, AutomationTimeline } from './funnel';
export { rehearseAutomation } from './rehearsal';
export { runOn } from './advance';
export {
  checkAutomation,
  createAutomation,
  deleteAutomation,
  duplicateAutomation,
  findGraphFaults,
  getAutomation,
  listAutomations,
  setAutomationArchived,
  patchAutomation,
} from './service';
export type { Counted } from './service';
export { isNudgeOver, checkAllExecutionsNow, nextExecutionCheck, nudgePage, sweepExecutionShare, sweepExecutions } from './upkeep';
export { automationWaits } from './waits';
export { callNode } from './webhook-node';
export { NoPlace, localStretches } from './local-stretches';
export { findGraphWarnings, findWarnings } from './texts';
