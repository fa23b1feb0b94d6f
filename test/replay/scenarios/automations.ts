import type { AdvanceInput, LeftNode, Todo } from '../../../src/contracts/automation';
import { HOUR, MINUTE, cancel, fails, failsOnce, signal } from './scenario';
import type { Scenario } from './scenario';

const key = { executionId: 'exe_1', projectId: 'prj_1' };

const left = (nodeId: string, type: string, emailId?: string): LeftNode => ({ nodeId, type, at: 0, ...(emailId && { emailId }) });
const found =
  (todo: (now: number) => Todo, ...way: readonly LeftNode[]) =>
  ({ now }: AdvanceInput) => ({ todo: todo(now), way });

const over = (): Todo => ({ next: 'over', status: 'completed' });
const waits =
  (ms: number, cause: 'delay' | 'event' | 'paused' = 'delay') =>
  (now: number): Todo => ({ next: 'wait', nodeId: 'w', type: cause === 'event' ? 'wait_for_event' : 'delay', until: now + ms, cause });
const call = (attempt: number, afterMs: number, heldBack = false): Todo => ({
  next: 'call',
  nodeId: 'hook',
  attempt,
  afterMs,
  ...(heldBack && { heldBack: true as const }),
});

const run = { workflow: 'automationRun', input: key } as const;

export const automationScenarios: readonly Scenario[] = [
  {
    ...run,
    name: 'automation-run.delay-webhook-event',
    answers: {
      runExecution: [
        found(waits(HOUR), left('start', 'trigger'), left('mail', 'send_email', 'em_1')),
        found(() => call(1, 0), left('w', 'delay')),
        found(waits(HOUR, 'event')),
        found(over, left('w', 'wait_for_event'), left('again', 'send_email', 'em_2')),
      ],
      callWebhookNode: [call(2, 5_000), { next: 'node', nodeId: 'w', type: 'wait_for_event', way: [left('hook', 'webhook')] }],
    },
    steps: [({ pass }) => pass(2 * HOUR), signal('nudge')],
  },
  {
    ...run,
    name: 'automation-run.webhook-held-back',
    answers: { runExecution: [found(() => call(1, MINUTE, true)), found(over)], callWebhookNode: [call(1, HOUR, true), over()] },
    steps: [({ pass }) => pass(2 * MINUTE), signal('nudge')],
  },
  {
    ...run,
    name: 'automation-run.paused',
    answers: { runExecution: [found(waits(HOUR, 'paused')), found(waits(1_000)), found(over)] },
    steps: [signal('nudge')],
  },
  { ...run, name: 'automation-run.as-activity', answers: { runExecution: [failsOnce, failsOnce, found(over)] } },
  { ...run, name: 'automation-run.failed', answers: { runExecution: [fails] } },
  { ...run, name: 'automation-run.cancelled-in-temporal', answers: { runExecution: [found(waits(HOUR))] }, steps: [cancel] },
  { ...run, name: 'automation-run.continued', answers: { runExecution: [found(waits(100))] }, isContinued: true },
  {
    ...run,
    name: 'automation-run.continued-held-back',
    answers: { runExecution: [found(() => call(1, 0, true))], callWebhookNode: [call(1, 0, true)] },
    isContinued: true,
  },
  {
    ...run,
    name: 'automation-run.resumed',
    input: { ...key, resume: call(2, MINUTE, true) },
    answers: { callWebhookNode: [over()] },
  },
  {
    name: 'automation-nudge.done',
    workflow: 'automationNudge',
    input: { projectId: 'prj_1', automationId: 'wfl_1', cancelUpTo: null },
    answers: { nudgeExecutions: ['exe_1', null] },
  },
  {
    name: 'automation-nudge.continued',
    workflow: 'automationNudge',
    input: { projectId: 'prj_1', automationId: 'wfl_1', cancelUpTo: null, after: 'exe_0' },
    answers: { nudgeExecutions: ['exe_1'] },
    isContinued: true,
  },
];
