import { ApplicationFailure, Context } from '@temporalio/activity';
import {
  NoPlace,
  callNode,
  failExecution,
  localStretches,
  nudgePage,
  runOn,
  stopExecution,
  sweepExecutionShare,
  sweepExecutions,
} from '../src/marketing/automations';
import type { Core } from '../src/platform/core';
import type { AdvanceInput, CallInput, Called, ExecutionKey, NudgePageInput, RunOn } from '../src/contracts/automation';
import { withHeartbeat } from './with-heartbeat';

const BEAT_MS = 1_000;

// A worker that dies in the middle is noticed by its heart: the node is carried out again seconds later, not when its time is up.
const beating = <T>(work: () => Promise<T>, context?: Context): Promise<T> => withHeartbeat(BEAT_MS, work, context);

/** Lets Temporal try again when there may be a place: the wait is no event of the execution's history. */
async function triedAgain<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof NoPlace)) throw error;
    throw ApplicationFailure.create({ message: error.message, type: error.name, nextRetryDelay: error.returnInMs });
  }
}

export const automationActivities = (core: Core) => ({
  /** Carries out a stretch: nodes up to the next wait, webhook or end. Safe to retry, and to run twice at once, like each of its steps. */
  async runExecution(input: AdvanceInput): Promise<RunOn> {
    const context = Context.current();
    const { isLocal, workflowExecution } = context.info;
    const work = (): Promise<RunOn> => beating(() => runOn(core, input, workflowExecution?.runId ?? null), context);
    const stretches = localStretches(core);
    return isLocal ? stretches.run(input, work) : triedAgain(() => stretches.runApart(input, work));
  },

  /** Calls a webhook node's URL. A retry after a crash may call again, with the same key; what came of it is recorded once. */
  async callWebhookNode(input: CallInput): Promise<Called> {
    return beating(() => callNode(core, input));
  },

  /** Cancels or fails an execution. Safe to retry: an execution that is over stays as it ended. */
  async endExecution({ how, ...key }: ExecutionKey & { readonly how: 'cancelled' | 'failed' }): Promise<void> {
    await beating(() => (how === 'cancelled' ? stopExecution : failExecution)(key));
  },

  /** Signals a page of executions. Safe to retry: a second signal changes nothing. */
  async nudgeExecutions(input: NudgePageInput): Promise<string | null> {
    return nudgePage(core, input);
  },

  /** Starts executions whose workflow is missing, unless there are many. Safe to retry: a workflow that runs already is not started again. */
  async sweepExecutions(): Promise<number> {
    return sweepExecutions(core, new Date());
  },

  /** Starts the executions of one share of a backlog, as many as time allows. Safe to retry and to run twice at once: Temporal refuses a second start. */
  async sweepExecutionShare({ share }: { readonly share: string }): Promise<number> {
    return sweepExecutionShare(core, new Date(), share);
  },
});
