import type { Edge, Graph, GraphNode, NodeConfigs } from './graph';

type Reduced = {
  readonly delay: NodeConfigs['delay'];
  readonly wait_for_event: Pick<NodeConfigs['wait_for_event'], 'event' | 'timeout'>;
  readonly switch: { readonly cases: readonly { readonly branch: string }[] };
  readonly split: NodeConfigs['split'];
  readonly exit: NodeConfigs['exit'];
};

type Reducible = keyof Reduced;

export type OutlineNode =
  | { readonly [T in Reducible]: { readonly id: string; readonly type: T; readonly config: Reduced[T] } }[Reducible]
  | { readonly id: string; readonly type: Exclude<GraphNode['type'], Reducible> };

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
  const { id } = node;
  switch (node.type) {
    case 'delay':
      return { id, type: node.type, config: node.config };
    case 'wait_for_event': {
      const { event, timeout } = node.config;
      return { id, type: node.type, config: { event, ...(timeout && { timeout }) } };
    }
    case 'switch':
      return { id, type: node.type, config: { cases: node.config.cases.map(({ branch }) => ({ branch })) } };
    case 'split':
      return { id, type: node.type, config: node.config };
    case 'exit':
      return { id, type: node.type, config: node.config };
    default:
      return { id, type: node.type };
  }
}
