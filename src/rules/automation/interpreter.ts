import { nextNode } from './graph';
import type { Finish, Input, State, StepClosed, StepOpened, StepRecord, Transition } from './machine';
import type { AskingNode, Configured } from './node';
import { rulesOf } from './nodes';
import type { NodeEffect } from './nodes';
import type { Edge, Graph, GraphNode, NodeType } from './graph';

/** Begins at the trigger of a graph without faults (`checkGraph`). */
export function start(graph: Outline, executionId: string): Transition {
  const trigger = graph.nodes.find(({ type }) => type === 'trigger');
  if (!trigger) throw new Error('The graph has no trigger');
  return enter(graph, executionId, trigger, []);
}

/** The part of a node that the interpreter reads; the rules of its type say which part of the configuration that is. */
interface OutlineNode {
  readonly id: string;
  readonly type: NodeType;
  readonly config?: unknown;
}

/** The part of a graph that the interpreter reads; a whole graph is valid too. */
interface Outline {
  readonly nodes: readonly OutlineNode[];
  readonly edges: readonly Edge[];
}

/** Returns a graph without content, conditions and filters: small enough for a workflow's history. */
export const outlineOf = ({ nodes, edges }: Graph): Outline => ({
  nodes: nodes.map(outlineNode),
  edges: edges.map(({ from, to, branch }) => ({ from, to, ...(branch !== undefined && { branch }) })),
});

function outlineNode(node: GraphNode): OutlineNode {
  const { id, type } = node;
  const rules = rulesOf(node);
  return { id, type, ...(rules.outline && { config: rules.outline(node.config) }) };
}

/**
 * Returns the transition for the result of the last effect: what to record and what to do next. `cancel` is accepted at any time; an
 * execution that has ended stays as it ended. Throws when the input answers another question.
 */
export function transitionFor(graph: Outline, state: State, input: Input): Transition {
  if (state.phase === 'over') return resume(graph, state);
  const node = nodeOf(graph, state.nodeId);
  const { executionId } = state;
  if (input.kind === 'cancel') {
    const record = closed(node, { status: 'skipped', output: { skipped: 'cancelled' } });
    return over(executionId, { status: 'cancelled', reason: input.reason, error: null }, [record]);
  }
  if (input.kind === 'failed') {
    const record = closed(node, { status: 'failed', error: input.error });
    return over(executionId, { status: 'failed', reason: null, error: input.error }, [record]);
  }
  const { rules, configured } = asked(node);
  const onward = rules.goesOn?.(state, input);
  if (onward) return resume(graph, onward);
  const outcome = rules.outcome(configured, state, input);
  if (!outcome) throw new Error(`${input.kind} is no answer to the ${node.type} node ${node.id}`);
  return leave(graph, executionId, node, closed(node, outcome), []);
}

/** Returns the transition of a stored state, with nothing to record: for a host that begins again. */
export function resume(graph: Outline, state: State): Transition {
  if (state.phase === 'over') return { state, records: [], effect: { kind: 'finish', ...state.finish } };
  const { rules, configured } = asked(nodeOf(graph, state.nodeId));
  return { state, records: [], effect: rules.effect(configured, state) };
}

/** Goes to a node; what needs nothing from outside is passed in the same transition. */
function enter(graph: Outline, executionId: string, node: OutlineNode, before: readonly StepRecord[]): Transition {
  const rules = rulesOf(node);
  const opened: StepOpened = { kind: 'open', nodeId: node.id, type: node.type, status: rules.waits ? 'waiting' : 'running' };
  const records = [...before, opened];
  if (!('pass' in rules)) return { ...resume(graph, { phase: 'asking', executionId, nodeId: node.id }), records };
  const passed = rules.pass(configuredOf(node), executionId);
  if ('exit' in passed) return over(executionId, { status: 'exited', reason: passed.exit, error: null }, [...records, closed(node, {})]);
  return leave(graph, executionId, node, closed(node, passed), records);
}

/** Leaves a node by an outcome; one without an edge completes the execution. */
function leave(graph: Outline, executionId: string, node: OutlineNode, record: StepClosed, before: readonly StepRecord[]): Transition {
  const records = [...before, record];
  const next = nextNode(graph, node.id, record.branch);
  if (next === null) return over(executionId, { status: 'completed', reason: null, error: null }, records);
  return enter(graph, executionId, nodeOf(graph, next), records);
}

function over(executionId: string, finish: Finish, records: readonly StepRecord[]): Transition {
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

interface Asked {
  readonly rules: AskingNode<unknown, NodeEffect>;
  readonly configured: Configured<unknown>;
}

function asked(node: OutlineNode): Asked {
  const rules = rulesOf(node);
  if ('pass' in rules) throw new Error(`Nothing is asked at the ${node.type} node ${node.id}`);
  return { rules, configured: configuredOf(node) };
}

const configuredOf = ({ id, config }: OutlineNode): Configured<unknown> => ({ id, config });

function nodeOf(graph: Outline, nodeId: string): OutlineNode {
  const node = graph.nodes.find(({ id }) => id === nodeId);
  if (!node) throw new Error(`The graph has no node ${nodeId}`);
  return node;
}
