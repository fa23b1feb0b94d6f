import type { Fault } from '../../../parts/conditions/editor.tsx';
import type { Graph } from './model.ts';

const NODE = /^graph\.nodes\.(\d+)/;
const EDGE = /^graph\.edges\.(\d+)/;

/** Returns the node at which a fault is; null where it is the graph's. */
function nodeAt({ nodes, edges }: Graph, path: string): string | null {
  const [, node] = NODE.exec(path) ?? [];
  if (node !== undefined) return nodes[Number(node)]?.id ?? null;
  const [, edge] = EDGE.exec(path) ?? [];
  return edge === undefined ? null : (edges[Number(edge)]?.from ?? null);
}

/** Returns the faults by the node at which they are, and under the empty name what is wrong with the graph itself. */
export function faultsByNode(graph: Graph, faults: readonly Fault[]): ReadonlyMap<string, readonly Fault[]> {
  const found = new Map<string, Fault[]>();
  for (const fault of faults) {
    const id = nodeAt(graph, fault.path) ?? '';
    found.set(id, [...(found.get(id) ?? []), fault]);
  }
  return found;
}
