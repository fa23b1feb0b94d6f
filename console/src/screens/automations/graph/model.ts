import type { Schemas } from '../../../parts/api.ts';

export const TYPES = [
  ['trigger', 'Trigger'],
  ['send_email', 'Send email'],
  ['digest', 'Digest'],
  ['delay', 'Wait'],
  ['wait_for_event', 'Wait for event'],
  ['condition', 'Condition'],
  ['switch', 'Switch'],
  ['split', 'Random split'],
  ['update_contact', 'Update contact'],
  ['add_to_segment', 'Add to segment'],
  ['remove_from_segment', 'Remove from segment'],
  ['emit_event', 'Send event'],
  ['webhook', 'Webhook'],
  ['exit', 'End'],
] as const;

export type NodeType = (typeof TYPES)[number][0];

export type Config = Readonly<Record<string, unknown>>;

export interface GraphNode {
  readonly id: string;
  readonly type: NodeType;
  readonly name?: string;
  readonly config: Config;
  readonly position?: unknown;
}

interface GraphEdge {
  readonly id?: string;
  readonly from: string;
  readonly to: string;
  readonly branch?: string;
}

export interface Graph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

type WireGraph = Schemas['CheckWorkflowRequest']['graph'];

/** Returns a stored graph, which may be any, with each part of the right shape. */
export const graphOf = (stored: Schemas['WorkflowGraph'] | null): Graph => (stored ?? FIRST) as unknown as Graph;

export const wireOf = (graph: Graph): WireGraph => graph as unknown as WireGraph;

/** The initial graph. */
const FIRST: Graph = { nodes: [{ id: 'trigger', type: 'trigger', config: {} }], edges: [] };

const WORDS = new Map<string, string>(TYPES);

export const typeWords = (type: string): string => WORDS.get(type) ?? type;

/** Fields of a contact that a step changes, apart from custom ones. */
export const CONTACT_FIELDS = [
  ['firstName', 'First name'],
  ['lastName', 'Last name'],
  ['locale', 'Locale'],
  ['timezone', 'Time zone'],
] as const;

const CONFIGS: Readonly<Record<NodeType, Config>> = {
  trigger: {},
  send_email: { subject: 'New message', body: '<p>Hello {{firstName | "there"}}</p>', fromEmail: '', type: 'marketing' },
  digest: { window: { amount: 1, unit: 'hours' } },
  delay: { amount: 1, unit: 'days' },
  wait_for_event: { event: '', timeout: { amount: 3, unit: 'days' } },
  condition: { conditions: { logic: 'and', groups: [{ filters: [{ field: 'email.opened', operator: 'triggered' }] }] } },
  switch: { field: '', cases: [{ branch: 'first', operator: 'equals', value: '' }] },
  split: {
    branches: [
      { branch: 'a', weight: 1 },
      { branch: 'b', weight: 1 },
    ],
  },
  update_contact: {},
  add_to_segment: { segmentId: '' },
  remove_from_segment: { segmentId: '' },
  emit_event: { name: '' },
  webhook: { url: '', method: 'POST' },
  exit: {},
};

/** Returns a text member of a configuration. */
export const textIn = (config: Config, member: string): string => {
  const value = config[member];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
};

/** Returns the names of branches in a configuration. */
export const namesIn = (rows: unknown): readonly string[] =>
  Array.isArray(rows) ? (rows as readonly Config[]).map((row) => textIn(row, 'branch')) : [];

/** Returns the names of a node's outcomes; null is the outcome without a name, and an exit has none. */
export function outcomesOf({ type, config }: GraphNode): readonly (string | null)[] {
  switch (type) {
    case 'wait_for_event':
      return ['event', 'timeout'];
    case 'condition':
      return ['yes', 'no'];
    case 'switch':
      return [...namesIn(config['cases']), 'default'];
    case 'split':
      return namesIn(config['branches']);
    case 'webhook':
      return ['success', 'failure'];
    case 'exit':
      return [];
    default:
      return [null];
  }
}

export const nextOf = ({ edges }: Graph, from: string, branch: string | null): string =>
  edges.find((edge) => edge.from === from && (edge.branch ?? null) === branch)?.to ?? '';

/** Returns the same graph, in which an outcome leads to another node, or nowhere. */
export function connected(graph: Graph, from: string, branch: string | null, to: string): Graph {
  const others = graph.edges.filter((edge) => edge.from !== from || (edge.branch ?? null) !== branch);
  return { ...graph, edges: to === '' ? others : [...others, { from, to, ...(branch !== null && { branch }) }] };
}

/** Returns the id that the next node of a type gets. */
export function freeId({ nodes }: Graph, type: NodeType): string {
  const taken = new Set(nodes.map(({ id }) => id));
  for (let number = 1; ; number++) if (!taken.has(`${type}_${number}`)) return `${type}_${number}`;
}

/** An outcome of a node. */
export interface Outcome {
  readonly from: string;
  readonly branch: string | null;
}

/** Returns where the next step after a node goes: the first outcome on its way that leads nowhere. Null where every way leads on, or ends. */
function endAfter(graph: Graph, start: GraphNode): Outcome | null {
  const seen = new Set<string>();
  for (let node: GraphNode | undefined = start; node && !seen.has(node.id);) {
    const { id } = node;
    seen.add(id);
    const free = outcomesOf(node).find((branch) => nextOf(graph, id, branch) === '');
    if (free !== undefined) return { from: id, branch: free };
    const next = nextOf(graph, id, outcomesOf(node)[0] ?? null);
    node = graph.nodes.find((each) => each.id === next);
  }
  return null;
}

/** Returns where a step behind a node goes: at its first open outcome, else between it and what follows it; after the trigger, at the end. */
export function placeAfter(graph: Graph, node: GraphNode): Outcome | null {
  if (node.type === 'trigger') return endAfter(graph, node);
  const outcomes = outcomesOf(node);
  const free = outcomes.find((branch) => nextOf(graph, node.id, branch) === '') ?? outcomes[0];
  return free === undefined ? null : { from: node.id, branch: free };
}

/** A step that is not in the graph yet: a new one, or a copy. */
export type NewStep = Pick<GraphNode, 'type' | 'config'> & Partial<GraphNode>;

/** Returns a step of a type, as it begins; a message begins with a sender, if one is known. */
export const newStep = (type: NodeType, fromEmail: string | undefined): NewStep => ({
  type,
  config: type === 'send_email' && fromEmail !== undefined ? { ...CONFIGS[type], fromEmail } : CONFIGS[type],
});

/** Returns the same graph with one node more at an outcome. What followed there follows the new node, unless that ends. */
export function withNode(graph: Graph, given: NewStep, at: Outcome | null): Graph {
  const { position: _place, ...rest } = given;
  const node = { ...rest, id: freeId(graph, given.type) };
  const grown = { ...graph, nodes: [...graph.nodes, node] };
  if (!at) return grown;
  const after = nextOf(graph, at.from, at.branch);
  const [first] = outcomesOf(node);
  const led = connected(grown, at.from, at.branch, node.id);
  return after !== '' && first !== undefined ? connected(led, node.id, first, after) : led;
}

/** Returns the same graph without a node. What led to it leads to what followed its first outcome. */
export function withoutNode(graph: Graph, id: string): Graph {
  const node = graph.nodes.find((each) => each.id === id);
  const first = node && outcomesOf(node)[0];
  const next = first === undefined ? '' : nextOf(graph, id, first);
  return {
    nodes: graph.nodes.filter((each) => each.id !== id),
    edges: graph.edges.flatMap((edge) => {
      if (edge.from === id) return [];
      if (edge.to !== id) return [edge];
      return next === '' || next === id || next === edge.from ? [] : [{ ...edge, to: next }];
    }),
  };
}

/**
 * Returns the same graph with one node changed. Edges of outcomes that the node has no more are gone; where one was renamed, its edge
 * goes along.
 */
export function withChanged(graph: Graph, changed: GraphNode): Graph {
  const before = graph.nodes.find(({ id }) => id === changed.id);
  const [old, now] = [before ? outcomesOf(before) : [], outcomesOf(changed)];
  const renamed = new Map(old.length === now.length ? old.map((branch, place) => [branch, now[place] ?? null] as const) : []);
  const edges = graph.edges.flatMap((edge): GraphEdge[] => {
    if (edge.from !== changed.id) return [edge];
    const { branch: _branch, ...rest } = edge;
    const branch = renamed.get(edge.branch ?? null) ?? edge.branch ?? null;
    return now.includes(branch) ? [{ ...rest, ...(branch !== null && { branch }) }] : [];
  });
  return { nodes: graph.nodes.map((node) => (node.id === changed.id ? changed : node)), edges };
}
