import { digestFaults } from './digest';
import { fault } from './fault';
import type { GraphFault } from './fault';
import { branchesOf, nodePaths } from './graph';
import type { Edge, Graph, GraphNode } from './graph';
import { rulesOf } from './nodes';
import { placeholdersIn, unreadIn } from './texts';

/**
 * Returns all faults for which a graph cannot run (docs/automations.md, Activating), each at its path under `basePath`. What depends on stored
 * templates, segments and domains is left to callers that can look them up (`references`, `texts`).
 */
export function checkGraph(graph: Graph, basePath = 'graph'): readonly GraphFault[] {
  const nodes = nodePaths(graph, basePath);
  const faults = [
    ...checkTriggers(graph, basePath),
    ...checkEdges(graph, basePath),
    ...checkReach(graph, basePath),
    ...checkCycles(graph, basePath),
    ...digestFaults(graph, basePath),
    ...nodes.flatMap(([node, path]) => checkWritten(node, `${path}.config`)),
    ...nodes.flatMap(([node, path]) => rulesOf(node).branchFaults?.(node.config, `${path}.config`) ?? []),
    ...nodes.flatMap(([node, path]) => rulesOf(node).configFaults?.(node.config, `${path}.config`) ?? []),
    ...checkNodesAsked(graph, nodes),
    ...nodes.flatMap(([node, path]) => checkPlaceholders(node, `${path}.config`)),
  ];
  const known = new Set(faults.map(({ path }) => path));
  return [...faults, ...nodes.flatMap(([node, path]) => checkUnread(node, `${path}.config`)).filter(({ path }) => !known.has(path))];
}

/** The limit of one template (docs/rendering.md, Bounds). */
const MOST_PLACEHOLDERS = 1_000;
/** Branches that a fault names: it may come again for each of thousands of edges. */
const MOST_NAMED = 10;

export const EMPTY = 'Must not be empty';

/** Texts that a draft may leave empty. */
const REQUIRED: Readonly<Partial<Record<GraphNode['type'], readonly string[]>>> = {
  send_email: ['fromEmail', 'templateId'],
  wait_for_event: ['event'],
  add_to_segment: ['segmentId'],
  remove_from_segment: ['segmentId'],
  emit_event: ['name'],
  webhook: ['url'],
};

const checkWritten = ({ type, config }: GraphNode, path: string): readonly GraphFault[] =>
  (REQUIRED[type] ?? [])
    .filter((member) => (config as Readonly<Record<string, unknown>>)[member] === '')
    .map((member) => fault(`${path}.${member}`, EMPTY));

function checkTriggers({ nodes }: Graph, basePath: string): readonly GraphFault[] {
  const triggers = nodes.flatMap(({ type }, index) => (type === 'trigger' ? [index] : []));
  if (triggers.length === 0) return [fault(`${basePath}.nodes`, 'The graph needs a trigger')];
  return triggers.slice(1).map((index) => fault(`${basePath}.nodes.${index}`, 'Only one trigger is allowed'));
}

function checkEdges({ nodes, edges }: Graph, basePath: string): readonly GraphFault[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const taken = new Set<string>();
  return edges.flatMap((edge, index) => {
    const path = `${basePath}.edges.${index}`;
    const outcome = JSON.stringify([edge.from, edge.branch ?? null]);
    const wrong = checkOutcome(edge, byId.get(edge.from), path);
    const repeated = wrong.length === 0 && taken.has(outcome);
    taken.add(outcome);
    return [...wrong, ...checkEnd(byId.get(edge.to), path), ...(repeated ? [fault(path, 'This branch already has an edge')] : [])];
  });
}

function checkOutcome({ branch }: Edge, from: GraphNode | undefined, path: string): readonly GraphFault[] {
  if (!from) return [fault(`${path}.from`, 'This node does not exist')];
  if (from.type === 'exit') return [fault(`${path}.from`, 'An exit cannot have outgoing edges')];
  const branches = branchesOf(from);
  if (branches.length === 0) return branch === undefined ? [] : [fault(`${path}.branch`, `A ${from.type} node has no branches`)];
  if (branch !== undefined && branches.includes(branch)) return [];
  const named = [...branches.slice(0, MOST_NAMED), ...(branches.length > MOST_NAMED ? ['…'] : [])];
  return [fault(`${path}.branch`, `Must be one of the branches ${named.join(', ')}`)];
}

function checkEnd(to: GraphNode | undefined, path: string): readonly GraphFault[] {
  if (!to) return [fault(`${path}.to`, 'This node does not exist')];
  return to.type === 'trigger' ? [fault(`${path}.to`, 'No edge can lead to the trigger')] : [];
}

// Without a trigger nothing can be reached, which goes without saying.
function checkReach({ nodes, edges }: Graph, basePath: string): readonly GraphFault[] {
  const reached = new Set(nodes.filter(({ type }) => type === 'trigger').map(({ id }) => id));
  if (reached.size === 0) return [];
  for (const id of reached) {
    for (const { from, to } of edges) if (from === id) reached.add(to);
  }
  return nodes.flatMap(({ id }, index) =>
    reached.has(id) ? [] : [fault(`${basePath}.nodes.${index}`, 'No edge leads to this node. Connect or remove it')],
  );
}

/** Names the edges that close a cycle, in the order of the graph; an edge that is forbidden anyway closes none. */
function checkCycles({ nodes, edges }: Graph, basePath: string): readonly GraphFault[] {
  const types = new Map(nodes.map(({ id, type }) => [id, type]));
  const counted = edges.map((edge) => types.get(edge.from) !== 'exit' && types.get(edge.to) !== 'trigger');
  const seen = new Set<string>();
  const open = new Set<string>();
  const closing: number[] = [];
  const visit = (id: string): void => {
    if (seen.has(id)) return;
    seen.add(id);
    open.add(id);
    edges.forEach(({ from, to }, index) => {
      if (from !== id || !counted[index]) return;
      if (open.has(to)) closing.push(index);
      else visit(to);
    });
    open.delete(id);
  };
  nodes.forEach(({ id }) => visit(id));
  return closing.sort((a, b) => a - b).map((index) => fault(`${basePath}.edges.${index}`, 'This edge closes a cycle'));
}

/** Checks that a node before a condition sends the message that the condition asks about: it has to be one of its own execution. */
function checkNodesAsked({ nodes, edges }: Graph, withPaths: readonly (readonly [GraphNode, string])[]): readonly GraphFault[] {
  const types = new Map(nodes.map(({ id, type }) => [id, type]));
  const sources = new Map(nodes.map(({ id }) => [id, new Set<string>()]));
  for (const { from, to } of edges) sources.get(to)?.add(from);
  return withPaths.flatMap(([node, path]) => {
    const asked = rulesOf(node).nodesAsked?.(node.config, `${path}.config`) ?? [];
    if (asked.length === 0) return [];
    const earlier = new Set(sources.get(node.id));
    for (const id of earlier) for (const source of sources.get(id) ?? []) earlier.add(source);
    return asked.flatMap(({ nodeId, path: at }) => {
      const type = types.get(nodeId);
      if (type === undefined) return [fault(at, 'This node does not exist')];
      if (type !== 'send_email') return [fault(at, 'Must be a send_email node')];
      return earlier.has(nodeId) ? [] : [fault(at, 'No path leads from this node to here')];
    });
  });
}

// A placeholder that nothing reads would be taken literally, without a word.
const checkUnread = (node: GraphNode, path: string): readonly GraphFault[] =>
  unreadIn(node, path).map((at) => fault(at, 'Placeholders are not allowed here'));

const checkPlaceholders = (node: GraphNode, path: string): readonly GraphFault[] =>
  placeholdersIn(node) > MOST_PLACEHOLDERS ? [fault(path, `A node can have at most ${MOST_PLACEHOLDERS} placeholders`)] : [];
