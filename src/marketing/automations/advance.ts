import { perDatabase } from '../../platform/mongo';
import { Batcher } from '../../platform/batch';
import type { Core } from '../../platform/core';
import type { AdvanceInput, ExecutionKey, Todo, RunOn, LeftNode } from '../../contracts/automation';
import { eventsReceived } from '../../records/events';
import { metrics } from '../../platform/metrics';
import type { Graph, NodeType } from '../../rules/automation/graph';
import { resume, transitionFor } from '../../rules/automation/interpreter';
import type { Effect, Input, State } from '../../rules/automation/machine';
import type { NodeEffect } from '../../rules/automation/nodes';
import { act, actingNode } from './act';
import type { Act, GraphPosition } from './act';
import { calleeOf, heldBackCall } from './calls';
import type { CallPosition } from './calls';
import { ExecutionModel } from './execution-model';
import type { Execution, Wait, Step } from './execution-model';
import { closedBy, executionNow } from './now';
import { loadGraph, nodeOfType } from './graphs';
import { NOTHING_KNOWN, begin, by, complete, continueHeld, leaveDigest } from './transitions';
import type { TransitionResult } from './transitions';
import { firstThatEnds } from './waits';

/** Interval for checking a held execution. A nudge arrives at once, except when a project is enabled again. */
const CHECK_AGAIN_MS = { paused: 3_600_000, disabled: 60_000 } as const;

/** The next thing for an execution, and its state. */
export interface Standing {
  readonly todo: Todo;
  readonly execution: Execution | null;
}

interface Advanced extends Standing {
  /** The execution after the transition. */
  readonly known: TransitionResult;
}

/**
 * Does the next thing that an execution's document says, as the previous transition left it, and returns what follows. Its position is stored
 * nowhere else, so a call may be repeated, and its workflow may start again: no transition is made twice.
 *
 * | killed here                           | found                             | happens                                                    |
 * |---------------------------------------|-----------------------------------|------------------------------------------------------------|
 * | before the transaction of a transition      | its steps open, nothing done      | the activity is tried again and does it                    |
 * | after its commit                      | its steps closed, the next one open | tried again, it makes the next transition                      |
 * | in a wait, not searched yet        | `waitingFor`                      | searches from the mark that was taken with the transition      |
 * | an event noted in a wait, no nudge    | `waitingFor.eventId`              | the event comes again and nudges; or the timer finds it    |
 * | over, its workflow not ended          | over                              | tried again, it reports so                                 |
 * | its workflow lost                     | `checkAt` in the past             | the sweep starts it again                                  |
 */
export async function advanceFrom(core: Core, input: AdvanceInput, runId: string | null, known: TransitionResult): Promise<Advanced> {
  const execution = known.execution ?? (await findOpen(input, runId));
  if (!execution) return { ...(await over(input)), known: NOTHING_KNOWN };
  const graph = await loadGraph(execution.projectId, execution.graphId);
  const moved = await move({ core, execution, graph, now: new Date(input.now) }, known.mayEnter);
  if ('next' in moved) return { todo: moved, execution, known: NOTHING_KNOWN };
  return { ...(await after(core, input, moved)), known: moved };
}

/** Resolves to what follows after a transition. */
export async function after(core: Core, key: ExecutionKey, result: TransitionResult): Promise<Standing> {
  const execution = result.execution ?? (await executionNow(key));
  if (!execution) return GONE;
  return { todo: todoOf(core, execution, await loadGraph(key.projectId, execution.graphId)), execution };
}

function todoOf(core: Core, execution: Execution, graph: Graph): Todo {
  const effect = effectOf(execution, graph);
  if (effect?.kind === 'finish') return { next: 'over', status: execution.status };
  if (effect?.kind === 'callWebhook') return firstCall(core, { execution, graph, nodeId: effect.nodeId });
  const nodeId = effect?.nodeId ?? execution.currentNodeId;
  return { next: 'node', nodeId, type: typeIn(graph, nodeId) };
}

const typeIn = (graph: Graph, nodeId: string | null): NodeType => graph.nodes.find(({ id }) => id === nodeId)?.type ?? 'trigger';

async function findOpen(key: ExecutionKey, runId: string | null): Promise<Execution | null> {
  const execution = await executionNow(key);
  if (!execution?.checkAt) return null;
  if (runId !== null && execution.runId !== runId) await noteRuns().add({ ...key, runId });
  return execution;
}

/** Stores the run ids of workflows; concurrent calls share a write. */
const noteRuns = perDatabase(
  () =>
    new Batcher((runs: readonly (ExecutionKey & { readonly runId: string })[]) => {
      const writes = runs.map(({ executionId, projectId, runId }) => ({
        updateOne: { filter: { _id: executionId, projectId }, update: { $set: { runId } } },
      }));
      return ExecutionModel.collection.bulkWrite(writes, { ordered: false });
    }),
);

const GONE: Standing = { todo: { next: 'over', status: 'gone' }, execution: null };

async function over(key: ExecutionKey): Promise<Standing> {
  const execution = await executionNow(key);
  return execution ? { todo: { next: 'over', status: execution.status }, execution } : GONE;
}

/** Returns the current effect; null when the execution has not begun, or is held before the next node. */
const effectOf = ({ state, pending }: Execution, graph: Graph): Effect | null =>
  state === null || pending !== null ? null : resume(graph, state).effect;

/** Moves an execution on. Resolves to what it has to wait for, or to the transition. */
async function move(position: GraphPosition, mayEnter: boolean): Promise<Todo | TransitionResult> {
  const { execution, graph, now } = position;
  const effect = effectOf(execution, graph);
  switch (effect?.kind) {
    case 'finish':
      return NOTHING_KNOWN;
    case 'computeDelay':
      return complete(execution, graph, now, by());
    case 'sleepUntil':
      return sleep(position, effect);
    case 'gather':
      return gather(position, effect);
    case 'registerWait': {
      const ended = await waitFor(position, effect);
      return 'kind' in ended ? onward(position, ended) : ended;
    }
    default:
      // A node that was left a moment ago asked for this one, in the transaction of its transition.
      return (mayEnter ? null : await reasonToWait(position)) ?? moveOn(position, effect);
  }
}

async function sleep(
  position: GraphPosition,
  { nodeId, ...effect }: Extract<Effect, { kind: 'sleepUntil' }>,
): Promise<Todo | TransitionResult> {
  const until = Date.parse(effect.until);
  if (position.now.getTime() < until) return { next: 'wait', nodeId, type: 'delay', until, cause: 'delay' };
  metrics.timerLag.observe(Math.max(0, Date.now() - until) / 1_000);
  return onward(position, { kind: 'woke' });
}

/** Waits at a digest. It is left in a transition of its own: the nodes after it read what that transition has found gathered. */
async function gather(
  { execution, graph, now }: GraphPosition,
  { nodeId }: Extract<Effect, { kind: 'gather' }>,
): Promise<Todo | TransitionResult> {
  const { gathering } = execution;
  if (!gathering || now >= gathering.until) return leaveDigest(execution, graph, now);
  const { event, until } = gathering;
  return { next: 'wait', nodeId, type: 'digest', until: until.getTime(), cause: 'event', event };
}

/** Passes the gate: begins, continues, or runs the node. */
async function moveOn(position: GraphPosition, effect: Pick<NodeEffect, 'kind' | 'nodeId'> | null): Promise<Todo | TransitionResult> {
  const { core, execution, graph, now } = position;
  if (execution.state === null) return begin(execution, graph, now);
  if (!effect) return continueHeld(execution, graph, now);
  if (effect.kind === 'callWebhook') return firstCall(core, { execution, graph, nodeId: effect.nodeId });
  const done = await act(position, effect.nodeId);
  return 'next' in done ? done : onward(position, done);
}

/** Time within which nodes join the transition of the one before them. */
const JOIN_MS = 500;

/**
 * Applies a transition that ends the current node, and those after it as far as their results are known, and does the work of the next one: they share a transaction.
 * What cannot join has a transition of its own, in which it fails, or waits.
 */
async function onward(position: GraphPosition, first: Act): Promise<TransitionResult> {
  const { execution, graph, now } = position;
  const deadline = performance.now() + JOIN_MS;
  const results: Input[] = [];
  let next: Act | null = first;
  for (let { state } = execution; next && 'kind' in next && state; next = await joining(position, state, deadline)) {
    results.push(next);
    ({ state } = transitionFor(graph, state, next));
  }
  return complete(execution, graph, now, { ...by(...results), ...(next && 'work' in next && next) });
}

/** Runs the current node of a state; null if it does not act, or failed. */
async function joining(position: GraphPosition, state: State, deadline: number): Promise<Act | null> {
  const { effect } = resume(position.graph, state);
  if (effect.kind === 'finish' || !actingNode(position.graph, effect.nodeId) || performance.now() > deadline) return null;
  return act(position, effect.nodeId).catch(() => null);
}

/**
 * Returns the first attempt of a call. It is delayed if this process already makes as many calls to that server as it may, so that the
 * executions of a crowd do not ask for a free place with an activity each, which costs as much as a call.
 */
function firstCall(core: Core, position: CallPosition): Todo {
  const callee = calleeOf(position);
  if (!core.calls.admits(callee)) return heldBackCall(core, callee, position.nodeId, 1);
  return { next: 'call', nodeId: position.nodeId, attempt: 1, afterMs: 0 };
}

/**
 * Resolves to the reason why the execution may not continue, as a wait, or to null. Notes the hold before it reads the gate again: an
 * opening either finds the note, or is seen here.
 */
export async function reasonToWait({ execution, graph, now }: Omit<GraphPosition, 'core'>): Promise<Todo | null> {
  if (!(await closedBy(execution))) return null;
  const { _id, projectId, turn } = execution;
  await ExecutionModel.updateOne({ _id, projectId, turn, checkAt: { $exists: true } }, { $set: { nudge: true } });
  const cause = await closedBy(execution);
  const { currentNodeId: nodeId } = execution;
  return cause && { next: 'wait', nodeId, type: typeIn(graph, nodeId), until: now.getTime() + CHECK_AGAIN_MS[cause], cause };
}

/** Waits for an event. The wait was stored with the transition: an event since then is found by its delivery, or here. */
async function waitFor(position: GraphPosition, { nodeId }: Extract<Effect, { kind: 'registerWait' }>): Promise<Todo | Input> {
  const { execution, now } = position;
  const wait = execution.waitingFor;
  if (!wait) throw new Error(`The wait of ${execution._id} was not noted`);
  const eventId = wait.eventId ?? (await findEarlierEvent(position, wait));
  if (eventId !== null) return { kind: 'eventArrived', eventId };
  if (now >= wait.until) return { kind: 'timedOut' };
  return { next: 'wait', nodeId, type: 'wait_for_event', until: wait.until.getTime(), cause: 'event', event: wait.event };
}

async function findEarlierEvent({ core, execution, graph }: GraphPosition, { nodeId, event, since, until }: Wait): Promise<string | null> {
  const { projectId, contactId, testMode } = execution;
  if (contactId === null) return null;
  const found = await eventsReceived({ projectId, contactId, name: event, liveOnly: !testMode }, since, until);
  return (await firstThatEnds(core, execution, nodeOfType(graph, nodeId, 'wait_for_event').config, found))?._id ?? null;
}

/** A call ends after this time, so that other executions share the worker; the next call continues. */
const SHARE_MS = 2_000;

/**
 * Runs an execution, transition after transition, until it waits, has a server to call, or is over, and returns that with the nodes that it has left.
 * Each transition is recorded under a number that is used once: killed anywhere, it continues after the last recorded one.
 */
export async function runOn(core: Core, input: AdvanceInput, runId: string | null): Promise<RunOn> {
  const began = performance.now();
  let known = NOTHING_KNOWN;
  for (;;) {
    const elapsed = performance.now() - began;
    const advanced = await advanceFrom(core, { ...input, now: input.now + Math.round(elapsed) }, runId, known);
    const { todo, execution } = advanced;
    known = advanced.known;
    if (todo.next !== 'node' || elapsed > SHARE_MS) return { todo, way: wayOf(execution, input.known) };
  }
}

/** Returns the nodes that an execution has left, in order, without the first `known` ones. */
export const wayOf = (execution: Execution | null, known = 0): readonly LeftNode[] =>
  (execution?.steps ?? []).filter(hasEnded).slice(known).map(leftNode);

type Ended = Step & { readonly finishedAt: Date };

const hasEnded = (step: Step): step is Ended => step.finishedAt !== null;

const leftNode = ({ nodeId, type, finishedAt, branch, status, output }: Ended): LeftNode => ({
  nodeId,
  type,
  at: finishedAt.getTime(),
  ...(branch !== null && { branch }),
  ...(status !== 'completed' && { status }),
  ...(typeof output?.['emailId'] === 'string' && { emailId: output['emailId'] }),
});
