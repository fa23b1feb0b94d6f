import {
  ActivityFailure,
  CancellationScope,
  TemporalFailure,
  condition,
  continueAsNew,
  isCancellation,
  patched,
  proxyLocalActivities,
  setCurrentDetails,
  setHandler,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../activities';
import { STEP_MS, automationProgressQuery, nudgeSignal } from '../src/contracts/automation';
import type { AutomationProgress, AutomationRunInput, ExecutionKey, Todo } from '../src/contracts/automation';
import { isWorthNoting } from '../src/contracts/due';
import { noteWait } from './due';
import { summarizedActivities } from './summarized';

/** A database that is away is waited for; what still fails after a day is a defect. */
const PATIENCE = '1 day';
const retry = { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '30 seconds' } as const;

const HEARTBEAT = '6 seconds';

const { advanceExecution, endExecution, runExecution } = summarizedActivities({
  taskQueue: 'orchestration',
  startToCloseTimeout: '1 minute',
  scheduleToCloseTimeout: PATIENCE,
  heartbeatTimeout: HEARTBEAT,
  retry,
});

/** Where the workflow is: one task carries the execution to its next wait. What takes longer, or fails, is done by an activity instead. */
const here = proxyLocalActivities<Activities>({ startToCloseTimeout: STEP_MS, retry: { maximumAttempts: 1 } });

const { callWebhookNode } = summarizedActivities({
  taskQueue: 'http',
  startToCloseTimeout: '3 minutes',
  scheduleToCloseTimeout: PATIENCE,
  heartbeatTimeout: HEARTBEAT,
  retry,
});

const HISTORY_LIMIT = 2_000;

/**
 * A mark is two events in the history of each execution, and one more entry of the list of workflows to write: one stands for all changes so far. What
 * began with a mark of each, or of none, goes on so.
 */
const has = (change: () => boolean): boolean => patched('automation-run.one-mark') || change();

/**
 * Carries one contact through an automation. What is to be done next, and that a node was carried out, is in the execution's document; here are its time
 * and its patience: one activity as far as the next wait, timers, and nudges when something has come that a node waits for. So a repeated nudge does no harm, and
 * an execution whose workflow was lost goes on in a new one.
 */
export async function automationRun({ resume, ...input }: AutomationRunInput): Promise<void> {
  let nudges = 0;
  let todo: Todo = resume ?? { next: 'node', nodeId: null, type: 'trigger' };
  setHandler(nudgeSignal, () => {
    nudges += 1;
  });
  setHandler(automationProgressQuery, () => progressOf(todo));
  try {
    while (todo.next !== 'over') {
      setCurrentDetails(detailsOf(progressOf(todo)));
      const seen: number = nudges;
      if (isHeldBack(todo)) await untilNudged(() => nudges > seen, todo.afterMs, todo);
      todo = await carryOut(input, todo);
      setCurrentDetails(detailsOf(progressOf(todo)));
      if (todo.next === 'wait') await untilNudged(() => nudges > seen, todo.until - Date.now(), todo);
      await afreshWhenLong(input, todo);
    }
  } catch (error) {
    if (isCancellation(error)) await CancellationScope.nonCancellable(() => endExecution({ ...input, how: 'cancelled' }));
    else if (error instanceof ActivityFailure) await endExecution({ ...input, how: 'failed' });
    else throw error;
  }
}

interface HeldBack extends Extract<Todo, { next: 'call' }> {
  readonly heldBack: true;
}

const isHeldBack = (todo: Todo): todo is HeldBack => todo.next === 'call' && todo.heldBack === true;

/** Continues as new when the history is long, but never between the attempts of a call: their number is known to this run alone. A call that is held back may wait for long, so its run may end. */
async function afreshWhenLong(key: ExecutionKey, todo: Todo): Promise<void> {
  const { continueAsNewSuggested, historyLength } = workflowInfo();
  if (todo.next === 'over' || !(continueAsNewSuggested || historyLength > HISTORY_LIMIT)) return;
  if (todo.next !== 'call') await continueAsNew<typeof automationRun>(key);
  else if (isHeldBack(todo)) await continueAsNew<typeof automationRun>({ ...key, resume: todo });
}

async function carryOut(input: ExecutionKey, todo: Todo): Promise<Todo> {
  if (todo.next === 'call') {
    const { nodeId, attempt, afterMs } = todo;
    if (afterMs > 0 && !isHeldBack(todo)) await sleep(afterMs, { summary: `${nodeId}: until webhook attempt ${attempt}` });
    const call = { ...input, attempt, now: Date.now() };
    return callWebhookNode.executeWithOptions({ summary: `${nodeId}: webhook, attempt ${attempt}` }, [call]);
  }
  if (has(() => patched('automation-run.runs-on'))) return runOn(input, todo);
  return advanceExecution.executeWithOptions({ summary: summaryOf(todo) }, [{ ...input, now: Date.now() }]);
}

/** Runs nodes up to the next wait; the result names the nodes on the way, which the history shows. */
async function runOn(input: AutomationRunInput, todo: Todo): Promise<Todo> {
  const summary = `from ${summaryOf(todo)}`;
  try {
    return (await here.runExecution.executeWithOptions({ summary }, [{ ...input, now: Date.now() }])).todo;
  } catch (error) {
    if (!(error instanceof TemporalFailure) || isCancellation(error)) throw error;
  }
  return (await runExecution.executeWithOptions({ summary }, [{ ...input, now: Date.now() }])).todo;
}

function summaryOf(todo: Todo): string {
  const { nodeId, doing } = progressOf(todo);
  return `${nodeId ?? 'trigger'}: ${doing}`;
}

async function untilNudged(nudged: () => boolean, ms: number, todo: Todo): Promise<void> {
  if (ms <= 0) return;
  if (isWorthNoting(ms) && has(() => patched('automation-run.due'))) noteWait(ms);
  await condition(nudged, ms, { summary: summaryOf(todo) });
}

const WAITS = {
  delay: 'waits for the time',
  event: 'waits for an event',
  paused: 'holds: the automation is paused',
  disabled: 'holds: the project is disabled',
  throttled: 'holds: the project is throttled',
  turn: 'waits for its turn',
} as const;

function progressOf(todo: Todo): AutomationProgress {
  switch (todo.next) {
    case 'over':
      return { nodeId: null, doing: todo.status, until: null };
    case 'wait':
      return { nodeId: todo.nodeId, doing: WAITS[todo.cause], until: new Date(todo.until).toISOString() };
    case 'call':
      return {
        nodeId: todo.nodeId,
        doing: `webhook, attempt ${todo.attempt}${isHeldBack(todo) ? ', waits for its turn' : ''}`,
        until: null,
      };
    case 'node':
      return { nodeId: todo.nodeId, doing: todo.type, until: null };
  }
}

const detailsOf = ({ nodeId, doing, until }: AutomationProgress): string =>
  `${nodeId === null ? '' : `Node ${nodeId}: `}${doing}${until === null ? '' : ` until ${until}`}`;
