import { rulesOf } from './nodes';
import type { NodeConfigs, NodeType } from './nodes';

export type { NodeConfigs, NodeType } from './nodes';

/** A condition tree as it is stored (docs/conditions.md); what its groups hold is read by the rules of conditions. */
export interface StoredTree {
  readonly logic: 'and' | 'or';
  readonly groups: readonly unknown[];
}

export interface NodeOf<T extends NodeType> {
  readonly id: string;
  readonly type: T;
  readonly name?: string | undefined;
  readonly config: NodeConfigs[T];
  readonly position?: unknown;
}

export type GraphNode = { readonly [T in NodeType]: NodeOf<T> }[NodeType];

/** A way from one outcome of a node to the next node. */
export interface Edge {
  readonly id?: string | undefined;
  readonly from: string;
  readonly to: string;
  readonly branch?: string | undefined;
}

/** A graph as stored and shown. */
export interface Graph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly Edge[];
}

/** Returns the names of a node's outcomes; empty for a node that has one outcome without a name, and for `exit`, which has none. */
export const branchesOf = (node: GraphNode): readonly string[] => rulesOf(node).branches?.(node.config) ?? [];

/** Returns where the edge of this outcome leads; null where there is no edge. */
export function nextNode(graph: { readonly edges: readonly Edge[] }, nodeId: string, branch: string | null): string | null {
  return graph.edges.find((edge) => edge.from === nodeId && (edge.branch ?? null) === branch)?.to ?? null;
}

/** Lists every node with its path in the graph, as faults name it. */
export const nodePaths = (graph: Graph, basePath: string): readonly (readonly [GraphNode, string])[] =>
  graph.nodes.map((node, index) => [node, `${basePath}.nodes.${index}`] as const);
