import type { Graph, GraphNode } from './model.ts';

export interface Place {
  readonly x: number;
  readonly y: number;
}

const ACROSS = 270;
const DOWN = 170;

/** How many steps lead to each node, by the longest way; a cycle is followed once. */
function levelsOf({ nodes, edges }: Graph): ReadonlyMap<string, number> {
  const levels = new Map(nodes.map(({ id }) => [id, 0]));
  // As many rounds as the longest way can have: a graph with a cycle has no end of them.
  for (let round = 0; round < nodes.length; round++) {
    let isSettled = true;
    for (const { from, to } of edges) {
      const level = (levels.get(from) ?? 0) + 1;
      if (level <= (levels.get(to) ?? level) || level >= nodes.length) continue;
      levels.set(to, level);
      isSettled = false;
    }
    if (isSettled) break;
  }
  return levels;
}

function placeOf({ position }: GraphNode): Place | null {
  const { x, y } = (position ?? {}) as { readonly x?: unknown; readonly y?: unknown };
  return typeof x === 'number' && typeof y === 'number' && Number.isFinite(x) && Number.isFinite(y) ? { x, y } : null;
}

/** Where each node stands: where somebody has put it, or below what leads to it. */
export function placesOf(graph: Graph): ReadonlyMap<string, Place> {
  const levels = levelsOf(graph);
  const widths = new Map<number, number>();
  for (const level of levels.values()) widths.set(level, (widths.get(level) ?? 0) + 1);
  const used = new Map<number, number>();
  return new Map(
    graph.nodes.map((node) => {
      const level = levels.get(node.id) ?? 0;
      const column = used.get(level) ?? 0;
      used.set(level, column + 1);
      const x = (column - ((widths.get(level) ?? 1) - 1) / 2) * ACROSS;
      return [node.id, placeOf(node) ?? { x, y: level * DOWN }] as const;
    }),
  );
}
