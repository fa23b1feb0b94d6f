import type { Edge, Graph, GraphNode, NodeType } from './graph';
import { rulesOf } from './nodes';

/** What the interpreter reads of a node; its type's rules say which part of the configuration that is. */
export interface OutlineNode {
  readonly id: string;
  readonly type: NodeType;
  readonly config?: unknown;
}

/** What the interpreter reads of a graph; a whole graph is one. */
export interface Outline {
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
