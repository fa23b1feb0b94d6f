import { spanMilliseconds } from './delay';
import { nextNode } from './graph';
import type { Effect, Finish, Input, State, StepClosed, StepOpened, StepRecord, Turn } from './machine';
import { outcomeOf } from './outcome';
import type { Outline, OutlineNode } from './outline';
import { chooseBranch } from './split';

const LONGEST_WAIT = { amount: 365, unit: 'days' } as const;

/** Begins at the trigger of a graph without faults (`checkGraph`). */
export function start(graph: Outline, executionId: string): Turn {
  const trigger = graph.nodes.find(({ type }) => type === 'trigger');
  if (!trigger) throw new Error('The graph has no trigger');
  return enter(graph, executionId, trigger, []);
}

/**
 * Makes one move: takes the result of the last effect, returns what is to be recorded and what is to be done next. `cancel`
 * is taken at any time; an execution that is over stays as it ended. Throws when the input answers another question.
 */
export function step(graph: Outline, state: State, input: Input): Turn {
  if (state.phase === 'over') return resume(graph, state);
  const node = nodeOf(graph, state.nodeId);
  const { executionId, nodeId } = state;
  if (input.kind === 'cancel') {
    const record = closed(node, { status: 'skipped', output: { skipped: 'cancelled' } });
    return over(executionId, { status: 'cancelled', reason: input.reason, error: null }, [record]);
  }
  if (input.kind === 'failed') {
    const record = closed(node, { status: 'failed', error: input.error });
    return over(executionId, { status: 'failed', reason: null, error: input.error }, [record]);
  }
  if (input.kind === 'delayComputed' && node.type === 'delay' && state.phase === 'asking') {
    return resume(graph, { phase: 'sleeping', executionId, nodeId, until: input.until });
  }
  return leave(graph, executionId, node, closed(node, outcomeOf(node, state, input)), []);
}

/** Returns the turn at which a stored state stands, with nothing to record: for a shell that begins again. */
export function resume(graph: Outline, state: State): Turn {
  const effect: Effect = state.phase === 'over' ? { kind: 'finish', ...state.finish } : effectOf(nodeOf(graph, state.nodeId), state);
  return { state, records: [], effect };
}

/** Goes to a node; what needs nothing from outside is passed in the same turn. */
function enter(graph: Outline, executionId: string, node: OutlineNode, before: readonly StepRecord[]): Turn {
  const waits = node.type === 'delay' || node.type === 'wait_for_event';
  const opened: StepOpened = { kind: 'open', nodeId: node.id, type: node.type, status: waits ? 'waiting' : 'running' };
  const records = [...before, opened];
  switch (node.type) {
    case 'trigger':
      return leave(graph, executionId, node, closed(node, {}), records);
    case 'split':
      return leave(graph, executionId, node, closed(node, { branch: chooseBranch(executionId, node.id, node.config.branches) }), records);
    case 'exit':
      return over(executionId, { status: 'exited', reason: node.config.reason ?? null, error: null }, [...records, closed(node, {})]);
    default:
      return { ...resume(graph, { phase: 'asking', executionId, nodeId: node.id }), records };
  }
}

/** An outcome without an edge completes the execution. */
function leave(graph: Outline, executionId: string, node: OutlineNode, record: StepClosed, before: readonly StepRecord[]): Turn {
  const records = [...before, record];
  const next = nextNode(graph, node.id, record.branch);
  if (next === null) return over(executionId, { status: 'completed', reason: null, error: null }, records);
  return enter(graph, executionId, nodeOf(graph, next), records);
}

function over(executionId: string, finish: Finish, records: readonly StepRecord[]): Turn {
  return { state: { phase: 'over', executionId, finish }, records, effect: { kind: 'finish', ...finish } };
}

const closed = ({ id, type }: OutlineNode, result: Partial<StepClosed>): StepClosed => ({
  kind: 'close',
  nodeId: id,
  type,
  status: 'completed',
  branch: null,
  output: null,
  error: null,
  ...result,
});

const QUESTIONS = {
  send_email: 'sendEmail',
  condition: 'askCondition',
  switch: 'askSwitch',
  update_contact: 'updateContact',
  add_to_segment: 'addToSegment',
  remove_from_segment: 'removeFromSegment',
  emit_event: 'emitEvent',
  webhook: 'callWebhook',
} as const;

function effectOf(node: OutlineNode, state: Exclude<State, { phase: 'over' }>): Effect {
  const nodeId = node.id;
  switch (node.type) {
    case 'delay':
      if (state.phase === 'sleeping') return { kind: 'sleepUntil', nodeId, until: state.until };
      return { kind: 'computeDelay', nodeId, delay: node.config };
    case 'wait_for_event': {
      const { event, timeout } = node.config;
      return { kind: 'registerWait', nodeId, event, timeoutMilliseconds: spanMilliseconds(timeout ?? LONGEST_WAIT) };
    }
    case 'trigger':
    case 'split':
    case 'exit':
      throw new Error(`Nothing is asked at the ${node.type} node ${nodeId}`);
    default:
      return { kind: QUESTIONS[node.type], nodeId };
  }
}

function nodeOf(graph: Outline, nodeId: string): OutlineNode {
  const node = graph.nodes.find(({ id }) => id === nodeId);
  if (!node) throw new Error(`The graph has no node ${nodeId}`);
  return node;
}
