import { Context } from '@temporalio/activity';
import {
  advance,
  callNode,
  failExecution,
  localSteps,
  nudgePage,
  runOn,
  stopExecution,
  sweepExecutions,
} from '../src/marketing/automations';
import type { Core } from '../src/platform/core';
import type { AdvanceInput, CallInput, ExecutionKey, NudgePageInput, RunOn, Todo } from '../src/contracts/automation';
import { withHeartbeat } from './with-heartbeat';

const BEAT_MS = 1_000;

/** A worker that dies in the middle is noticed by its heart: the node is carried out again seconds later, not when its time is up. */
const beating = <T>(work: () => Promise<T>): Promise<T> => withHeartbeat(BEAT_MS, work);

export const automationActivities = (core: Core) => ({
  /** Carries out one node. Safe to retry, and to run twice at once: a turn that was taken is not taken again. */
  async advanceExecution(input: AdvanceInput): Promise<Todo> {
    return beating(() => advance(core, input, Context.current().info.workflowExecution?.runId ?? null));
  },

  /** Carries out nodes up to the next wait, webhook or end. Safe to retry, and to run twice at once, as a step by itself is. */
  async runExecution(input: AdvanceInput): Promise<RunOn> {
    const { isLocal, workflowExecution } = Context.current().info;
    const work = (): Promise<RunOn> => beating(() => runOn(core, input, workflowExecution?.runId ?? null));
    return isLocal ? localSteps(core).run(input, work) : work();
  },

  /** Calls a webhook node's URL. A retry after a crash may call again, with the same key; what came of it is recorded once. */
  async callWebhookNode(input: CallInput): Promise<Todo> {
    return beating(() => callNode(core, input));
  },

  /** Safe to retry: an execution that is over stays as it ended. */
  async endExecution({ how, ...key }: ExecutionKey & { readonly how: 'cancelled' | 'failed' }): Promise<void> {
    await beating(() => (how === 'cancelled' ? stopExecution : failExecution)(key));
  },

  /** Signals a page of executions. Safe to retry: a second signal changes nothing. */
  async nudgeExecutions(input: NudgePageInput): Promise<string | null> {
    return nudgePage(core, input);
  },

  /** Starts executions whose workflow is missing. Safe to retry: a workflow that runs already is not started again. */
  async sweepExecutions(): Promise<number> {
    return sweepExecutions(core, new Date());
  },
});
