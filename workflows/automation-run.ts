import {
  ActivityFailure,
  CancellationScope,
  TemporalFailure,
  condition,
  continueAsNew,
  isCancellation,
  proxyLocalActivities,
  setCurrentDetails,
  setHandler,
  sleep,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { Activities } from '../activities';
import { STRETCH_MS, automationProgressQuery, nudgeSignal } from '../src/contracts/automation';
import type {
  AdvanceInput,
  AutomationEnd,
  AutomationProgress,
  AutomationRunInput,
  ExecutionKey,
  RunOn,
  Todo,
  Wait,
  LeftNode,
  AutomationNudgeInput,
} from '../src/contracts/automation';
import { isWorthNoting } from '../src/contracts/rounds';
import { noteWait, mailIds, isHistoryLong } from './turns';
import { summarizedActivities } from './summarized';
import type { SearchAttributeUpdatePair } from '@temporalio/common';
import { LISTED_IDS } from '../src/contracts/waiting-mail';

/** Waits for an unavailable database; a failure that lasts a day is a defect. */
const PATIENCE = '1 day';
const retry = { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '30 seconds' } as const;

const HEARTBEAT = '6 seconds';

const { endExecution, runExecution } = summarizedActivities({
  taskQueue: 'orchestration',
  startToCloseTimeout: '1 minute',
  scheduleToCloseTimeout: PATIENCE,
  heartbeatTimeout: HEARTBEAT,
  retry,
});

/**
 * Runs stretches where the workflow is: one task carries the execution to its next wait. What takes longer, or fails, is done by an activity
 * instead.
 */
const here = proxyLocalActivities<Activities>({ startToCloseTimeout: STRETCH_MS, retry: { maximumAttempts: 1 } });

const { callWebhookNode } = summarizedActivities({
  taskQueue: 'http',
  startToCloseTimeout: '3 minutes',
  scheduleToCloseTimeout: PATIENCE,
  heartbeatTimeout: HEARTBEAT,
  retry,
});

const HISTORY_LIMIT = 2_000;

/**
 * Carries one contact through an automation. The execution's document holds what to do next, and which nodes were carried out; the workflow
 * holds time and retries: one activity up to the next wait, timers, and nudges when something has come that a node waits for. So a repeated
 * nudge does no harm, and an execution whose workflow was lost continues in a new one.
 *
 * People see the path of the execution in the details, in the summaries of timers and activities, each of which names the nodes before it,
 * and in the result. Its mail is found by `EmailId`, which is written with a wait, or at the end.
 */
export async function automationRun({ resume, ...input }: AutomationRunInput): Promise<AutomationEnd> {
  let nudges = 0;
  let todo: Todo = resume ?? { next: 'node', nodeId: null, type: 'trigger' };
  const way = new Way();
  setHandler(nudgeSignal, () => void (nudges += 1));
  setHandler(automationProgressQuery, () => progressOf(todo));
  try {
    while (todo.next !== 'over') {
      tell(todo, way);
      const seen: number = nudges;
      if (isHeldBack(todo)) await untilNudged(() => nudges > seen, todo.afterMs, todo, way);
      todo = await carryOut(input, todo, way);
      tell(todo, way);
      if (todo.next === 'wait') await untilNudged(() => nudges > seen, todo.until - Date.now(), todo, way);
      await afreshWhenLong(input, todo);
    }
  } catch (error) {
    todo = { next: 'over', status: await endOf(input, error) };
    tell(todo, way);
  }
  const mail = way.mail();
  if (mail.length > 0) upsertSearchAttributes([...mail]);
  return { status: todo.status, way: way.names() };
}

/** Ends the execution of a workflow that was cancelled, or whose activity failed for too long. Throws what is not for it to end. */
async function endOf(key: ExecutionKey, error: unknown): Promise<'cancelled' | 'failed'> {
  const how = isCancellation(error) ? 'cancelled' : 'failed';
  if (how === 'cancelled') await CancellationScope.nonCancellable(() => endExecution({ ...key, how }));
  else if (error instanceof ActivityFailure) await endExecution({ ...key, how });
  else throw error;
  return how;
}

function tell(todo: Todo, way: Way): void {
  setCurrentDetails(`${detailsOf(progressOf(todo))}\n\n${way.details()}`.trimEnd());
}

interface HeldBack extends Extract<Todo, { next: 'call' }> {
  readonly heldBack: true;
}

const isHeldBack = (todo: Todo): todo is HeldBack => todo.next === 'call' && todo.heldBack === true;

/**
 * Continues as new when the history is long, but never between the attempts of a call: their number is known to this run alone. A call that
 * is held back may wait for long, so its run may end.
 */
async function afreshWhenLong(key: ExecutionKey, todo: Todo): Promise<void> {
  if (todo.next === 'over' || !isHistoryLong(HISTORY_LIMIT)) return;
  if (todo.next !== 'call') await continueAsNew<typeof automationRun>(key);
  else if (isHeldBack(todo)) await continueAsNew<typeof automationRun>({ ...key, resume: todo });
}

async function carryOut(input: ExecutionKey, todo: Todo, way: Way): Promise<Todo> {
  if (todo.next === 'call') {
    const { nodeId, attempt, afterMs } = todo;
    if (afterMs > 0 && !isHeldBack(todo)) await sleep(afterMs, { summary: `${nodeId}: until webhook attempt ${attempt}` });
    const call = { ...input, attempt, now: Date.now(), known: way.known };
    const summary = way.summary(`${nodeId}: webhook, attempt ${attempt}`);
    const { way: more, ...called } = await callWebhookNode.executeWithOptions({ summary }, [call]);
    way.add(more);
    return called;
  }
  const ran = await runOn({ ...input, known: way.known }, way.summary(`from ${startOf(todo)}`));
  way.add(ran.way);
  return ran.todo;
}

/** Runs nodes up to the next wait; the result names the nodes on the way. */
async function runOn(input: Omit<AdvanceInput, 'now'>, summary: string): Promise<RunOn> {
  try {
    return await here.runExecution.executeWithOptions({ summary }, [{ ...input, now: Date.now() }]);
  } catch (error) {
    if (!(error instanceof TemporalFailure) || isCancellation(error)) throw error;
  }
  return runExecution.executeWithOptions({ summary }, [{ ...input, now: Date.now() }]);
}

function summaryOf(todo: Todo): string {
  const { nodeId, doing, until } = progressOf(todo);
  return `${nodeId ?? 'trigger'}: ${doing}${untilText(until)}`;
}

/** Names the node at which a stretch begins. */
function startOf(todo: Todo): string {
  return todo.next === 'wait' && todo.type !== undefined ? `${todo.nodeId}: ${todo.type}` : summaryOf(todo);
}

async function untilNudged(nudged: () => boolean, ms: number, todo: Todo, way: Way): Promise<void> {
  if (ms <= 0) return;
  if (isWorthNoting(ms)) noteWait(ms, way.mail());
  await condition(nudged, ms, { summary: way.summary(summaryOf(todo)) });
}

const WAITS = {
  delay: 'waits for the time',
  event: 'waits for an event',
  paused: 'holds: the automation is paused',
  disabled: 'holds: the project is disabled',
  throttled: 'holds: the project is throttled',
  turn: 'waits for a free place',
} as const;

function progressOf(todo: Todo): AutomationProgress {
  switch (todo.next) {
    case 'over':
      return { nodeId: null, doing: todo.status, until: null };
    case 'wait':
      return { nodeId: todo.nodeId, doing: waitOf(todo), until: new Date(todo.until).toISOString() };
    case 'call':
      return {
        nodeId: todo.nodeId,
        doing: `webhook, attempt ${todo.attempt}${isHeldBack(todo) ? ', waits for a free place' : ''}`,
        until: null,
      };
    case 'node':
      return { nodeId: todo.nodeId, doing: todo.type, until: null };
  }
}

const waitOf = ({ type, cause, event }: Wait): string =>
  `${type === undefined ? '' : `${type}, `}${WAITS[cause]}${event === undefined ? '' : `: ${event}`}`;

const untilText = (until: string | null): string => (until === null ? '' : ` until ${until}`);

const detailsOf = ({ nodeId, doing, until }: AutomationProgress): string =>
  `${nodeId === null ? '' : `Node ${nodeId}: `}${doing}${untilText(until)}`;

/** Nodes that the details and the result list. */
const LISTED = 50;
/** Temporal takes summaries of 400 bytes, as JSON. */
const SUMMARY_BYTES = 380;

/** The nodes that an execution has left, as far as its workflow knows, and the texts about them for people. */
class Way {
  private readonly left: LeftNode[] = [];
  /** Number of nodes that are in summaries of the history. */
  private said = 0;
  private emailIds: readonly string[] = [];
  private isNamed = true;

  get known(): number {
    return this.left.length;
  }

  add(more: readonly LeftNode[] = []): void {
    this.left.push(...more);
    const sent = more.flatMap(({ emailId }) => emailId ?? []);
    if (sent.length === 0) return;
    this.emailIds = [...this.emailIds, ...sent].slice(-LISTED_IDS);
    this.isNamed = false;
  }

  /** Returns the search attribute that names the newest messages, unless it does. */
  mail(): readonly SearchAttributeUpdatePair[] {
    if (this.isNamed) return [];
    this.isNamed = true;
    return [mailIds(this.emailIds)];
  }

  /** Returns the summary of what follows: it also names the nodes that no summary has named, the newest at least. */
  summary(text: string): string {
    const unsaid = this.left.slice(this.said).map(nameOf);
    this.said = this.left.length;
    for (let from = 0; from < unsaid.length; from++) {
      const whole = `${text} (after ${from === 0 ? '' : '…, '}${unsaid.slice(from).join(', ')})`;
      if (bytesOf(whole) <= SUMMARY_BYTES) return whole;
    }
    return text;
  }

  /** Lists the last nodes, in Markdown, with their numbers. */
  details(): string {
    const from = Math.max(0, this.left.length - LISTED);
    return this.left
      .slice(from)
      .map(lineOf(from + 1))
      .join('\n');
  }

  names(): readonly string[] {
    return this.left.slice(-LISTED).map(nameOf);
  }
}

const bytesOf = (text: string): number => new TextEncoder().encode(JSON.stringify(text)).length;

const nameOf = ({ nodeId, type, branch, status }: LeftNode): string =>
  `${nodeId}: ${type}${branch === undefined ? '' : ` → ${branch}`}${status === undefined ? '' : ` (${status})`}`;

const lineOf =
  (first: number) =>
  (node: LeftNode, index: number): string =>
    `${first + index}. \`${nameOf(node).replaceAll('`', "'")}\` at ${new Date(node.at).toISOString()}${node.emailId === undefined ? '' : `, ${node.emailId}`}`;

const { nudgeExecutions } = summarizedActivities({
  taskQueue: 'bulk',
  startToCloseTimeout: '2 minutes',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '30 seconds' },
});

/** Signals the executions of an automation, page by page, that something has changed for all of them. */
export async function automationNudge({ after = '', ...input }: AutomationNudgeInput & { readonly after?: string }): Promise<void> {
  for (let from: string | null = after, pages = 1; from !== null; pages++) {
    from = await nudgeExecutions({ ...input, after: from });
    setCurrentDetails(`${pages} pages of executions signalled`);
    if (from !== null && isHistoryLong(HISTORY_LIMIT)) await continueAsNew<typeof automationNudge>({ ...input, after: from });
  }
}
